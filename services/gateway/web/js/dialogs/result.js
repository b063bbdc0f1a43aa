// @ts-check
/** How a game ended. */

import { byId, dialogClosed, openDialog } from "../dom.js";
import { clockTime, number, t } from "../i18n.js";
import { score } from "../score.js";
import { endText } from "../words.js";
import { showVerdict } from "./verdict.js";

/** @typedef {import("../types.js").View} View */

export class ResultDialog {
  /** @param {import("../connection.js").Connection} connection @param {import("../game.js").Game} game @param {import("../session.js").Session} session */
  constructor(connection, game, session) {
    this.connection = connection;
    this.game = game;
    this.session = session;
    /** @type {View | null} the end that is to be shown */
    this.end = null;
  }

  /**
   * Show how a game ended, once the player has left the dialogs, and not if another game was begun from one.
   * @param {View} view
   * @param {() => Promise<void>} celebrate to be seen before, by the same rule
   */
  async open(view, celebrate) {
    this.end = view;
    for (const next of [celebrate, () => show(view, this.connection.token)]) {
      while (document.querySelector("dialog[open]")) {
        await dialogClosed();
        await this.session.beginning;
      }
      if (this.end !== view || this.game.view?.game !== view.game) return;
      await next();
    }
  }
}

/** @param {View} view @param {string | null} token */
function show(view, token) {
  const { duel } = view;
  const takenBack = duel && !duel.opponent;
  const sums = duel && { own: number(duel.cards_up), others: number(duel.opponent?.cards_up ?? 0) };
  byId("result-title").textContent = endText(view);
  byId("result-text").textContent = sums ? t(duel.seat === null ? "duel.score-watched" : "duel.score", sums) : t(`result.${view.status}.text`);
  byId("result-text").hidden = byId("result-figures").hidden = Boolean(takenBack);
  byId("result-points").textContent = score(view.points, view.scoring);
  byId("result-moves").textContent = number(view.moves);
  byId("result-time").textContent = clockTime(view.play_ms);
  byId("again").hidden = view.deal.type !== "number";
  byId("review").hidden = duel !== undefined && (duel.seat === null || !duel.opponent);
  byId("result-verdict").hidden = true;
  if (!duel) void showVerdict(view, token);
  openDialog("result");
}
