// @ts-check
/** The history of a game that is over: fetched, gone through, judged by the solver when asked for, and saved as a file. */

import { RefusedError, ask, download } from "../api.js";
import { byId, dialog, make, openDialog } from "../dom.js";
import { moveWords } from "../history/story.js";
import { Viewer } from "../history/viewer.js";
import { capitalised, clockTime, t } from "../i18n.js";
import { refusalText } from "../referee.js";
import { verdictOn } from "./deal.js";
import { fetchVerdict, verdictText } from "./verdict.js";

export class HistoryDialog {
  /** @param {import("../connection.js").Connection} connection @param {import("../settings.js").Settings} settings */
  constructor(connection, settings) {
    this.connection = connection;
    this.viewer = new Viewer(settings);
    this.game = "";
    this.losing = 0;
    const sheet = dialog("history");
    sheet.addEventListener("close", () => this.viewer.play(false));
    document.addEventListener("keydown", (event) => sheet.open && this.viewer.pressed(event) && event.preventDefault());
    byId("history-judge").addEventListener("click", () => void this.judge());
    byId("history-check").addEventListener("click", () => void this.check());
    byId("history-to-lost").addEventListener("click", () => this.viewer.go(this.losing));
    for (const button of sheet.querySelectorAll("[data-format]")) {
      button.addEventListener("click", () => void this.save(/** @type {HTMLElement} */ (button).dataset.format ?? ""));
    }
    settings.addEventListener("changed", () => this.viewer.table.redraw());
  }

  /** @param {string} game */
  async open(game) {
    this.game = game;
    this.begin(t("history.loading"));
    openDialog("history");
    try {
      const history = await ask(`games/${game}/history`, this.connection.token);
      if (this.game === game && dialog("history").open) this.show(history);
    } catch (error) {
      if (this.game === game) byId("history-note").textContent = whyNot(error);
    }
  }

  /** Nothing to see yet. @param {string} note */
  begin(note) {
    byId("history-summary").textContent = "";
    byId("history-note").textContent = note;
    for (const id of ["history-viewer", "history-transport", "history-judge", "history-to-lost"]) byId(id).hidden = true;
    byId("history-note").hidden = false;
  }

  /** @param {import("../history/story.js").History} history */
  show(history) {
    const { variant, scoring, mode, result, moves, play_ms } = history;
    const facts = [t(`variant.${variant}`), t(`mode.${mode}`), t(`scoring.${scoring}`), t(`over.${result}`), `${t("status.moves")} ${moves}`];
    byId("history-summary").textContent = [...facts, clockTime(play_ms)].join(" · ");
    byId("history-note").hidden = true;
    byId("history-viewer").hidden = byId("history-transport").hidden = false;
    byId("history-judge").hidden = result === "won";
    this.viewer.show(history);
    this.viewer.place.focus();
  }

  /** Ask the solver: only on demand, since it takes time. */
  async judge() {
    const { game } = this;
    const { history } = this.viewer;
    const note = byId("history-note");
    byId("history-judge").hidden = true;
    this.viewer.place.focus();
    note.hidden = false;
    note.textContent = t("verdict.looking");
    note.setAttribute("aria-busy", "true");
    const verdict = await fetchVerdict(game, this.connection.token);
    if (this.game !== game || !history) return;
    note.removeAttribute("aria-busy");
    note.replaceChildren(verdict ? verdictText(verdict) : t("error.unavailable"), ...wayOut(verdict));
    byId("history-judge").hidden = verdict !== null;
    if (!verdict) return;
    this.viewer.timeline.judge(history, verdict);
    this.losing = (verdict.lost_by?.version ?? 1) - 1;
    byId("history-to-lost").hidden = verdict.lost_by === null;
  }

  /** Whether the cards were those that were committed to. */
  async check() {
    const { game } = this;
    const note = byId("history-note");
    note.hidden = false;
    note.textContent = t("deal.checking");
    const { text } = await verdictOn(game, this.connection.token);
    if (this.game === game) note.textContent = text;
  }

  /** @param {string} format */
  async save(format) {
    const note = byId("history-note");
    try {
      await download(`games/${this.game}/history?format=${format}`, this.connection.token);
    } catch (error) {
      note.hidden = false;
      note.textContent = whyNot(error);
    }
  }
}

/** Moves that would have won, to be opened. @param {import("./verdict.js").Verdict | null} verdict */
function wayOut(verdict) {
  const moves = verdict?.way_out ?? [];
  const items = moves.map((move) => make("li", {}, capitalised(moveWords(move))));
  return items.length ? [make("details", {}, make("summary", {}, t("history.way-out", { n: items.length })), make("ol", {}, ...items))] : [];
}

/** @param {unknown} error */
function whyNot(error) {
  return error instanceof RefusedError ? refusalText(error.reason) : t("history.unavailable");
}
