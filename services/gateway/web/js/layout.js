// @ts-check
/** Where everything lies, from the size of the table and the view alone. Pixels from the table's top left corner. */

import { cardsOf } from "./moves.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {{width: number, height: number}} Size */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */
/**
 * @typedef {object} Spot a card's place
 * @property {string} key the same for the same card as long as it is seen
 * @property {string | null} card null for a face-down card
 * @property {string} pile
 * @property {number} index among the face-up cards of its pile, or the face-down ones
 * @property {number} x
 * @property {number} y
 * @property {number} z
 */
/** @typedef {{up: number, down: number}} Steps how much of a covered card stays visible, in pixels */
/** @typedef {{card: Size, large: boolean, steps: Steps, slots: Map<string, Box>, zones: Map<string, Box>, spots: Spot[]}} Layout */

const PROPORTION = 1.4;
const CARD_WIDTH_MAX = 168;
/** Below this width of a card the pips would be dust: the faces with the large index are shown. */
const LARGE_INDEX_BELOW = 70;
/** How much of a covered card stays visible, in heights of a card. */
const STEP_UP = 0.272;
const STEP_UP_LARGE = 0.42;
const STEP_DOWN = 0.12;
/** On a tall phone columns are drawn out by so much more, from a room below of so many heights of a card on. */
const ROOMY = { from: 4.5, to: 8, up: 0.1, down: 0.09 };
const WASTE_STEP = 0.27;
const WASTE_FAN_MAX = 3;
/** The table's height in heights of a card, at least: the top row, and a column of some length. */
const ROWS = 3.6;
const STOCK_LAYERS_MAX = 4;

/**
 * @param {View} view
 * @param {Size} size
 * @param {{large: boolean, leftHanded: boolean}} options
 * @returns {Layout}
 */
export function layOut(view, size, options) {
  const frame = frameOf(view, size);
  const large = options.large || frame.card.width < LARGE_INDEX_BELOW;
  const slots = slotsOf(view, frame, options.leftHanded);
  const steps = stepsOf(frame, size, large);
  const spots = [...stockSpots(view, slots), ...wasteSpots(view, slots, frame, options.leftHanded)];
  for (let index = 0; index < view.foundations.length; index++) spots.push(...pileSpots(view, `F${index + 1}`, slots));
  /** @type {Map<string, Box>} */
  const zones = new Map(slots);
  view.columns.forEach((_, index) => {
    const pile = `T${index + 1}`;
    spots.push(...columnSpots(view, pile, /** @type {Box} */ (slots.get(pile)), size, steps));
    const slot = /** @type {Box} */ (slots.get(pile));
    zones.set(pile, { ...slot, height: size.height - slot.y });
  });
  return { card: frame.card, large, steps, slots, zones, spots };
}

/** Whether the foundations leave no place for stock and waste beside them. @param {View} view */
const crowded = (view) => view.foundations.length + (view.draws_to === "waste" ? 2 : 1) > view.columns.length;

/** Cards beside each other. @param {View} view */
const placesOf = (view) => (crowded(view) ? Math.max(view.columns.length + 1, view.foundations.length) : view.columns.length);

/**
 * The size of cards and gaps.
 * @param {View} view
 * @param {Size} size
 */
function frameOf(view, size) {
  const columns = placesOf(view);
  const gapShare = size.width < 600 ? 0.09 : 0.17;
  const margin = size.width < 600 ? 6 : 16;
  const byWidth = (size.width - 2 * margin) / (columns + (columns - 1) * gapShare);
  const byHeight = size.height / ROWS / PROPORTION;
  const width = Math.max(24, Math.floor(Math.min(byWidth, byHeight, CARD_WIDTH_MAX)));
  const gap = Math.floor(Math.min(width * 0.28, Math.max(width * gapShare, (size.width - 2 * margin - columns * width) / (columns + 1))));
  const total = columns * width + (columns - 1) * gap;
  return {
    card: { width, height: Math.round(width * PROPORTION) },
    step: width + gap,
    left: Math.round((size.width - total) / 2),
    top: size.width < 600 ? 8 : Math.round(Math.max(8, Math.min(20, size.height * 0.025))),
    columns,
  };
}

/** @typedef {ReturnType<typeof frameOf>} FrameOfTable */

/** The same for all columns and all game long, where they have the room. @param {FrameOfTable} frame @param {Size} size @param {boolean} large @returns {Steps} */
function stepsOf({ card, top }, size, large) {
  const room = (size.height - top) / card.height - 1;
  const share = Math.min(1, Math.max(0, (room - ROOMY.from) / (ROOMY.to - ROOMY.from)));
  return {
    up: card.height * ((large ? STEP_UP_LARGE : STEP_UP) + share * ROOMY.up),
    down: card.height * (STEP_DOWN + share * ROOMY.down),
  };
}

