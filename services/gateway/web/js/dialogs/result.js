// @ts-check
/** How a game ended. */

import { byId, openDialog } from "../dom.js";
import { clockTime, number, t } from "../i18n.js";
import { score } from "../score.js";
import { showVerdict } from "./verdict.js";

/** @param {import("../types.js").View} view @param {string | null} token */
export function openResult(view, token) {
  byId("result-title").textContent = t(`result.${view.status}`);
  byId("result-text").textContent = t(`result.${view.status}.text`);
  byId("result-points").textContent = score(view.points, view.scoring);
  byId("result-moves").textContent = number(view.moves);
  byId("result-time").textContent = clockTime(view.play_ms);
  byId("again").hidden = view.deal.type !== "number";
  void showVerdict(view, token);
  openDialog("result");
}
