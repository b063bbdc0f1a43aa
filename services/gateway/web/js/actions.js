// @ts-check
/** What a player can do at the table, whatever it is done with: pointer, keyboard, button. */

import { movesOf, placeOf } from "./moves.js";
import { nextChoice } from "./taps.js";

export class Actions extends EventTarget {
  /**
   * @param {import("./commander.js").Commander} commander
   * @param {import("./table.js").Table} table
   * @param {import("./settings.js").Settings} settings
   */
  constructor(commander, table, settings) {
    super();
    this.commander = commander;
    this.table = table;
    this.settings = settings;
    /** The card tapped last, and the piles that taps have brought it to: the next tap takes it further. */
    this.tapped = { card: "", piles: /** @type {string[]} */ ([]) };
  }

  /** The player has begun to do something. */
  touched() {
    this.dispatchEvent(new Event("touched"));
  }

  /** Ask for a hint, as strong as the player likes them. */
  hint() {
    this.touched();
    this.commander.want(this.hintWish());
  }

  /** @returns {import("./commander.js").Wish} */
  hintWish() {
    return { kind: "hint", strength: this.settings.get("advice") };
  }

  /** @param {"draw" | "undo" | "redo" | "chances" | "resign" | "pause" | "continue" | "claim"} kind */
  simple(kind) {
    this.touched();
    this.table.pick(null);
    this.tapped.card = "";
    this.commander.want({ kind });
  }

  /** Whether a key or button that is held down may do its thing once more. */
  get ready() {
    return !this.commander.working;
  }

  /** A tap on a card or an empty place. @param {string} pile @param {string | null} card */
  tap(pile, card) {
    if (pile === "S") return this.simple("draw");
    if (this.table.picked) return this.putDown(pile, card);
    if (!card) return;
    if (this.settings.get("tap") === "select") return this.pickUp(card);
    this.send(card);
  }

  /** Move a card where a tap means it to go. @param {string} card */
  send(card) {
    const { view } = this.table;
    const pile = view && placeOf(view, card)?.pile;
    if (!view || !pile) return;
    if (this.tapped.card !== card || this.tapped.piles.at(-1) !== pile) this.tapped = { card, piles: [pile] };
    const move = nextChoice(view, card, this.tapped.piles);
    if (!move) return this.commander.want({ kind: "tap", card }); // there may be one when the table is known again
    this.tapped.piles.push(move.target);
    this.commander.want({ kind: "drop", card, pile: move.target });
  }

  /** @param {string} card */
  up(card) {
    this.table.pick(null);
    const { view } = this.table;
    if (view && placeOf(view, card)?.pile[0] === "F") return; // the first tap of a double tap took it there
    this.commander.want({ kind: "up", card });
  }

  /** @param {string} card @param {string} pile @returns {boolean} whether anything will come of it */
  drop(card, pile) {
    const { view } = this.table;
    if (!view || placeOf(view, card)?.pile === pile) return false;
    this.commander.want({ kind: "drop", card, pile });
    return true;
  }

  /** @param {string} card */
  pickUp(card) {
    const { view } = this.table;
    this.touched();
    // While a move is under way what is legal is not known; the server's answer will tell.
    if (!view || (!this.commander.working && !movesOf(view, card).length)) return this.refuse(card);
    this.table.pick(card);
    this.dispatchEvent(new CustomEvent("picked", { detail: card }));
  }

  /** Drop what is picked up onto a pile; on its own pile it is only put down. @param {string} pile @param {string | null} card */
  putDown(pile, card) {
    const picked = this.table.picked;
    const own = this.table.view && picked ? placeOf(this.table.view, picked)?.pile : null;
    this.table.pick(null);
    if (!picked || picked === card) return;
    if (own === pile) return card ? this.pickUp(card) : undefined;
    this.drop(picked, pile);
  }

  /** @param {string} card */
  refuse(card) {
    this.commander.dispatchEvent(new CustomEvent("no-move", { detail: card }));
  }
}
