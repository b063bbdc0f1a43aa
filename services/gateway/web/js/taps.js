// @ts-check
/** Which move a tap means. docs/table.md says the order and why. Pure. */

import { cardsOf, movesOf, placeOf } from "./moves.js";
import { isSafe } from "./safe.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./moves.js").Move} Move */

/** The better one first. A card that is only left where it is as good as anywhere else has no move. */
const WORTHS = ["safe-up", "freeing-onto-card", "freeing-to-empty", "up", "onto-card", "to-empty"];

/** The moves that a tap may mean, the one meant first in front. @param {View} view @param {string} card @returns {Move[]} */
export function choicesOf(view, card) {
  const moves = movesOf(view, card).filter((move) => !changesNothing(view, move));
  const worth = (/** @type {Move} */ move) => WORTHS.indexOf(worthOf(view, card, move));
  const buried = (/** @type {Move} */ move) => columnOf(view, move.target)?.down ?? 0;
  return moves.sort((one, other) => worth(one) - worth(other) || buried(one) - buried(other));
}

/**
 * The move of the next tap on a card that was tapped before.
 * @param {View} view
 * @param {string} card
 * @param {string[]} piles where it has been by these taps, the first being where it came from
 * @returns {Move | null} to where it has not been; else back to the first pile; else to any other
 */
export function nextChoice(view, card, piles) {
  const choices = choicesOf(view, card);
  const fresh = choices.find((move) => !piles.includes(move.target));
  return fresh ?? choices.find((move) => move.target === piles[0]) ?? choices[0] ?? null;
}

/** @param {View} view @param {string} card @param {Move} move */
function worthOf(view, card, move) {
  if (move.target[0] === "F") return isSafe(view, card) ? "safe-up" : "up";
  const place = isEmpty(view, move.target) ? "to-empty" : "onto-card";
  return frees(view, card) ? `freeing-${place}` : place;
}

/** Whether a card's leaving brings a face-down card, an empty column or the next card of the waste. @param {View} view @param {string} card */
function frees(view, card) {
  const place = placeOf(view, card);
  return place !== null && (place.pile === "W" || (place.pile[0] === "T" && place.index === 0));
}

/** Whether a column would only change places with an empty one. @param {View} view @param {Move} move */
function changesNothing(view, move) {
  const from = columnOf(view, move.source);
  return from !== null && from.down === 0 && from.up.length === move.count && isEmpty(view, move.target);
}

/** @param {View} view @param {string} pile */
const columnOf = (view, pile) => (pile[0] === "T" ? view.columns[Number(pile.slice(1)) - 1] : null);

/** @param {View} view @param {string} pile */
const isEmpty = (view, pile) => pile[0] === "T" && cardsOf(view, pile).length === 0 && !columnOf(view, pile)?.down;
