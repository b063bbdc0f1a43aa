// @ts-check
/** Where a message lies: not on the cards that it is about, and on as few as can be that may be played. Pure. */

import { shared } from "./layout.js";

/** @typedef {import("./layout.js").Box} Box */
/** @typedef {import("./layout.js").Size} Size */
/** @typedef {{box: Box, worth: number}} Needed what is not to be covered, and how much worse that is than to cover just any card */

/** Places that are tried along each side. */
const STEPS = 12;
const MARGIN = 6;
/** As bad as to cover a square pixel of a card: to lie so much further from where messages usually are, in pixels. */
const AWAY = 4;

/** How bad it is to cover a place. @param {Box} box @param {Needed[]} needed */
export const harm = (box, needed) => needed.reduce((sum, one) => sum + one.worth * shared(box, one.box), 0);

/**
 * The best place of a message of one of some sizes.
 * @param {Box} usual where it lies when nothing is in the way
 * @param {Size[]} sizes it can have
 * @param {Size} area
 * @param {Needed[]} needed
 * @returns {Box}
 */
export function placeOfMessage(usual, sizes, area, needed) {
  const middle = middleOf(usual);
  const cost = (/** @type {Box} */ box) => harm(box, needed) + Math.hypot(middleOf(box).x - middle.x, middleOf(box).y - middle.y) / AWAY;
  const places = [usual, ...sizes.flatMap((size) => placesFor(size, area))];
  return places.map((box) => ({ box, cost: cost(box) })).reduce((best, one) => (one.cost < best.cost ? one : best)).box;
}

/** @param {Box} box */
const middleOf = ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 });

/** @param {Size} size @param {Size} area @returns {Box[]} */
function placesFor(size, area) {
  const room = { x: area.width - size.width - 2 * MARGIN, y: area.height - size.height - 2 * MARGIN };
  if (room.x < 0 || room.y < 0) return [];
  const steps = Array.from({ length: STEPS + 1 }, (_, step) => step / STEPS);
  return steps.flatMap((right) => steps.map((down) => ({ x: Math.round(MARGIN + room.x * right), y: Math.round(MARGIN + room.y * down), ...size })));
}

/**
 * The cards and empty places of a table, with what each is worth. All of the stock is one place.
 * @param {import("./layout.js").Layout} layout
 * @param {(pile: string, card: string | null, index: number) => number} worthOf
 * @returns {Needed[]}
 */
export function neededOf({ spots, slots, card }, worthOf) {
  const laid = spots.filter(({ pile }) => pile !== "S");
  const filled = new Set(laid.map(({ pile }) => pile));
  const cards = laid.map((spot) => ({ box: { x: spot.x, y: spot.y, ...card }, worth: worthOf(spot.pile, spot.card, spot.index) }));
  const places = [...slots].filter(([pile]) => !filled.has(pile)).map(([pile, box]) => ({ box, worth: worthOf(pile, null, 0) }));
  return [...cards, ...places];
}
