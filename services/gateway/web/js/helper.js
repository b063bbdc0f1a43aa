// @ts-check
/** Hints: asked for, shown on the cards with the reason in words, and gone with the next move. */

import { t } from "./i18n.js";
import { cardsOf, parseMove } from "./moves.js";
import { moveText } from "./words.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Hint} Hint */

export class Helper {
  /**
   * @param {import("./table.js").Table} table
   * @param {import("./messages.js").Messages} messages
   * @param {import("./actions.js").Actions} actions
   */
  constructor(table, messages, actions) {
    this.table = table;
    this.messages = messages;
    this.actions = actions;
    /** @type {Hint | null} */
    this.hint = null;
  }

  /** Ask for a hint; the same position has the same one, so it is asked for once. */
  ask() {
    if (this.hint && this.hint.version === this.table.view?.version) return this.show(this.hint);
    this.actions.simple("hint");
  }

  /** @param {import("./game.js").Change} change */
  changed({ view, events, live }) {
    this.clear();
    const given = events.find((event) => event.type === "hint-given");
    if (!live || !given) return;
    this.hint = { move: given.move, reason: given.reason, cards: given.cards ?? [], version: view.version };
    this.show(this.hint);
  }

  /** @param {Hint} hint */
  show(hint) {
    const { view } = this.table;
    if (!view) return;
    const move = parseMove(hint.move);
    const cards = move ? cardsOf(view, move.source).slice(-move.count) : [];
    this.table.hint(cards, move ? move.target : "S");
    const text = [moveText(move, cards), t(`hint.${hint.reason}`)].filter(Boolean).join(" ");
    this.messages.show(text, { kind: "hint", stays: true, action: { label: t("action.do-it"), run: () => this.follow(cards, move) } });
  }

  /** @param {string[]} cards @param {import("./moves.js").Move | null} move */
  follow(cards, move) {
    if (!move) this.actions.simple("draw");
    else this.actions.drop(cards[0], move.target);
  }

  clear() {
    if (!this.hint) return;
    this.hint = null;
    this.hide();
  }

  hide() {
    this.table.hint([], null);
    this.messages.hide("hint");
  }
}
