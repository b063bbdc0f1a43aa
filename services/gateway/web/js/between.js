// @ts-check
/** Which move lies between two tables: an undo and a redo do not say it. Pure. */

import { cardsOf, downIn, pilesOf } from "./moves.js";

/** @typedef {import("./types.js").View} View */
/**
 * @typedef {{type: "cards-moved", source: string, target: string, cards: string[], turned_up: string | null}
 *   | {type: "cards-drawn", cards: string[]}
 *   | {type: "stock-recycled", cards: number}} Deed as the server's events
 */

/** What leads from one table to the other in one move. @param {View} from @param {View} to @returns {Deed | null} null if nothing does */
export function deedBetween(from, to) {
  const gains = pilesOf(to).map((pile) => ({ pile, gain: sizeOf(to, pile) - sizeOf(from, pile) })).filter(({ gain }) => gain);
  const grown = gains.filter(({ gain }) => gain > 0);
  const shrunk = gains.filter(({ gain }) => gain < 0);
  const cards = grown.flatMap(({ pile, gain }) => cardsOf(to, pile).slice(-gain));
  const drawn = from.stock - to.stock;
  if (drawn > 0) return !shrunk.length && cards.length === drawn ? { type: "cards-drawn", cards } : null;
  if (drawn < 0) return !grown.length && to.stock === from.waste.length ? { type: "stock-recycled", cards: to.stock } : null;
  if (grown.length !== 1 || shrunk.length !== 1 || grown[0].gain !== -shrunk[0].gain) return null;
  const source = shrunk[0].pile;
  const turned = downIn(to, source) < downIn(from, source) ? (cardsOf(to, source)[0] ?? null) : null;
  return { type: "cards-moved", source, target: grown[0].pile, cards, turned_up: turned };
}

/** @param {View} view @param {string} pile */
const sizeOf = (view, pile) => downIn(view, pile) + cardsOf(view, pile).length;
