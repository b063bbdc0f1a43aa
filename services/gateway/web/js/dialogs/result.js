// @ts-check
/** How a game ended. */

import { byId, openDialog } from "../dom.js";
import { clockTime, number, t } from "../i18n.js";
import { score } from "../score.js";
import { endText } from "../words.js";
import { showVerdict } from "./verdict.js";

/** @param {import("../types.js").View} view @param {string | null} token */
export function openResult(view, token) {
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
