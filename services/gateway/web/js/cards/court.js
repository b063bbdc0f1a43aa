// @ts-check
/** Jack, queen and king, drawn for this page: flat shapes, one half above, the same half turned round below. */

import { svg } from "../svg.js";
import { placed, turned } from "./outline.js";
import { sign } from "./shapes.js";

/**
 * The half figures lie in a box of 58 x 58 with the card's middle at the bottom. The letters say how a
 * part is painted: s the suit, t its second colour, f folds, g gold, y gold edges, e steel, b wood, v leaves, i ink, p skin,
 * w white, h hair, m mouths, l thin lines.
 * @type {Record<string, [string, string][]>}
 */
const PARTS = {
  K: [
    ["s", "M0 58V47C3 41 11 38 19 37H39C47 38 55 41 58 47V58Z"],
    ["f", "M13 58C13.5 52 16 47 19.5 44M45 58C44.5 52 42 47 38.5 44"],
    ["w", "M0 47C3 41 11 38 19 37L23 41C15 43 8.5 47 6.5 58H0ZM58 47C55 41 47 38 39 37L35 41C43 43 49.5 47 51.5 58H58Z"],
    ["i", "M3.4 49h1.6l-.8 3ZM8 44.2h1.6l-.8 3ZM14 40.4h1.6l-.8 3ZM1.4 54h1.6l-.8 3ZM42.4 40.4h1.6l-.8 3Z"],
    ["y", "M6.5 58C8.5 47 15 43 23 41M51.5 58C49.5 47 43 43 35 41"],
    ["g", "M24.6 41H33.4L31.8 58H26.2Z"],
    ["t", "M29 45.5L30.8 48.4L29 51.3L27.2 48.4ZM29 52.8L30.4 55.2L29 57.6L27.6 55.2Z"],
    ["h", "M17 21C16 30 16 36 19 39C21 35 21 28 21 24ZM41 21C42 30 42 36 39 39C37 35 37 28 37 24Z"],
    ["p", "M20 19H38V30C38 37 34 41 29 41S20 37 20 30Z"],
    ["h", "M20 29C21 31 24 32.5 26 31.5C27.5 30.5 30.5 30.5 32 31.5C34 32.5 37 31 38 29C39 38 35 47 29 48C23 47 19 38 20 29Z"],
    ["m", "M26.3 34.6Q29 36.6 31.7 34.6"],
    ["l", "M29 24V29.5H27.5M22.8 22.5Q24.5 21.2 26.3 22.5M31.7 22.5Q33.5 21.2 35.2 22.5"],
    ["i", "M23.6 24.5a1.2 1.2 0 1 0 2.4 0a1.2 1.2 0 1 0-2.4 0ZM32 24.5a1.2 1.2 0 1 0 2.4 0a1.2 1.2 0 1 0-2.4 0Z"],
    ["g", "M17 20L15 7L22 13L29 4L36 13L43 7L41 20Q29 16.5 17 20Z"],
    ["s", "M27.2 13.5L29 11L30.8 13.5L29 16ZM20 15.8a1.3 1.3 0 1 0 2.6 0a1.3 1.3 0 1 0-2.6 0ZM35.4 15.8a1.3 1.3 0 1 0 2.6 0a1.3 1.3 0 1 0-2.6 0Z"],
    ["g", "M13.3 6.8a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0-3.4 0ZM27.3 4a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0-3.4 0ZM41.3 6.8a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0-3.4 0Z"],
    ["g", "M50.1 58V22H51.9V58Z"],
    ["g", "M47.6 19.4a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0-6.8 0Z"],
    ["g", "M50.2 16.2V14H48.5V12.4H50.2V10.4H51.8V12.4H53.5V14H51.8V16.2Z"],
    ["p", "M47.4 45.6C47.4 43.6 49 43 51 43S54.6 43.6 54.6 45.6V48.6C54.6 50.2 53 51 51 51S47.4 50.2 47.4 48.6Z"],
    ["l", "M48 45.9H54M48 48.4H54"],
    ["g", "M46.6 50.6H55.4V53.4H46.6Z"],
  ],
  Q: [
    ["h", "M16 42C12 32 14 15 29 14C44 15 46 32 42 42Q37 46 29 46T16 42Z"],
    ["s", "M0 58V49C4 44 11 42 20 41H38C47 42 54 44 58 49V58Z"],
    ["t", "M0 49C4 44 11 42 20 41L25 58H0ZM58 49C54 44 47 42 38 41L33 58H58Z"],
    ["g", "M5 51.5L6.6 53.6L5 55.7L3.4 53.6ZM12 47L13.6 49.1L12 51.2L10.4 49.1ZM17.5 52L19.1 54.1L17.5 56.2L15.9 54.1ZM40.5 52L42.1 54.1L40.5 56.2L38.9 54.1Z"],
    ["y", "M19.6 41L24.6 58M38.4 41L33.4 58"],
    ["w", "M21 41Q29 53 37 41L40 43Q29 60 18 43Z"],
    ["g", "M27.2 53a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0-3.6 0Z"],
    ["p", "M25.5 36H32.5V43Q29 47.5 25.5 43Z"],
    ["p", "M21 24C21 18.5 24.5 17 29 17S37 18.5 37 24C37 33 33.5 39 29 39S21 33 21 24Z"],
    ["h", "M20.5 27C20 19 24 15.5 29 15.5S38 19 37.5 27C35 24.5 32 22 29 19.5C26 22 23 24.5 20.5 27Z"],
    ["m", "M26.6 34.2Q29 36.4 31.4 34.2Q29 33.2 26.6 34.2Z"],
    ["l", "M29 27V31.4H27.8M23.4 25.4Q25 24.2 26.6 25.4M31.4 25.4Q33 24.2 34.6 25.4"],
    ["i", "M24 27.2a1.1 1.1 0 1 0 2.2 0a1.1 1.1 0 1 0-2.2 0ZM31.8 27.2a1.1 1.1 0 1 0 2.2 0a1.1 1.1 0 1 0-2.2 0Z"],
    ["g", "M18.5 18L17.5 8L23 12.5L25.5 5.5L29 11L32.5 5.5L35 12.5L40.5 8L39.5 18Q29 11.5 18.5 18Z"],
    ["w", "M16.2 7.5a1.4 1.4 0 1 0 2.8 0a1.4 1.4 0 1 0-2.8 0ZM24.1 5a1.4 1.4 0 1 0 2.8 0a1.4 1.4 0 1 0-2.8 0ZM31.1 5a1.4 1.4 0 1 0 2.8 0a1.4 1.4 0 1 0-2.8 0ZM39 7.5a1.4 1.4 0 1 0 2.8 0a1.4 1.4 0 1 0-2.8 0Z"],
    ["g", "M24 43.4a1 1 0 1 0 2 0a1 1 0 1 0-2 0ZM28 45a1 1 0 1 0 2 0a1 1 0 1 0-2 0ZM32 43.4a1 1 0 1 0 2 0a1 1 0 1 0-2 0Z"],
    ["v", "M49.6 58V38M49.6 43C52 42.6 53.4 41 53.6 38.8C51.4 39 49.9 40.6 49.6 43Z"],
    ["g", "M49.6 24.2a3.7 3.7 0 0 1 3.5 3.2a3.7 3.7 0 0 1 0 5.6a3.7 3.7 0 0 1-7 0a3.7 3.7 0 0 1 0-5.6a3.7 3.7 0 0 1 3.5-3.2Z"],
    ["s", "M47.4 30.2a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0-4.4 0Z"],
    ["p", "M46 46.6C46 44.6 47.6 44 49.6 44S53.2 44.6 53.2 46.6V49.6C53.2 51.2 51.6 52 49.6 52S46 51.2 46 49.6Z"],
    ["l", "M46.6 46.9H52.6M46.6 49.4H52.6"],
    ["g", "M45.2 51.6H54V54.4H45.2Z"],
  ],
  J: [
    ["h", "M18 22C15 31 16 38 21 40H37C42 38 43 31 40 22Z"],
    ["s", "M0 58V49C4 44 11 42 20 41H38C47 42 54 44 58 49V58Z"],
    ["t", "M0 49C3 45 9 42.5 15 41.6C11.5 46 10.6 52 11 58H0ZM58 49C55 45 49 42.5 43 41.6C46.5 46 47.4 52 47 58H58Z"],
    ["y", "M15 41.6C11.5 46 10.6 52 11 58M43 41.6C46.5 46 47.4 52 47 58M51.4 45.4C52.6 49 53 53 52.8 58"],
    ["g", "M20 41L29 58L38 41L42 43L34 58H24L16 43Z"],
    ["w", "M24 42L29 52L34 42Z"],
    ["p", "M25.5 36H32.5V43L29 47L25.5 43Z"],
    ["p", "M21 22H37V27C37 34.5 33.5 39.5 29 39.5S21 34.5 21 27Z"],
    ["h", "M20.6 24C16 24 15.4 32 18 38C21 36 21 30 20.6 24ZM37.4 24C42 24 42.6 32 40 38C37 36 37 30 37.4 24Z"],
    ["m", "M26.6 34.7Q29 36.3 31.4 34.7"],
    ["l", "M29 26.5V31.4H27.6M23.2 24.6Q25 23.4 26.6 24.6M31.4 24.6Q33 23.4 34.8 24.6"],
    ["i", "M24 26.6a1.1 1.1 0 1 0 2.2 0a1.1 1.1 0 1 0-2.2 0ZM31.8 26.6a1.1 1.1 0 1 0 2.2 0a1.1 1.1 0 1 0-2.2 0Z"],
    ["s", "M15 19C15 10 23 8 31 9C39 10 44 14 43 19Q29 15.5 15 19Z"],
    ["g", "M15.5 18Q29 14.5 42.5 18L42 22.5Q29 18.5 16 22.5Z"],
    ["w", "M38 16C39 8 44 4 51 3C50.5 10 46 15 40 17.5Z"],
    ["l", "M39.5 16.5Q43 9.5 49 5"],
    ["b", "M6.6 58V22H8.4V58Z"],
    ["e", "M6 25L7.5 15.6L9 25Z"],
    ["e", "M6.4 26C3 25 1 27.6 1.2 32.4C3 30.8 4.8 30.6 6.4 31.2Z"],
    ["e", "M8.6 26.6L12.8 29L8.6 31Z"],
    ["g", "M5.8 24.4H9.2V26.4H5.8ZM5.8 31H9.2V33H5.8Z"],
    ["p", "M3.9 45.6C3.9 43.6 5.5 43 7.5 43S11.1 43.6 11.1 45.6V48.6C11.1 50.2 9.5 51 7.5 51S3.9 50.2 3.9 48.6Z"],
    ["l", "M4.5 45.9H10.5M4.5 48.4H10.5"],
    ["g", "M3.1 50.6H11.9V53.4H3.1Z"],
  ],
};

