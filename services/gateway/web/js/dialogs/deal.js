// @ts-check
/** Where the cards come from, and the proof that none was changed. */

import { linkTo } from "../choices.js";
import { byId, make, openDialog } from "../dom.js";
import { t } from "../i18n.js";

/** @param {import("../types.js").View} view */
export async function openDeal(view) {
  const link = linkTo(view);
  byId("deal-text").textContent = originText(view.deal);
  const rows = link ? [["deal.link", link]] : [["deal.commitment", view.commitment], ["deal.revealed", view.secret || t("deal.later")]];
  byId("deal-proof").replaceChildren(...rows.flatMap(([key, value]) => [make("dt", {}, t(key)), make("dd", {}, value)]));
  const check = byId("deal-check");
  check.hidden = true;
  openDialog("deal");
  if (!view.secret || !crypto.subtle) return;
  const fits = (await sha256(view.secret)) === view.commitment;
  check.textContent = t(fits ? "deal.good" : "deal.bad");
  check.className = `notice ${fits ? "good" : "bad"}`;
  check.hidden = false;
}

/** @param {import("../types.js").Deal} deal */
function originText(deal) {
  if (deal.type === "number") return t("deal.number", { number: String(deal.number) });
  return deal.type === "winnable" ? `${t("deal.winnable")} ${t("deal.secret")}` : t("deal.secret");
}

/** The hash of bytes, both in hexadecimal. @param {string} hex */
async function sha256(hex) {
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
