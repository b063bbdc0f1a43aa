// @ts-check
/** How to play: by finger, mouse and keys. */

import { byId, openDialog } from "../dom.js";

/** Columns that a key can name. */
const DIGITS = 9;

/** @param {import("../types.js").View | null} view */
export function openHelp(view) {
  if (view) byId("help-digit").textContent = String(Math.min(DIGITS, view.columns.length));
  openDialog("help");
}
