// @ts-check
/** What a legal move will look like, so that it is drawn at once; the server's answer then takes its place. */

import { cardsOf } from "./moves.js";

/** @typedef {import("./types.js").View} View */

/**
 * The table after a move, as far as it is known: what will be turned up is not. Null when the outcome is not known.
 * @param {View} view
 * @param {{type: string, source?: string, target?: string, count?: number}} command
 * @returns {View | null}
 */
export function foresee(view, { type, source = "", target = "", count = 1 }) {
  const text = `${source}>${target}${count > 1 ? `*${count}` : ""}`;
  if (type !== "move" || !view.legal.includes(text)) return null;
  const cards = cardsOf(view, source).slice(-count);
  /** @type {(pile: string, there: string[]) => string[]} */
  const after = (pile, there) => {
    if (pile === source) return there.slice(0, -count);
    return pile === target ? [...there, ...cards] : there;
  };
  return {
    ...view,
    waste: after("W", view.waste),
    foundations: view.foundations.map((there, index) => after(`F${index + 1}`, there)),
    columns: view.columns.map(({ down, up }, index) => ({ down, up: after(`T${index + 1}`, up) })),
    // Only what has nothing to do with the two piles is still known to be legal.
    legal: view.legal.filter((move) => !new RegExp(`\\b(${source}|${target})\\b`).test(move)),
  };
}
