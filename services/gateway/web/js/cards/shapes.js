// @ts-check
/** The outlines that card faces are made of, drawn for this page: suits in a box of 100, rank glyphs as strokes. */

import { placed } from "./outline.js";

const BOX = 100;
/** The box of a rank's strokes, and the room around them for their ends. */
const GLYPH = { left: 3, top: 1, width: 26 };

/** @type {Record<string, string>} suit letter -> outline in a box of 100 x 100 */
export const SUITS = {
  H: "M50 93C20 67 5 51 5 31 5 17 16 8 28 8c10 0 18 5 22 14C54 13 62 8 72 8c12 0 23 9 23 23 0 20-15 36-45 62Z",
  D: "M50 3Q65 29 88 50 65 71 50 97 35 71 12 50 35 29 50 3Z",
  S: "M50 5c8 20 43 37 43 60 0 12-9 20-20 20-8 0-14-4-18-11 1 11 5 17 12 22H33c7-5 11-11 12-22-4 7-10 11-18 11C16 85 7 77 7 65 7 42 42 25 50 5Z",
  C: "M50 5a20 20 0 0 1 16 32 7 7 0 0 0 5 4 21 21 0 1 1-17 32c1 11 5 18 13 23H33c8-5 12-12 13-23a21 21 0 1 1-17-32 7 7 0 0 0 5-4A20 20 0 0 1 50 5Z",
};

/** @type {Record<string, string>} rank letter -> strokes in a box of 20 x 28 */
const RANKS = {
  A: "M2 26 10 2l8 24M4.8 18h10.4",
  2: "M3 8.6C3 4.6 6 2 10 2c4.5 0 7 2.6 7 6.3C17 15 3 18.5 3 26h14.5",
  3: "M3 6c1.5-2.5 4-4 7-4 4 0 6.5 2.3 6.5 5.6 0 3.4-2.5 5.7-7.5 5.7 5.5 0 8.3 2.5 8.3 6.3 0 4-3.1 6.4-7.3 6.4-3.4 0-6-1.4-7.4-4.4",
  4: "M14 26V2L2.5 18.8H18.5",
  5: "M16.5 2h-11L4 12.6c1.6-1.4 3.6-2.1 5.8-2.1 4.5 0 7.5 3.1 7.5 7.5 0 4.7-3.1 8-7.7 8-3.2 0-5.6-1.4-7-4",
  6: "M15.8 4.6C14.4 2.9 12.6 2 10.4 2 5.6 2 3 6.6 3 15c0 7.4 2.8 11 7.2 11 4.3 0 7.1-3.2 7.1-7.4s-2.8-7.2-6.8-7.2c-4 0-7.1 3-7.4 6.6",
  7: "M2.5 2h15C12 9 9 17 8.2 26",
  8: "M10 13C6.3 13 3.9 10.7 3.9 7.6 3.9 4.3 6.4 2 10 2s6.1 2.3 6.1 5.6C16.1 10.7 13.7 13 10 13c-4.3 0-7.2 2.7-7.2 6.4C2.8 23.3 5.7 26 10 26s7.2-2.7 7.2-6.6C17.2 15.7 14.3 13 10 13Z",
  9: "M4.2 23.4C5.6 25.1 7.4 26 9.6 26 14.4 26 17 21.4 17 13 17 5.6 14.2 2 9.8 2 5.5 2 2.7 5.2 2.7 9.4s2.8 7.2 6.8 7.2c4 0 7.1-3 7.4-6.6",
  T: "M0 7 4.5 2.5V26M14.5 2c3.6 0 5.5 4.5 5.5 12s-1.9 12-5.5 12S9 21.5 9 14 10.9 2 14.5 2Z",
  J: "M9 2h9M14.5 2v17c0 4.6-2.5 7-6 7-3.5 0-5.7-2.2-6-5.6",
  Q: "M10 2c5 0 8 4.7 8 12s-3 12-8 12-8-4.7-8-12S5 2 10 2ZM11.5 19.5l6.5 8",
  K: "M4 2v24M17 2 4 16M8.6 11.4 18 26",
};

/** A suit's sign, so wide, in the box whose corner is at x and y. @type {(suit: string, x: number, y: number, width: number) => string} */
export const sign = (suit, x, y, width) => placed(SUITS[suit], { x, y, scale: width / BOX });

/** A rank's strokes, so wide with the room for their ends. @type {(rank: string, x: number, y: number, width: number) => string} */
export function glyph(rank, x, y, width) {
  const scale = width / GLYPH.width;
  return placed(RANKS[rank], { x: x + GLYPH.left * scale, y: y + GLYPH.top * scale, scale });
}

/**
 * Where the suit's pips of a number card lie on a card of 100 x 140: x, y, turned round.
 * @type {Record<string, [number, number, boolean][]>}
 */
export const PIPS = (() => {
  const [left, middle, right] = [34.5, 50, 65.5];
  /** @type {(y: number, turned?: boolean) => [number, number, boolean][]} */
  const pair = (y, turned = false) => [
    [left, y, turned],
    [right, y, turned],
  ];
  /** @type {(y: number, turned?: boolean) => [number, number, boolean][]} */
  const single = (y, turned = false) => [[middle, y, turned]];
  return {
    2: [...single(28), ...single(112, true)],
    3: [...single(28), ...single(70), ...single(112, true)],
    4: [...pair(28), ...pair(112, true)],
    5: [...pair(28), ...single(70), ...pair(112, true)],
    6: [...pair(28), ...pair(70), ...pair(112, true)],
    7: [...pair(28), ...single(49), ...pair(70), ...pair(112, true)],
    8: [...pair(28), ...single(49), ...pair(70), ...single(91, true), ...pair(112, true)],
    9: [...pair(26), ...pair(55.5), ...single(70), ...pair(84.5, true), ...pair(114, true)],
    T: [...pair(26), ...single(41), ...pair(55.5), ...pair(84.5, true), ...single(99, true), ...pair(114, true)],
  };
})();
