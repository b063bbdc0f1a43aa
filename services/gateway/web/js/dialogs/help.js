// @ts-check
/** The rules, as they are for the variant on the table, and how to play. */

import { byId, openDialog } from "../dom.js";
import { t } from "../i18n.js";

/** Columns that a key can name. */
const DIGITS = 9;

/** @typedef {import("../types.js").View} View */

/** @param {View | null} view */
export function openHelp(view) {
  const about = byId("help-variant");
  about.hidden = !view;
  if (view) {
    about.textContent = t("help.variant", { variant: t(`variant.${view.variant}`), text: t(`variant.${view.variant}.text`) });
    byId("help-digit").textContent = String(Math.min(DIGITS, view.columns.length));
  }
  byId("help-stock").textContent = stockRule(view);
  openDialog("help");
}

/** @param {View | null} view */
function stockRule(view) {
  if (view?.draws_to === "columns") return t("help.stock-columns");
  return view?.passes ? t("help.stock-passes", { n: view.passes }) : t("help.stock-waste");
}
