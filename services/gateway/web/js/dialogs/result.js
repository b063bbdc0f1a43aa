// @ts-check
/** How a game ended. */

import { byId, openDialog } from "../dom.js";
import { clockTime, number, t } from "../i18n.js";

/** @param {import("../types.js").View} view */
export function openResult(view) {
  byId("result-title").textContent = t(`result.${view.status}`);
  byId("result-text").textContent = t(`result.${view.status}.text`);
  byId("result-points").textContent = number(view.points);
  byId("result-moves").textContent = number(view.moves);
  byId("result-time").textContent = clockTime(view.play_ms);
  byId("again").hidden = view.deal.type !== "number";
  openDialog("result");
}
