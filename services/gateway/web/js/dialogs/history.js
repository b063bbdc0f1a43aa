// @ts-check
/** The history of a game that is over: fetched, gone through, judged by the solver when asked for, and saved as a file. */

import { leaveWith } from "../address.js";
import { RefusedError } from "../api.js";
import { solved } from "../choices.js";
import { byId, dialog, make, openDialog } from "../dom.js";
import { Sharing } from "../history/sharing.js";
import { endsText, moveWords } from "../history/story.js";
import { Viewer } from "../history/viewer.js";
import { capitalised, clockTime, t } from "../i18n.js";
import { refusalText } from "../referee.js";
import { verdictOn } from "./deal.js";
import { patiently, verdictText } from "./verdict.js";

/** @typedef {import("../history/sources.js").Source} Source */

export class HistoryDialog {
  /** @param {import("../connection.js").Connection} connection @param {import("../settings.js").Settings} settings */
  constructor(connection, settings) {
    this.viewer = new Viewer(settings);
    this.sharing = new Sharing(connection, { show: (...what) => this.note(...what), failed: (error) => this.note(whyNot(error)) });
    /** @type {Source | null} */
    this.source = null;
    this.losing = 0;
    const sheet = dialog("history");
    sheet.addEventListener("close", () => this.viewer.play(false));
    leaveWith(sheet);
    document.addEventListener("keydown", (event) => {
      const typing = event.target instanceof HTMLInputElement && event.target.readOnly;
      if (sheet.open && !typing && this.viewer.pressed(event)) event.preventDefault();
    });
    byId("history-share").addEventListener("click", () => this.source?.own && void this.sharing.share(this.source.own));
    byId("history-judge").addEventListener("click", () => void this.judge());
    byId("history-check").addEventListener("click", () => void this.check());
    byId("history-to-lost").addEventListener("click", () => this.viewer.go(this.losing));
    for (const button of sheet.querySelectorAll("[data-format]")) {
      button.addEventListener("click", () => void this.save(/** @type {HTMLElement} */ (button).dataset.format ?? ""));
    }
    settings.addEventListener("changed", () => this.viewer.redraw());
  }

  /** @param {Source} source @param {import("../history/story.js").History} [known] its history, where that is there already */
  async open(source, known) {
    this.source = source;
    this.begin(t("history.loading"));
    openDialog("history");
    try {
      const history = known ?? (await source.history());
      if (this.source === source && dialog("history").open) this.show(history);
    } catch (error) {
      if (this.source === source) this.note(whyNot(error));
    }
  }

  /** @param {...(Node | string)} what */
  note(...what) {
    const note = byId("history-note");
    note.hidden = false;
    note.replaceChildren(...what);
  }

  /** Nothing to see yet. @param {string} note */
  begin(note) {
    byId("history-summary").textContent = "";
    this.note(note);
    for (const id of ["history-viewer", "history-transport", "history-judge", "history-to-lost"]) byId(id).hidden = true;
  }

  /** @param {import("../history/story.js").History} history */
  show(history) {
    const { variant, scoring, mode, result, moves, play_ms, seats } = history;
    const facts = [t(`variant.${variant}`), t(`mode.${mode}`), t(`scoring.${scoring}`), ...endsText(history), `${t("status.moves")} ${moves}`];
    byId("history-summary").textContent = [...facts, clockTime(play_ms)].join(" · ");
    const judged = result !== "won" && solved(variant);
    byId("history-note").textContent = t("chances.unsolved");
    byId("history-note").hidden = result === "won" || judged || seats !== undefined;
    byId("history-viewer").hidden = byId("history-transport").hidden = false;
    byId("history-judge").hidden = !judged;
    byId("history-share").hidden = !this.source?.own;
    this.viewer.show(history);
    this.viewer.place.focus();
  }

  /** Ask the solver: only on demand, since it takes time. */
  async judge() {
    const { source } = this;
    if (!source) return;
    const { history } = this.viewer;
    const note = byId("history-note");
    byId("history-judge").hidden = true;
    this.viewer.place.focus();
    note.hidden = false;
    note.textContent = t("verdict.looking");
    note.setAttribute("aria-busy", "true");
    const verdict = await patiently(() => source.verdict());
    if (this.source !== source || !history) return;
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
    const { source } = this;
    if (!source) return;
    this.note(t("deal.checking"));
    const { text } = await verdictOn(source.history);
    if (this.source === source) this.note(text);
  }

  /** @param {string} format */
  async save(format) {
    try {
      await this.source?.save(format);
    } catch (error) {
      this.note(whyNot(error));
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
