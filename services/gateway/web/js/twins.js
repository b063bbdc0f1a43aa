// @ts-check
/**
 * Two decks hold every card twice. On this page each of the two has a name of its own, `7H` and `7H'`, that it keeps for
 * as long as it is seen; the server's names are the first two letters.
 */

import { cardsOf, downIn, pilesOf } from "./moves.js";

/** @typedef {import("./types.js").View} View */

const TWIN = "'";

/**
 * The view with a name of its own for each card: what lies where it lay keeps its name, and what moved takes its along.
 * @param {View} view
 * @param {View | null} before with such names already
 * @returns {View}
 */
export function distinct(view, before) {
  const known = new Map(before && before.game === view.game ? places(before) : []);
  const here = places(view);
  /** @type {Map<string, string>} */
  const named = new Map();
  const taken = new Set();
  for (const [place, card] of here) {
    const name = known.get(place);
    if (name?.slice(0, 2) !== card) continue;
    named.set(place, name);
    taken.add(name);
  }
  const moved = new Set(known.values());
  for (const [place, card] of here) {
    if (named.has(place)) continue;
    const free = [card, card + TWIN].filter((name) => !taken.has(name));
    const name = free.find((one) => moved.has(one)) ?? free[0] ?? card;
    named.set(place, name);
    taken.add(name);
  }
  return renamed(view, (place, card) => named.get(place) ?? card);
}

/** Where each face-up card lies, counted from the bottom of its pile. @param {View} view @returns {[string, string][]} */
function places(view) {
  return pilesOf(view).flatMap((pile) => cardsOf(view, pile).map((card, index) => /** @type {[string, string]} */ ([placeIn(view, pile, index), card])));
}

/** @param {View} view @param {string} pile @param {number} index among the face-up cards */
function placeIn(view, pile, index) {
  const down = downIn(view, pile);
  return `${pile}.${down + index}`;
}

/** @param {View} view @param {(place: string, card: string) => string} name @returns {View} */
function renamed(view, name) {
  const pile = (/** @type {string} */ id, /** @type {string[]} */ cards) => cards.map((card, index) => name(placeIn(view, id, index), card));
  return {
    ...view,
    waste: pile("W", view.waste),
    foundations: view.foundations.map((cards, index) => pile(`F${index + 1}`, cards)),
    columns: view.columns.map(({ down, up }, index) => ({ down, up: pile(`T${index + 1}`, up) })),
  };
}
