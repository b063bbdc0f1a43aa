// @ts-check
/** Mouse, pen and finger: a drag moves cards, a tap moves or picks up, a double tap sends up. */

import { dropTarget } from "./layout.js";
import { cardsOf, movesOf, placeOf } from "./moves.js";

/** @typedef {{x: number, y: number}} Point */
/**
 * @typedef {object} Press
 * @property {number} pointer
 * @property {Point} at
 * @property {Point} last
 * @property {{pile: string, card: string | null} | null} spot what was pressed
 * @property {string[]} cards those that a drag takes
 * @property {Point} grip where on the card, in widths and heights of a card, so that a resize keeps it
 * @property {boolean} dragging
 */

const DRAG_FROM_PX = { mouse: 4, pen: 6, touch: 9 };
const DOUBLE_MS = 350;
const DOUBLE_PX = 24;

export class Pointer {
  /**
   * @param {import("./table.js").Table} table
   * @param {import("./actions.js").Actions} actions
   */
  constructor(table, actions) {
    this.table = table;
    this.actions = actions;
    /** @type {Press | null} */
    this.press = null;
    this.lastTap = { time: -Infinity, at: { x: 0, y: 0 }, card: /** @type {string | null} */ (null) };
    const { root } = table;
    root.addEventListener("pointerdown", (event) => this.pressed(event));
    root.addEventListener("pointermove", (event) => this.moved(event));
    root.addEventListener("pointerup", (event) => this.released(event));
    root.addEventListener("pointercancel", () => this.cancel());
    root.addEventListener("contextmenu", (event) => this.press?.dragging && event.preventDefault());
    root.addEventListener("click", (event) => event.detail === 0 && this.clicked(event));
    new ResizeObserver(() => this.follow()).observe(root);
    table.shown = () => this.follow();
  }

  /** @param {PointerEvent} event */
  pressed(event) {
    if (!event.isPrimary || event.button !== 0 || this.press) return;
    const at = this.point(event);
    const spot = this.table.at(at.x, at.y);
    this.actions.touched();
    if (!spot) return this.table.pick(null);
    const cards = spot.card ? this.draggable(spot.card) : [];
    this.press = { pointer: event.pointerId, at, last: at, spot, cards, grip: this.grip(spot.card, at), dragging: false };
    this.table.root.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  moved(event) {
    const press = this.press;
    if (!press || event.pointerId !== press.pointer) return;
    press.last = this.point(event);
    const far = DRAG_FROM_PX[/** @type {"mouse"} */ (event.pointerType)] ?? DRAG_FROM_PX.touch;
    if (!press.dragging && press.cards.length && distance(press.at, press.last) > far) {
      press.dragging = true;
      this.table.pick(null);
      this.table.lift(press.cards);
    }
    this.follow();
  }

  /** @param {PointerEvent} event */
  released(event) {
    const press = this.press;
    if (!press || event.pointerId !== press.pointer) return;
    this.press = null;
    if (press.dragging) this.drop(press.cards[0]);
    else if (distance(press.at, this.point(event)) < DOUBLE_PX) this.tapped(press);
  }

  /** Put the cards in hand where the pointer is. */
  follow() {
    const { press, table } = this;
    if (!press?.dragging || !table.layout) return;
    // A change of the game takes cards out of the hand; they stay in it only if they can still be moved.
    if (!table.hand && !this.stillThere(press.cards)) return this.cancel();
    if (!table.hand) table.lift(press.cards);
    const { width, height } = table.layout.card;
    table.carry(press.last.x - press.grip.x * width, press.last.y - press.grip.y * height);
    table.aim(this.goal(press.cards[0]));
  }

  /** @param {string[]} cards */
  stillThere(cards) {
    return this.draggable(cards[0]).join() === cards.join();
  }

  cancel() {
    this.press = null;
    this.table.letGo();
  }

  /** @param {string} card */
  drop(card) {
    const pile = this.target(card);
    this.table.aim(null);
    if (!pile || !this.actions.drop(card, pile)) this.table.letGo();
  }

  /** The pile that takes the card where it is now: only that is shown, any other says why it does not when it is tried. @param {string} card */
  goal(card) {
    const { view } = this.table;
    const pile = this.target(card);
    return view && movesOf(view, card).some((move) => move.target === pile) ? pile : null;
  }

  /** @param {string} card */
  target(card) {
    const { hand, layout, view } = this.table;
    if (!hand || !layout || !view) return null;
    return dropTarget(layout, hand, new Set(movesOf(view, card).map((move) => move.target)));
  }

  /**
   * The second tap of a double tap belongs to the card of the first one, not to what came to light under it.
   * @param {Press} press
   */
  tapped(press) {
    const time = performance.now();
    const { lastTap } = this;
    const second = time - lastTap.time < DOUBLE_MS && distance(lastTap.at, press.at) < DOUBLE_PX;
    if (second && lastTap.card) {
      this.lastTap = { ...lastTap, time: -Infinity };
      return this.actions.up(lastTap.card);
    }
    this.lastTap = { time, at: press.at, card: press.spot?.card ?? null };
    if (press.spot) this.actions.tap(press.spot.pile, press.spot.card);
  }

  /** A press without a pointer: a screen reader's. @param {Event} event */
  clicked(event) {
    const element = /** @type {HTMLElement} */ (event.target).closest("[data-pile]");
    if (!(element instanceof HTMLElement) || !element.dataset.pile) return;
    this.actions.tap(element.dataset.pile, element.dataset.card ?? null);
  }

  /** The cards that go along when one is dragged. @param {string} card @returns {string[]} */
  draggable(card) {
    const { view } = this.table;
    const place = view && placeOf(view, card);
    if (!view || !place || view.status !== "running") return [];
    const cards = cardsOf(view, place.pile).slice(place.index);
    return place.pile[0] === "T" || cards.length === 1 ? cards : [];
  }

  /** @param {string | null} card @param {Point} at @returns {Point} */
  grip(card, at) {
    const { layout } = this.table;
    const spot = layout?.spots.find((one) => one.card !== null && one.card === card);
    if (!layout || !spot) return { x: 0, y: 0 };
    return { x: (at.x - spot.x) / layout.card.width, y: (at.y - spot.y) / layout.card.height };
  }

  /** @param {PointerEvent} event @returns {Point} */
  point(event) {
    const box = this.table.root.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }
}

/** @param {Point} one @param {Point} other */
const distance = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);
