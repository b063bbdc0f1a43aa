// @ts-check
/**
 * What the player's wishes will most likely come to, so that it is drawn at once: pure, from what everybody at the table
 * can see. What a move will turn up, and what a draw will bring, is shown by its back until the server tells.
 */

import { cardsOf } from "./moves.js";
import { legalMoves } from "./rules.js";
import { commandOf } from "./wishes.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./wishes.js").Command} Command */

/**
 * The table after all of some wishes, as far as their outcome is known; the very same view if nothing is.
 * @param {View} view
 * @param {import("./wishes.js").Wish[]} wishes
 * @returns {View}
 */
export function foreseeAll(view, wishes) {
  let reached = view;
  for (const wish of wishes) {
    const command = commandOf(reached, wish);
    const next = command && foresee(reached, command);
    if (!next) break;
    reached = next;
  }
  return reached;
}

/** The table after a legal command. Null when its outcome is not known. @param {View} view @param {Command} command @returns {View | null} */
export function foresee(view, command) {
  const after = outcome(view, command);
  return after && { ...after, legal: legalMoves(after) };
}

/** @param {View} view @param {Command} command @returns {View | null} */
function outcome(view, command) {
  if (command.type === "move") return afterMove(view, command);
  if (!view.legal.includes(command.type) || view.draws_to !== "waste") return null;
  const [stock, unseen] = [view.stock, view.unseen ?? 0];
  if (command.type === "draw") return { ...view, stock: Math.max(0, stock - view.draw), unseen: unseen + Math.min(view.draw, stock) };
  if (command.type !== "recycle") return null;
  return { ...view, stock: view.waste.length + unseen, waste: [], unseen: 0, pass_number: view.pass_number + 1 };
}

/** @param {View} view @param {Command} command @returns {View | null} */
function afterMove(view, { source = "", target = "", count = 1 }) {
  if (!view.legal.includes(`${source}>${target}${count > 1 ? `*${count}` : ""}`)) return null;
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
  };
}
