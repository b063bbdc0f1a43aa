// @ts-check
/** A card on the page: a back or the paper with its face, and both only while it turns over. */

import { make } from "../dom.js";
import { cardFace } from "./face.js";

/**
 * @param {string | null} card null for a face-down one, of which nothing more is known
 * @param {boolean} large whether its signs are
 * @returns {HTMLElement}
 */
export function cardElement(card, large) {
  if (card === null) return make("div", { class: "card down", "aria-hidden": "true" }, back());
  return make("button", { class: "card", type: "button", tabindex: "-1", "data-card": card }, paper(card, large));
}

/** Draw a face once more, with signs of the other size. @param {HTMLElement} element @param {boolean} large */
export function drawAgain(element, large) {
  const { card } = element.dataset;
  if (card) element.querySelector(".paper")?.replaceWith(paper(card, large));
}

/** Let a card that has a face turn over. @param {HTMLElement} element @param {string} way @param {number} ms until it lies */
export function turnOver(element, way, ms) {
  if (!element.querySelector(".back")) element.prepend(back());
  element.classList.add(way);
  setTimeout(() => {
    element.classList.remove(way);
    if (!element.matches(".turning-up, .turning-down")) element.querySelector(".back")?.remove();
  }, ms);
}

const back = () => make("span", { class: "back" });

/** @param {string} card @param {boolean} large */
const paper = (card, large) => make("span", { class: "paper" }, cardFace(card, large));