/** @param {View} view @param {FrameOfTable} frame @param {boolean} leftHanded @returns {Map<string, Box>} */
function slotsOf(view, frame, leftHanded) {
  const { card, step, left, top, columns } = frame;
  /** @type {(place: number, y: number) => Box} */
  const box = (place, y) => ({ x: left + place * step, y, ...card });
  const row = card.height + Math.round(card.height * 0.16);
  const below = top + row;
  const aside = crowded(view);
  // Stock and waste lie beside the foundations, or one below the other beside the columns.
  const upper = (/** @type {number} */ place) => box(leftHanded ? columns - 1 - place : place, top);
  const beside = (/** @type {number} */ place) => box(leftHanded ? 0 : columns - 1, below + place * row);
  const slots = new Map([["S", aside ? beside(0) : upper(0)]]);
  if (view.draws_to === "waste") slots.set("W", aside ? beside(1) : upper(1));
  const firstFoundation = leftHanded ? 0 : columns - view.foundations.length;
  view.foundations.forEach((_, index) => slots.set(`F${index + 1}`, box(firstFoundation + index, top)));
  const firstColumn = aside && leftHanded ? 1 : 0;
  view.columns.forEach((_, index) => slots.set(`T${index + 1}`, box(firstColumn + index, below)));
  return slots;
}

/** @param {View} view @param {Map<string, Box>} slots @returns {Spot[]} */
function stockSpots(view, slots) {
  const { x, y } = /** @type {Box} */ (slots.get("S"));
  const layers = Math.min(STOCK_LAYERS_MAX, Math.ceil(view.stock / 6));
  return Array.from({ length: layers }, (_, index) => ({
    key: `S.${index}`, card: null, pile: "S", index, x: x - Math.round(index * 1.5), y: y - Math.round(index * 1.5), z: index,
  }));
}

/**
 * The newest cards of the waste lie fanned, as many as a draw turns; the playable one is the uncovered one.
 * @param {View} view
 * @param {Map<string, Box>} slots
 * @param {FrameOfTable} frame
 * @param {boolean} leftHanded
 * @returns {Spot[]}
 */
function wasteSpots(view, slots, frame, leftHanded) {
  const cards = [...view.waste, ...Array.from({ length: view.unseen ?? 0 }, () => null)];
  if (!cards.length) return [];
  const { x, y } = /** @type {Box} */ (slots.get("W"));
  const fanned = Math.min(view.draw, WASTE_FAN_MAX, cards.length);
  const step = frame.card.width * WASTE_STEP * (leftHanded ? -1 : 1);
  return cards.map((card, index) => {
    const place = Math.max(0, index - (cards.length - fanned));
    return { key: card ?? `W.${index}`, card, pile: "W", index, x: x + Math.round(place * step), y, z: index };
  });
}

/** @param {View} view @param {string} pile @param {Map<string, Box>} slots @returns {Spot[]} */
function pileSpots(view, pile, slots) {
  const { x, y } = /** @type {Box} */ (slots.get(pile));
  return cardsOf(view, pile).map((card, index) => ({ key: card, card, pile, index, x, y, z: index }));
}

/** @param {View} view @param {string} pile @param {Box} slot @param {Size} size @param {Steps} steps @returns {Spot[]} */
function columnSpots(view, pile, slot, size, steps) {
  const { down, up } = view.columns[Number(pile.slice(1)) - 1];
  const space = size.height - slot.y - slot.height - 6;
  const needed = down * steps.down + Math.max(0, up.length - 1) * steps.up;
  const squeeze = needed > space ? space / needed : 1;
  /** @type {Spot[]} */
  const spots = [];
  for (let index = 0; index < down; index++) {
    const y = slot.y + Math.round(index * steps.down * squeeze);
    spots.push({ key: `${pile}.${index}`, card: null, pile, index, x: slot.x, y, z: index });
  }
  up.forEach((card, index) => {
    const y = slot.y + Math.round((down * steps.down + index * steps.up) * squeeze);
    spots.push({ key: card, card, pile, index, x: slot.x, y, z: down + index });
  });
  return spots;
}

/** @param {Box} box @param {number} x @param {number} y */
export function contains(box, x, y) {
  return x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
}

/** @param {Box} one @param {Box} other @returns {number} square pixels that both cover */
export function shared(one, other) {
  const across = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const along = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return across > 0 && along > 0 ? across * along : 0;
}

/**
 * What lies at a point when everything has come to rest: the uppermost card, or an empty place.
 * @param {Layout} layout
 * @param {number} x
 * @param {number} y
 * @returns {{pile: string, card: string | null} | null}
 */
export function lookUp(layout, x, y) {
  const under = layout.spots.filter((spot) => contains({ ...spot, ...layout.card }, x, y));
  const top = under.reduce((best, spot) => (best && best.z > spot.z ? best : spot), /** @type {Spot | null} */ (null));
  if (top) return { pile: top.pile, card: top.card };
  for (const [pile, box] of layout.slots) if (contains(box, x, y)) return { pile, card: null };
  return null;
}

/**
 * The pile that a dragged card means: of those that it lies over, the one that it covers most, legal ones first.
 * @param {Layout} layout
 * @param {{x: number, y: number}} corner of the lowest dragged card
 * @param {Set<string>} legal
 * @returns {string | null}
 */
export function dropTarget(layout, corner, legal) {
  const { width, height } = layout.card;
  let best = { pile: /** @type {string | null} */ (null), worth: 0 };
  for (const [pile, zone] of layout.zones) {
    if (pile === "S" || pile === "W") continue;
    const share = shared({ ...corner, width, height }, zone) / (width * height);
    const worth = share + (legal.has(pile) ? 1 : 0);
    if (share > (legal.has(pile) ? 0.08 : 0.35) && worth > best.worth) best = { pile, worth };
  }
  return best.pile;
}
