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

/** How many cards of a pile lie face down. @param {View} view @param {string} pile */
export const downIn = (view, pile) => (pile[0] === "T" ? view.columns[Number(pile.slice(1)) - 1].down : 0);

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

/** The move of a card to a foundation. @param {View} view @param {string} card */
export function foundationMove(view, card) {
  return movesOf(view, card).find((move) => move.target[0] === "F") ?? null;
}

/** Whether only moving up is left: all cards face up, stock and waste used up. @param {View} view */
export function onlyUpIsLeft(view) {
  const open = view.columns.every((column) => column.down === 0) && view.stock === 0 && view.waste.length === 0;
  return view.status === "running" && open && !view.unseen && view.legal.some((text) => text.includes(">F"));
}