const PANEL = { x: 21, y: 12, width: 58, height: 116 };
/** Lozenges along the belt, where the halves meet. */
const BELT = [26, 34, 42, 50, 58, 66, 74].map((x) => `M${x} 68.6L${x + 1.4} 70 ${x} 71.4 ${x - 1.4} 70Z`).join("");
const ROUND = { "stroke-linecap": "round", "stroke-linejoin": "round" };
/** @type {Record<string, string>} */
const HAIR = { J: "#7a4a24", Q: "#b97b32", K: "#6b5646" };
const [GOLD, INK] = ["#e9b83f", "#26211d"];

/**
 * How the parts are painted.
 * @param {string} rank
 * @param {string} suit
 * @returns {Record<string, Record<string, string | number>>}
 */
const paints = (rank, suit) => ({
  s: { fill: colour(`suit-${suit}`) },
  t: { fill: colour(`court-${suit}`) },
  f: { fill: "none", stroke: `color-mix(in srgb, ${colour(`suit-${suit}`)} 62%, #fff)`, "stroke-width": 0.9, ...ROUND },
  g: { fill: GOLD, stroke: "#9a7110", "stroke-width": 0.5 },
  y: { fill: "none", stroke: GOLD, "stroke-width": 1.3 },
  e: { fill: "#d5dbe1", stroke: "#7a848e", "stroke-width": 0.6, ...ROUND },
  b: { fill: "#8a5a2f", stroke: "#5f3b1c", "stroke-width": 0.4 },
  v: { fill: "#3f7d4c", stroke: "#3f7d4c", "stroke-width": 1 },
  i: { fill: INK },
  p: { fill: "#f3cfa9", stroke: "#c58f63", "stroke-width": 0.4 },
  w: { fill: "#fffdf6", stroke: "#b9b0a0", "stroke-width": 0.5 },
  h: { fill: HAIR[rank] },
  l: { fill: "none", stroke: INK, "stroke-width": 0.8, ...ROUND },
  m: { fill: "none", stroke: "#b3413a", "stroke-width": 1, ...ROUND },
});

