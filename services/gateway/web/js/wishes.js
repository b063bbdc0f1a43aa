// @ts-check
/** What the player wants, and the command that it comes to on a table. Pure. */

import { cardsOf, countFrom, foundationMove, placeOf } from "./moves.js";
import { choicesOf } from "./taps.js";

/** @typedef {import("./types.js").View} View */
/**
 * @typedef {{kind: "draw" | "undo" | "redo" | "chances" | "resign" | "pause" | "continue" | "claim"}
 *   | {kind: "hint", strength: string}
 *   | {kind: "tap" | "up", card: string, automatic?: "begins" | "follows"}
 *   | {kind: "drop", card: string, pile: string}} Wish
 */
/** @typedef {{type: string, source?: string, target?: string, count?: number, strength?: string}} Command */

/** The command that a wish comes to on this table; null when it has lost its object. @param {View} view @param {Wish} wish @returns {Command | null} */
export function commandOf(view, wish) {
  switch (wish.kind) {
    case "draw":
      return { type: view.stock === 0 && view.waste.length > 0 ? "recycle" : "draw" };
    case "tap":
      return toMove(choicesOf(view, wish.card)[0]);
    case "up":
      return toMove(foundationMove(view, wish.card));
    case "drop":
      return dropped(view, wish.card, wish.pile);
    case "hint":
      return { type: "hint", strength: wish.strength };
    default:
      return { type: wish.kind };
  }
}

/** @param {import("./moves.js").Move | null | undefined} move @returns {Command | null} */
function toMove(move) {
  return move ? { type: "move", source: move.source, target: move.target, count: move.count } : null;
}

/**
 * An illegal drop is a command as well: the server's refusal says which rule it breaks.
 * @param {View} view
 * @param {string} card
 * @param {string} pile
 * @returns {Command | null}
 */
function dropped(view, card, pile) {
  const place = placeOf(view, card);
  if (!place || place.pile === pile) return null;
  const covered = place.pile === "W" && (view.unseen || place.index < cardsOf(view, "W").length - 1);
  return covered ? null : { type: "move", source: place.pile, target: pile, count: countFrom(view, place) };
}
