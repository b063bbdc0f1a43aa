// @ts-check
/** Cards that go up by themselves. docs/table.md states what is safe, and why it is. Pure. */

import { cardsOf, foundationMove, onlyUpIsLeft } from "./moves.js";
import { isRed, rank } from "./rules.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {"off" | "safe" | "always"} Manner */

/** Where a card of the waste is worth more by way of a column than at once. */
const BETTER_BY_COLUMN = ["traditional"];

/**
 * Whether a card that can go up will never be missed below: what could lie on it can go up itself, and so can what could
 * lie on that; where ways are worth points, nothing can lie on it any more.
 * @param {View} view
 * @param {string} card
 */
export function isSafe(view, card) {
  const byColumn = BETTER_BY_COLUMN.includes(view.scoring);
  if (view.duel?.shared || (view.waste.includes(card) && (view.draw !== 1 || byColumn))) return false;
  return view.foundations.every((pile, index) => {
    const red = index % 4 === 1 || index % 4 === 2; // clubs, diamonds, hearts, spades
    const behind = red === isRed(card) ? 3 : byColumn ? 1 : 2;
    return pile.length >= rank(card) - behind;
  });
}

/**
 * The card that goes up by itself next: the lowest one, of several the first from the left, the waste last.
 * @param {View} view
 * @param {Manner} manner
 * @param {Set<string>} held cards that the player has just taken down
 * @returns {string | null}
 */
export function nextAutomatic(view, manner, held) {
  if (manner === "off" || view.status !== "running" || view.duel) return null;
  const all = manner === "always" || onlyUpIsLeft(view);
  const tops = [...view.columns.map((column) => column.up.at(-1)), cardsOf(view, "W").at(-1)];
  const ready = tops.flatMap((card) => (card && !held.has(card) && foundationMove(view, card) ? [card] : []));
  const free = ready.filter((card) => all || isSafe(view, card));
  return free.sort((one, other) => rank(one) - rank(other))[0] ?? null;
}

/**
 * What is held after a change: a card that came off a foundation stays where it is until it lies on one again.
 * @param {View | null} before
 * @param {View} view
 * @param {Set<string>} held
 * @returns {Set<string>}
 */
export function stillHeld(before, view, held) {
  if (before?.game !== view.game) return new Set();
  const up = new Set(view.foundations.flat());
  const down = before.foundations.flat().filter((card) => !up.has(card));
  return new Set([...held, ...down].filter((card) => !up.has(card)));
}
