// @ts-check
/** Until when a game that is over could be won. The server tells it only then. */

import { ask } from "../api.js";
import { solved } from "../choices.js";
import { byId } from "../dom.js";
import { number, t } from "../i18n.js";

/**
 * @typedef {object} Verdict as docs/schema/dealer-answers.json describes it
 * @property {number} moves
 * @property {number | null} winnable_through
 * @property {number | null} lost_from
 * @property {{number: number, version: number} | null} lost_by
 * @property {string[]} way_out moves that win from the last position that can be won
 * @property {"budget" | "variant" | null} undecided
 */

const ATTEMPTS_MAX = 5;
const AGAIN_MS = 2_000;

/**
 * Show it below how the game ended; nothing when the game was won, or nobody answers.
 * @param {import("../types.js").View} view
 * @param {string | null} token
 */
export async function showVerdict(view, token) {
  const line = byId("result-verdict");
  line.dataset.game = view.game;
  line.hidden = view.status === "won";
  if (line.hidden) return;
  if (!solved(view.variant)) {
    line.textContent = t("chances.unsolved");
    return;
  }
  line.textContent = t("verdict.looking");
  line.setAttribute("aria-busy", "true");
  const verdict = await patiently(() => ask(`games/${view.game}/verdict`, token));
  if (line.dataset.game !== view.game) return; // another game has ended meanwhile
  line.removeAttribute("aria-busy");
  line.hidden = verdict === null;
  if (verdict) line.textContent = verdictText(verdict);
}

/** The search may take longer than one answer. @param {() => Promise<Verdict>} fetched @returns {Promise<Verdict | null>} */
export async function patiently(fetched) {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    try {
      return await fetched();
    } catch {
      if (attempt < ATTEMPTS_MAX) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
  return null;
}

/** @param {Verdict} verdict */
export function verdictText({ moves, winnable_through: through, lost_from: lost, lost_by: losing }) {
  if (lost === 0) return t("verdict.never");
  if (through === moves) return t("verdict.still");
  if (losing?.number === 1) return t("verdict.first");
  if (losing) return t("verdict.until", { number: number(losing.number - 1), next: number(losing.number) });
  if (through !== null) return t("verdict.at-least", { number: number(through) });
  return lost === null ? t("verdict.open") : t("verdict.at-most", { number: number(lost) });
}
