// @ts-check
/** Who sees a game for two from where. */

/** @typedef {import("../types.js").View} View */

/** Whether the game is one that others play. @param {View} view */
export const isWatched = (view) => view.duel?.seat === null;

/** Whether the player may move: not who watches, nor who has resigned. @param {View} view */
export const mayMove = (view) => view.status === "running" && (!view.duel || (view.duel.seat !== null && view.duel.status === "running"));

/** Whether the game is over for good. @param {View} view */
export const isOver = (view) => view.status !== "running" && view.status !== "waiting";

/** Whether what happened was done by the other player, or by one of those who are watched. @param {View} view @param {number} [seat] */
export const byOther = (view, seat) => view.duel !== undefined && seat !== undefined && seat !== view.duel.seat;

/**
 * The other side as a view of its own. Shared foundations are shown once, on the own side.
 * @param {View} view
 * @returns {View | null}
 */
export function otherSide(view) {
  const other = view.duel?.opponent;
  if (!other) return null;
  const { columns, stock, waste, pass_number } = other;
  return { ...view, columns, stock, waste, pass_number, foundations: view.duel?.shared ? [] : other.foundations, legal: [], duel: undefined };
}
