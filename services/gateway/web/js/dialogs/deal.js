// @ts-check
/** Where the cards come from, and the proof that none was changed, worked out in this browser. */

import { RefusedError, ask } from "../api.js";
import { byId, copied, make, openDialog } from "../dom.js";
import { canCheck, checkDeal } from "../fair.js";
import { fullDay, t } from "../i18n.js";
import { linkTo } from "../links.js";
import { refusalText } from "../referee.js";

/** @typedef {import("../types.js").View} View */

export class DealDialog {
  /** @param {import("../connection.js").Connection} connection */
  constructor(connection) {
    this.connection = connection;
    /** @type {View | null} */
    this.view = null;
    byId("deal-verify").addEventListener("click", () => void this.verify());
  }

  /** @param {View} view */
  open(view) {
    this.view = view;
    const link = linkTo(view);
    const seed = view.deal.type === "number" ? "" : (view.deal.player_seed ?? "");
    const rows = link ? [] : [["deal.commitment", view.commitment], ["deal.revealed", view.secret || t("deal.later")]];
    if (seed) rows.push(["deal.seed", seed]);
    byId("deal-text").textContent = originText(view.deal);
    const proof = rows.flatMap(([key, value]) => [make("dt", {}, t(key)), make("dd", {}, value)]);
    byId("deal-proof").replaceChildren(...(link ? linkRow(link) : proof));
    byId("deal-check").hidden = true;
    byId("deal-verify").hidden = view.status === "running";
    openDialog("deal");
  }

  async verify() {
    const { view } = this;
    if (!view) return;
    const line = byId("deal-check");
    tell(line, t("deal.checking"), "");
    const { text, good } = await verdictOn(() => ask(`games/${view.game}/history`, this.connection.token), view.commitment);
    if (this.view === view) tell(line, text, good ? "good" : "bad");
  }
}

/**
 * What this browser finds out about a game that is over, in words.
 * @param {() => Promise<import("../history/story.js").History>} fetched
 * @param {string} [promised] the commitment that the page has shown since the game began
 */
export async function verdictOn(fetched, promised) {
  if (!canCheck()) return { text: t("deal.cannot"), good: false };
  try {
    const { fault, seen } = await checkDeal(await fetched(), promised);
    return { text: fault ? t(`deal.bad.${fault}`) : t("deal.fair", { n: seen }), good: !fault };
  } catch (error) {
    return { text: error instanceof RefusedError ? refusalText(error.reason) : t("history.unavailable"), good: false };
  }
}

/** @param {HTMLElement} line @param {string} text @param {string} mark */
function tell(line, text, mark) {
  line.textContent = text;
  line.className = `notice ${mark}`;
  line.hidden = false;
}

/** The link, and a button that copies it where the browser lets it. @param {string} link */
function linkRow(link) {
  const anchor = make("a", { href: link }, link);
  if (!navigator.clipboard) return [make("dt", {}, t("deal.link")), make("dd", {}, anchor)];
  const copy = make("button", { type: "button", id: "deal-copy" }, t("deal.copy"));
  copy.addEventListener("click", async () => {
    if (await copied(link)) copy.textContent = t("deal.copied");
    else getSelection()?.selectAllChildren(anchor); // what is selected can be copied by hand
  });
  return [make("dt", {}, t("deal.link")), make("dd", {}, anchor), make("dd", {}, copy)];
}

/** @param {import("../types.js").Deal} deal */
function originText(deal) {
  if (deal.type === "number" && deal.day) return t("deal.day", { day: fullDay(deal.day), number: String(deal.number) });
  if (deal.type === "number") return t("deal.number", { number: String(deal.number) });
  return deal.type === "winnable" ? `${t("deal.winnable")} ${t("deal.secret")}` : t("deal.secret");
}
