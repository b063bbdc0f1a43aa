// @ts-check
/** The face of a card as SVG: made from symbols that stand in the page once. */

import { figure } from "./court.js";
import { PIPS, RANKS, SUITS } from "./shapes.js";

/** How large the suit signs of number cards are. */
const PIP = 21;
const SVG = "http://www.w3.org/2000/svg";

/**
 * An SVG element with attributes.
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {...SVGElement} children
 * @returns {SVGElement}
 */
export function svg(name, attributes, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, name));
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** Put the symbols of suits and ranks into the page. Once, before the first card. */
export function defineSymbols() {
  const suits = Object.entries(SUITS).map(([suit, d]) =>
    svg("symbol", { id: `suit-${suit}`, viewBox: "0 0 100 100" }, svg("path", { d })),
  );
  const ranks = Object.entries(RANKS).map(([rank, d]) =>
    svg("symbol", { id: `rank-${rank}`, viewBox: "-3 -1 26 31" }, svg("path", { d, class: "glyph" })),
  );
  document.body.prepend(svg("svg", { class: "symbols", "aria-hidden": "true" }, ...suits, ...ranks));
}

/**
 * The face of a card, 100 x 140. Both the regular and the large-index drawing are in it; the style sheet shows one.
 * @param {string} card such as "QH"
 */
export function cardFace(card) {
  const [rank, suit] = card;
  return svg(
    "svg",
    { class: `face suit-${suit}`, viewBox: "0 0 100 140", "aria-hidden": "true", focusable: "false" },
    svg("g", { class: "regular" }, ...corners(rank, suit), ...middle(rank, suit)),
    svg("g", { class: "large" }, ...largeIndex(rank, suit)),
  );
}

/** A single suit symbol, for piles and text. @param {string} suit */
export function suitIcon(suit) {
  return svg("svg", { class: `suit suit-${suit}`, viewBox: "0 0 100 100", "aria-hidden": "true" }, use(`suit-${suit}`, 0, 0, 100));
}

/** @type {(id: string, x: number, y: number, width: number, height?: number) => SVGElement} */
const use = (id, x, y, width, height = width) => svg("use", { href: `#${id}`, x, y, width, height });

/** @type {(x: number, y: number) => string} */
const turned = (x, y) => `rotate(180 ${x} ${y})`;

/** @type {(rank: string, suit: string) => SVGElement[]} */
function corners(rank, suit) {
  const corner = () => [use(`rank-${rank}`, 4, 4.5, 15, 18), use(`suit-${suit}`, 5, 23.5, 13)];
  return [svg("g", {}, ...corner()), svg("g", { transform: turned(50, 70) }, ...corner())];
}

/** @type {(rank: string, suit: string) => SVGElement[]} */
function middle(rank, suit) {
  if (rank === "A") return [use(`suit-${suit}`, 24, 44, 52)];
  if ("JQK".includes(rank)) return [figure(rank, suit)];
  return PIPS[rank].map(([x, y, upsideDown]) => {
    const pip = use(`suit-${suit}`, x - PIP / 2, y - PIP / 2, PIP);
    if (upsideDown) pip.setAttribute("transform", turned(x, y));
    return pip;
  });
}

/** @type {(rank: string, suit: string) => SVGElement[]} */
function largeIndex(rank, suit) {
  return [use(`rank-${rank}`, 5, 7, 38, 45), use(`suit-${suit}`, 54, 10, 38), use(`suit-${suit}`, 20, 66, 60)];
}
