// @ts-check
/** Everything by keyboard: arrows move the focus over the table, Enter picks up and puts down, letters do the rest. */

import { cardsOf, placeOf } from "./moves.js";

/** @typedef {{pile: string, card: string | null}} Cursor */

export class Keyboard {
  /**
   * @param {import("./table.js").Table} table
   * @param {import("./actions.js").Actions} actions
   * @param {Record<string, () => void>} shortcuts by key
   */
  constructor(table, actions, shortcuts) {
    this.table = table;
    this.actions = actions;
    this.shortcuts = shortcuts;
    /** @type {Cursor} */
    this.cursor = { pile: "S", card: null };
    document.addEventListener("keydown", (event) => this.pressed(event));
    table.root.addEventListener("focusin", () => (this.cursor = table.focusedPile() ?? this.cursor));
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (document.querySelector("dialog[open]")) return;
    // A key that is held down goes no faster than the game, so that letting it go ends it.
    const walks = event.key === "Tab" || event.key.startsWith("Arrow");
    if (event.repeat && !walks && !this.actions.ready) return event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.altKey) return this.withControl(event);
    if (!this.table.closed && !belongsTo(target, event.key, this.table.root) && this.onTable(event)) return event.preventDefault();
    const shortcut = this.shortcuts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!shortcut) return;
    event.preventDefault();
    shortcut();
  }

  /** @param {KeyboardEvent} event */
  withControl(event) {
    const key = event.key.toLowerCase();
    if (event.altKey || !"zy".includes(key)) return;
    event.preventDefault();
    this.shortcuts[key === "y" || event.shiftKey ? "r" : "u"]?.();
  }

  /** @param {KeyboardEvent} event @returns {boolean} whether the key meant the table */
  onTable(event) {
    const { card, pile } = this.here();
    switch (event.key) {
      case "ArrowLeft":
      case "ArrowRight":
        return this.sideways(event.key === "ArrowLeft" ? -1 : 1);
      case "ArrowUp":
      case "ArrowDown":
        return this.upOrDown(event.key === "ArrowUp" ? -1 : 1);
      case "Enter":
        if (!event.repeat) this.enter(pile, card); // held down, it may have begun on what was there before
        return true;
      case " ":
        this.actions.simple("draw");
        return true;
      case "Escape":
        this.table.pick(null);
        return false; // it may mean something beside the table as well
      case "f":
      case "F":
        if (card) this.actions.up(card);
        return true;
      case "w":
      case "W":
        return this.table.piles.has("W") && this.go("W");
      default:
        return /^[1-9]$/.test(event.key) && this.go(`T${event.key}`);
    }
  }

  /** The cursor, put right where its card has gone. @returns {Cursor} */
  here() {
    const { view } = this.table;
    const { pile, card } = this.cursor;
    if (!view || pile === "S") return { pile, card: null };
    const place = card ? placeOf(view, card) : null;
    if (place) return { pile: place.pile, card };
    return { pile, card: cardsOf(view, pile).at(-1) ?? null };
  }

  /** @param {string} pile @param {string | null} card */
  enter(pile, card) {
    if (pile === "S") return this.actions.simple("draw");
    if (this.table.picked) return this.actions.putDown(pile, card);
    if (card) this.actions.pickUp(card);
  }

  /** The piles of a row as they lie from the left. @param {boolean} upper @returns {string[]} */
  row(upper) {
    const slots = [...(this.table.layout?.slots ?? [])].filter(([pile]) => (pile[0] === "T") !== upper);
    return slots.sort(([, one], [, other]) => one.x - other.x).map(([pile]) => pile);
  }

  /** @param {number} step @returns {boolean} */
  sideways(step) {
    const { pile } = this.here();
    const row = this.row(pile[0] !== "T");
    return this.go(row[(row.indexOf(pile) + step + row.length) % row.length]);
  }

  /** @param {number} step @returns {boolean} */
  upOrDown(step) {
    const { view } = this.table;
    const { pile, card } = this.here();
    if (!view) return false;
    if (pile[0] !== "T") return step > 0 ? this.go(this.nearest(pile, false)) : true;
    const cards = cardsOf(view, pile);
    const next = card ? cards.indexOf(card) + step : -1;
    if (step > 0) return next > 0 && next < cards.length ? this.go(pile, cards[next]) : true;
    return next >= 0 ? this.go(pile, cards[next]) : this.go(this.nearest(pile, true));
  }

  /** The pile of the other row that lies nearest. @param {string} pile @param {boolean} upper */
  nearest(pile, upper) {
    const slots = this.table.layout?.slots;
    const x = slots?.get(pile)?.x ?? 0;
    const away = (/** @type {string} */ name) => Math.abs((slots?.get(name)?.x ?? 0) - x);
    return this.row(upper).reduce((best, name) => (away(name) < away(best) ? name : best));
  }

  /** Put the focus where it was on the table. */
  home() {
    const { pile, card } = this.here();
    if (!this.table.closed) this.go(pile, card ?? undefined);
  }

  /** Put the focus on a pile's uppermost card, or on the one named. @param {string} pile @param {string} [card] @returns {boolean} */
  go(pile, card) {
    const element = card ? this.table.cards.get(card) : this.table.topOf(pile);
    this.table.focus(element);
    this.cursor = this.table.focusedPile() ?? this.cursor;
    return true;
  }
}

/**
 * Whether a key is one of those that an element beside the table has itself. All others mean the table, wherever the
 * focus is: who has pressed a button with the mouse plays on by keyboard.
 * @param {HTMLElement} element
 * @param {string} key
 * @param {HTMLElement} table
 */
function belongsTo(element, key, table) {
  if (table.contains(element)) return false;
  if (element.closest(".tour")) return true;
  return element.matches("input, select, textarea") || (["Enter", " "].includes(key) && element.matches("button, a"));
}
