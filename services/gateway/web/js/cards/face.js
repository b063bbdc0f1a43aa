// @ts-check
/** The face of a card as SVG, of as few elements as can be: a browser styles all of them whenever a dialog opens. */

import { svg } from "../svg.js";
import { figure } from "./court.js";
import { turned } from "./outline.js";
import { PIPS, SUITS, glyph, sign } from "./shapes.js";

/** How large the suit signs of number cards are. */
const PIP = 21;

/** Faces that were drawn. @type {Map<string, SVGElement>} */
const drawn = new Map();

/** The face of a card, in the colours of the deck that is chosen. @param {string} card such as "QH" @param {boolean} large whether its signs are @returns {SVGElement} */
export function cardFace(card, large) {
  const key = `${card} ${large} ${document.documentElement.dataset.colours}`;
  const face = drawn.get(key) ?? draw(card, large);
  drawn.set(key, face);
  return /** @type {SVGElement} */ (face.cloneNode(true));
}

/** 100 x 140. @param {string} card @param {boolean} large */
function draw([rank, suit], large) {
  const shown = { class: `face suit-${suit}`, viewBox: "0 0 100 140", "aria-hidden": "true", focusable: "false" };
  return svg("svg", shown, ...(large ? largeSigns(rank, suit) : regular(rank, suit)));
}

/** A single suit sign, for piles and text. @param {string} suit */
export function suitIcon(suit) {
  return svg("svg", { class: `suit suit-${suit}`, viewBox: "0 0 100 100", "aria-hidden": "true" }, svg("path", { d: SUITS[suit] }));
}

/** @type {(rank: string, suit: string) => SVGElement[]} */
const largeSigns = (rank, suit) => [glyphs(glyph(rank, 5.13, 7, 37.74)), signs(sign(suit, 54, 10, 38), sign(suit, 20, 66, 60))];

/** @type {(rank: string, suit: string) => SVGElement[]} */
function regular(rank, suit) {
  const corner = glyph(rank, 4, 4.56, 15);
  const corners = glyphs(corner, turned(corner));
  const small = sign(suit, 5, 23.5, 13);
  const ends = [small, turned(small)];
  if ("JQK".includes(rank)) return [corners, signs(...ends), ...figure(rank, suit)];
  return [corners, signs(...ends, ...pips(rank, suit))];
}

/** @type {(rank: string, suit: string) => string[]} */
function pips(rank, suit) {
  if (rank === "A") return [sign(suit, 24, 44, 52)];
  return PIPS[rank].map(([x, y, upsideDown]) => {
    const size = upsideDown ? -PIP : PIP;
    return sign(suit, x - size / 2, y - size / 2, size);
  });
}

/** @type {(...outlines: string[]) => SVGElement} */
const signs = (...outlines) => svg("path", { d: outlines.join("") });

/** @type {(...outlines: string[]) => SVGElement} */
const glyphs = (...outlines) => svg("path", { class: "glyph", d: outlines.join("") });
