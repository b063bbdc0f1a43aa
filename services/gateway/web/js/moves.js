// @ts-check
/**
 * Piles and moves as the server names them: `W>F2`, `T3>T5*4`, `draw`. The page knows no rules; what may be done is
 * the list that comes with every view, and here is only how to choose from it.
 */

/** @typedef {import("./types.js").View} View */
/** @typedef {{text: string, source: string, target: string, count: number}} Move */
/** @typedef {{pile: string, index: number}} Place index among the face-up cards of the pile */

/** @param {string} text @returns {Move | null} null for a draw or recycle */
export function parseMove(text) {
  const found = /^([A-Z]\d*)>([A-Z]\d*)(?:\*(\d+))?$/.exec(text);
  return found && { text, source: found[1], target: found[2], count: Number(found[3] ?? 1) };
}

/** The face-up cards of a pile, topmost last. @param {View} view @param {string} pile @returns {string[]} */
export function cardsOf(view, pile) {
  const index = Number(pile.slice(1)) - 1;
  if (pile === "W") return view.waste;
  if (pile[0] === "T") return view.columns[index]?.up ?? [];
  return view.foundations[index] ?? [];
}

/** The names of all piles that cards are moved between. @param {View} view */
export function pilesOf(view) {
  return ["W", ...view.foundations.map((_, index) => `F${index + 1}`), ...view.columns.map((_, index) => `T${index + 1}`)];
}

/** Where a face-up card lies. @param {View} view @param {string} card @returns {Place | null} */
export function placeOf(view, card) {
  for (const pile of pilesOf(view)) {
    const index = cardsOf(view, pile).indexOf(card);
    if (index >= 0) return { pile, index };
  }
  return null;
}

/** How many cards move when this one does: itself and all that lies on it. @param {View} view @param {Place} place */
export function countFrom(view, place) {
  return cardsOf(view, place.pile).length - place.index;
}

/** The legal moves of a card with all that lies on it. @param {View} view @param {string} card @returns {Move[]} */
export function movesOf(view, card) {
  const place = placeOf(view, card);
  if (!place) return [];
  const count = countFrom(view, place);
  return view.legal.flatMap((text) => {
    const move = parseMove(text);
    return move && move.source === place.pile && move.count === count ? [move] : [];
  });
}

/** Whether a column would only change places with an empty one. @param {View} view @param {Move} move */
function changesNothing(view, move) {
  if (move.source[0] !== "T" || move.target[0] !== "T") return false;
  const from = view.columns[Number(move.source.slice(1)) - 1];
  return from.down === 0 && from.up.length === move.count && isEmpty(view, move.target);
}

/** @param {View} view @param {string} pile */
function isEmpty(view, pile) {
  const column = pile[0] === "T" ? view.columns[Number(pile.slice(1)) - 1] : null;
  return cardsOf(view, pile).length === 0 && !column?.down;
}

/**
 * The move that a tap means: up if it goes, else onto another card, else into an empty column.
 * @param {View} view
 * @param {string} card
 * @returns {Move | null}
 */
export function bestMove(view, card) {
  const moves = movesOf(view, card).filter((move) => !changesNothing(view, move));
  const worth = (/** @type {Move} */ move) => (move.target[0] === "F" ? 2 : isEmpty(view, move.target) ? 0 : 1);
  return moves.reduce((best, move) => (best && worth(best) >= worth(move) ? best : move), /** @type {Move | null} */ (null));
}

/** The move of a card to a foundation. @param {View} view @param {string} card */
export function foundationMove(view, card) {
  return movesOf(view, card).find((move) => move.target[0] === "F") ?? null;
}

/** Whether only moving up is left: all cards face up, stock and waste used up. @param {View} view */
export function onlyUpIsLeft(view) {
  const open = view.columns.every((column) => column.down === 0) && view.stock === 0 && view.waste.length === 0;
  return view.status === "running" && open && nextUp(view) !== null;
}

/** The lowest card that can go up. @param {View} view @returns {string | null} */
export function nextUp(view) {
  const ranks = "A23456789TJQK";
  const tops = view.columns.flatMap((column) => column.up.slice(-1));
  const ready = tops.filter((card) => foundationMove(view, card));
  return ready.sort((one, other) => ranks.indexOf(one[0]) - ranks.indexOf(other[0]))[0] ?? null;
}
