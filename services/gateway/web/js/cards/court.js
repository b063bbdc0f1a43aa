// @ts-check
/** Jack, queen and king, drawn for this page: flat shapes, one half above, the same half turned round below. */

import { svg } from "./face.js";

/**
 * The half figures lie in a box of 52 x 56 with the card's middle at the bottom. `c-…` are the classes that the style
 * sheet colours: s the suit, g gold, i ink, p skin, w white, h hair.
 * @type {Record<string, [string, string][]>}
 */
const PARTS = {
  K: [
    ["s", "M0 56V49C1 41 9 37 18 36H34C43 37 51 41 52 49V56Z"],
    ["w", "M17 36C12 40 10 47 10 56H16C16 48 18 43 22 39ZM35 36C40 40 42 47 42 56H36C36 48 34 43 30 39Z"],
    ["i", "M12.4 46h1.8v3h-1.8ZM13 51.5h1.8v3H13ZM37.8 46h1.8v3h-1.8ZM37.2 51.5h1.8v3h-1.8Z"],
    ["g", "M22 39H30L28 56H24Z"],
    ["h", "M14 19C13 28 13 34 16 37C18 33 18 26 18 22ZM38 19C39 28 39 34 36 37C34 33 34 26 34 22Z"],
    ["p", "M17 17H35V28C35 35 31 39 26 39S17 35 17 28Z"],
    ["h", "M17 27C18 29 21 30.5 23 29.5C24.5 28.5 27.5 28.5 29 29.5C31 30.5 34 29 35 27C36 36 32 45 26 46C20 45 16 36 17 27Z"],
    ["m", "M23.3 32.6Q26 34.6 28.7 32.6"],
    ["l", "M26 22V27.5H24.5M19.8 20.5Q21.5 19.2 23.3 20.5M28.7 20.5Q30.5 19.2 32.2 20.5"],
    ["i", "M20.6 22.5a1.2 1.2 0 1 0 2.4 0a1.2 1.2 0 1 0-2.4 0ZM29 22.5a1.2 1.2 0 1 0 2.4 0a1.2 1.2 0 1 0-2.4 0Z"],
    ["g", "M14 18L12 5L19 11L26 2L33 11L40 5L38 18Q26 14.5 14 18Z"],
    ["s", "M24.2 11.5L26 9L27.8 11.5L26 14ZM17 13.8a1.3 1.3 0 1 0 2.6 0a1.3 1.3 0 1 0-2.6 0ZM32.4 13.8a1.3 1.3 0 1 0 2.6 0a1.3 1.3 0 1 0-2.6 0Z"],
    ["g", "M10.3 4.8a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0-3.4 0ZM24.3 2a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0-3.4 0ZM38.3 4.8a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0-3.4 0Z"],
    ["g", "M46 56V26H44V23H46V20H48V23H50V26H48V56Z"],
  ],
  Q: [
    ["h", "M13 40C9 30 11 13 26 12C41 13 43 30 39 40Q34 44 26 44T13 40Z"],
    ["s", "M0 56C1 46 8 41 19 39H33C44 41 51 46 52 56Z"],
    ["w", "M18 39Q26 51 34 39L37 41Q26 58 15 41Z"],
    ["g", "M24.2 51a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0-3.6 0Z"],
    ["p", "M22.5 34H29.5V41Q26 45.5 22.5 41Z"],
    ["p", "M18 22C18 16.5 21.5 15 26 15S34 16.5 34 22C34 31 30.5 37 26 37S18 31 18 22Z"],
    ["h", "M17.5 25C17 17 21 13.5 26 13.5S35 17 34.5 25C32 22.5 29 20 26 17.5C23 20 20 22.5 17.5 25Z"],
    ["m", "M23.6 32.2Q26 34.4 28.4 32.2Q26 31.2 23.6 32.2Z"],
    ["l", "M26 25V29.4H24.8M20.4 23.4Q22 22.2 23.6 23.4M28.4 23.4Q30 22.2 31.6 23.4"],
    ["i", "M21 25.2a1.1 1.1 0 1 0 2.2 0a1.1 1.1 0 1 0-2.2 0ZM28.8 25.2a1.1 1.1 0 1 0 2.2 0a1.1 1.1 0 1 0-2.2 0Z"],
    ["g", "M15.5 16L14.5 6L20 10.5L22.5 3.5L26 9L29.5 3.5L32 10.5L37.5 6L36.5 16Q26 9.5 15.5 16Z"],
    ["w", "M13.2 5.5a1.4 1.4 0 1 0 2.8 0a1.4 1.4 0 1 0-2.8 0ZM21.1 3a1.4 1.4 0 1 0 2.8 0a1.4 1.4 0 1 0-2.8 0ZM28.1 3a1.4 1.4 0 1 0 2.8 0a1.4 1.4 0 1 0-2.8 0ZM36 5.5a1.4 1.4 0 1 0 2.8 0a1.4 1.4 0 1 0-2.8 0Z"],
    ["l", "M45 56Q47 48 45 41"],
    ["g", "M45 31.5a3.3 3.3 0 0 1 3 3a3.3 3.3 0 0 1 0 5a3.3 3.3 0 0 1-6 0a3.3 3.3 0 0 1 0-5a3.3 3.3 0 0 1 3-3Z"],
    ["s", "M43.2 37a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0-3.6 0Z"],
  ],
  J: [
    ["h", "M15 20C12 29 13 36 18 38H34C39 36 40 29 37 20Z"],
    ["s", "M0 56C1 46 8 41 18 39H34C44 41 51 46 52 56Z"],
    ["g", "M17 39L26 56L35 39L39 41L31 56H21L13 41Z"],
    ["w", "M21 40L26 50L31 40Z"],
    ["p", "M22.5 34H29.5V41L26 45L22.5 41Z"],
    ["p", "M18 20H34V25C34 32.5 30.5 37.5 26 37.5S18 32.5 18 25Z"],
    ["m", "M23.6 32.7Q26 34.3 28.4 32.7"],
    ["l", "M26 24.5V29.4H24.6M20.2 22.6Q22 21.4 23.6 22.6M28.4 22.6Q30 21.4 31.8 22.6"],
    ["i", "M21 24.6a1.1 1.1 0 1 0 2.2 0a1.1 1.1 0 1 0-2.2 0ZM28.8 24.6a1.1 1.1 0 1 0 2.2 0a1.1 1.1 0 1 0-2.2 0Z"],
    ["s", "M12 17C12 8 20 6 28 7C36 8 41 12 40 17Q26 13.5 12 17Z"],
    ["g", "M12.5 16Q26 12.5 39.5 16L39 20.5Q26 16.5 13 20.5Z"],
    ["w", "M35 14C36 6 41 2 48 1C47.5 8 43 13 37 15.5Z"],
    ["l", "M36.5 14.5Q40 7.5 46 3"],
    ["i", "M5.5 56V24L7 20L8.5 24V56Z"],
    ["g", "M3 26H11V29H3Z"],
  ],
};

/**
 * The figure of a court card in its panel, for a card of 100 x 140.
 * @param {string} rank
 * @param {string} suit
 */
export function figure(rank, suit) {
  return svg(
    "g",
    { class: `court court-${rank}` },
    svg("rect", { class: "panel", x: 23, y: 13, width: 54, height: 114, rx: 4 }),
    half(rank, suit),
    svg("g", { transform: "rotate(180 50 70)" }, half(rank, suit)),
    svg("path", { class: "c-g", d: "M23.5 68.9H76.5V71.1H23.5Z" }),
    svg("rect", { class: "frame", x: 23, y: 13, width: 54, height: 114, rx: 4 }),
  );
}

/** @type {(rank: string, suit: string) => SVGElement} */
function half(rank, suit) {
  const shapes = PARTS[rank].map(([colour, d]) => svg("path", { class: `c-${colour}`, d }));
  const pip = svg("use", { href: `#suit-${suit}`, x: 26, y: 16, width: 11, height: 11 });
  // A little smaller than its box, so that robe and crown keep clear of the frame.
  return svg("g", {}, svg("g", { transform: "translate(26.04 18) scale(0.93)" }, ...shapes), pip);
}