/**
 * The figure of a court card in its panel, for a card of 100 x 140. All between panel and frame is one picture, since a
 * browser styles and paints one element for it instead of thirty.
 * @param {string} rank
 * @param {string} suit
 */
export function figure(rank, suit) {
  return [
    svg("rect", { class: "panel", ...PANEL, rx: 3.5 }),
    svg("image", { ...PANEL, href: pictureOf(rank, suit) }),
    svg("rect", { class: "frame", ...PANEL, rx: 3.5 }),
  ];
}

/** As an address. @type {(rank: string, suit: string) => string} */
function pictureOf(rank, suit) {
  const paint = paints(rank, suit);
  const part = (/** @type {string} */ how, /** @type {string} */ d) => svg("path", { ...paint[how], d });
  const picture = svg(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", viewBox: `${PANEL.x} ${PANEL.y} ${PANEL.width} ${PANEL.height}` },
    ...PARTS[rank].map(([how, d]) => part(how, inBothHalves(placed(d, { x: PANEL.x, y: PANEL.y })))),
    part("s", inBothHalves(sign(suit, 23.5, 14.5, 12))),
    part("g", "M21.5 67.9H78.5V72.1H21.5Z"),
    part("t", BELT),
  );
  return `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(picture))}`;
}

/** Of the style sheet, by name. A picture does not know it. @type {(name: string) => string} */
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** @type {(d: string) => string} */
const inBothHalves = (d) => d + turned(d);
