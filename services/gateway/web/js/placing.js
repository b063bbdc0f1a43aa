// @ts-check
/** Takes a message off the cards that it would cover, on windows where there is no free room below them. */

import { cardsOf } from "./moves.js";
import { harm, neededOf, placeOfMessage } from "./place.js";

/** @typedef {import("./place.js").Needed} Needed */
/** @typedef {import("./layout.js").Box} Box */

/** Beside its own width a message can have these, so that it fits in beside the cards. */
const WIDTHS = [440, 320, 250, 180, 140, 110];
/** At most so wide its buttons lie below its words. */
const NARROW = 320;
/** What it is worth to see something: what the message is about, what can be played, and anything else. */
const WORTH = { hinted: 100, playable: 10, other: 1 };

export class Placing {
  /** @param {HTMLElement} box @param {import("./table.js").Table} table */
  constructor(box, table) {
    this.box = box;
    this.table = table;
    new ResizeObserver(() => this.place()).observe(table.root); // later than the table, which is laid out anew by then
  }

  /** To be told when the message or what it is about is another. */
  place() {
    const { box, table } = this;
    const { layout } = table;
    this.reset();
    if (box.hidden || !layout || table.closed) return;
    const area = table.root.getBoundingClientRect();
    const needed = [...neededOf(layout, (...spot) => this.worth(...spot)), ...this.beside(area)];
    const usual = within(area, box);
    if (!harm(usual, needed.filter(({ worth }) => worth >= WORTH.playable))) return;
    const sizes = [box.offsetWidth, ...WIDTHS.filter((width) => width < box.offsetWidth)].map((width) => this.fit(width));
    const best = placeOfMessage(usual, sizes, area, needed);
    if (best === usual) return this.reset();
    this.fit(best.width);
    const from = within(/** @type {Element} */ (box.offsetParent).getBoundingClientRect(), table.root);
    Object.assign(box.style, { left: `${from.x + best.x}px`, top: `${from.y + best.y}px`, bottom: "auto", transform: "none" });
  }

  /** Let it lie where it usually is. */
  reset() {
    this.box.removeAttribute("style");
    this.box.classList.remove("narrow");
  }

  /** The same, but so wide at most. @param {number} width @returns {import("./layout.js").Size} */
  fit(width) {
    const { box } = this;
    this.reset();
    box.style.maxWidth = `${width}px`;
    box.classList.toggle("narrow", width <= NARROW);
    return { width: box.offsetWidth, height: box.offsetHeight };
  }

  /** What else lies over the table. @param {DOMRect} area @returns {Needed[]} */
  beside(area) {
    const others = ["#autoplay", "#tour", "#connection"].flatMap((other) => [...document.querySelectorAll(`${other}:not([hidden])`)]);
    return others.map((other) => ({ box: within(area, other), worth: WORTH.hinted }));
  }

  /** @param {string} pile @param {string | null} card @param {number} index @returns {number} */
  worth(pile, card, index) {
    const { cards, piles, view } = this.table;
    const element = card ? cards.get(card) : pile === "S" || !view || !cardsOf(view, pile).length ? piles.get(pile)?.slot : undefined;
    if (element?.classList.contains("hinted")) return WORTH.hinted;
    const top = !view || index === cardsOf(view, pile).length - 1;
    if (pile[0] === "F" && !top) return 0; // not seen
    if (pile === "S" ? element?.dataset.state !== "empty" : element?.classList.contains("movable")) return WORTH.playable;
    return WORTH.other;
  }
}

/** Where an element lies in an area. @param {DOMRect} area @param {Element} element @returns {Box} */
function within(area, element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: x - area.x, y: y - area.y, width, height };
}
