// @ts-check
/**
 * What may be moved on a table that the server has not confirmed yet. On a confirmed one the list that came with its view
 * counts, and a test holds this to it. What will be turned up is not known: nothing is moved from there or onto it.
 */

import { cardsOf } from "./moves.js";

/** @typedef {import("./types.js").View} View */

export const RANKS = "A23456789TJQK";
const SUITS = "CDHS";
const KING = 13;

/** @param {string} card */
export const rank = (card) => RANKS.indexOf(card[0]) + 1;

/** @param {string} card */
export const isRed = (card) => "DH".includes(card[1]);

/** Whether a card may lie on another one of a column. @param {string} upper @param {string} lower */
const buildsDown = (upper, lower) => rank(upper) === rank(lower) - 1 && isRed(upper) !== isRed(lower);

/** Every legal move that is known to be one, as the server lists them. @param {View} view @returns {string[]} */
export function legalMoves(view) {
  return [...upwards(view), ...toColumns(view), ...turns(view)];
}

/** The uppermost card of a pile, if it can be seen. @param {View} view @param {string} pile @returns {string | undefined} */
const topOf = (view, pile) => (pile === "W" && view.unseen ? undefined : cardsOf(view, pile).at(-1));

/** @param {View} view */
const columnsOf = (view) => view.columns.map((_, index) => `T${index + 1}`);

/** @param {View} view @returns {string[]} */
function upwards(view) {
  return ["W", ...columnsOf(view)].flatMap((source) => {
    const card = topOf(view, source);
    if (!card) return [];
    const fits = view.foundations.map((pile, index) => SUITS[index % 4] === card[1] && pile.length + 1 === rank(card));
    return fits.flatMap((fit, index) => (fit ? [`${source}>F${index + 1}`] : []));
  });
}

/** @param {View} view @returns {string[]} */
function toColumns(view) {
  const columns = columnsOf(view);
  // What two build on together stays there.
  const back = view.duel?.shared ? [] : view.foundations.map((_, index) => `F${index + 1}`);
  return ["W", ...columns, ...back].flatMap((source) => {
    const cards = topOf(view, source) ? cardsOf(view, source) : [];
    const most = source[0] === "T" ? runLength(cards) : Math.min(1, cards.length);
    return Array.from({ length: most }, (_, index) => index + 1).flatMap((count) => {
      const places = columns.filter((target) => target !== source && takes(view, target, cards[cards.length - count]));
      return places.map((target) => `${source}>${target}${count > 1 ? `*${count}` : ""}`);
    });
  });
}

/** How many cards at the top of a column are a run. @param {string[]} cards */
function runLength(cards) {
  let length = Math.min(1, cards.length);
  while (length < cards.length && buildsDown(cards[cards.length - length], cards[cards.length - length - 1])) length += 1;
  return length;
}

/** @param {View} view @param {string} column @param {string} card the lowest of those that move */
function takes(view, column, card) {
  const { down, up } = view.columns[Number(column.slice(1)) - 1];
  const top = up.at(-1);
  return top ? buildsDown(card, top) : down === 0 && rank(card) === KING;
}

/** @param {View} view @returns {string[]} */
function turns(view) {
  if (view.stock > 0) return ["draw"];
  const left = view.passes === null || view.pass_number < view.passes;
  return left && view.waste.length + (view.unseen ?? 0) > 0 ? ["recycle"] : [];
}
