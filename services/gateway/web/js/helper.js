// @ts-check
/** Hints: asked for, shown on the cards with the reason in words, and gone with the next move. */

import { capitalised, t } from "./i18n.js";
import { cardsOf, parseMove } from "./moves.js";
import { cardName, moveText } from "./words.js";

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
    /** Which of its suggestions is shown. */
    this.at = 0;
    /** With buttons to press, or only telling the reason, or only showing the cards. @type {"full" | "reason" | "cards"} */
    this.manner = "full";
  }

  /** The hint for what is on the table, if it is known. */
  get current() {
    return this.hint && this.hint.version === this.table.view?.version ? this.hint : null;
  }

  /** Ask for a hint; asked again in the same position, the next of its alternatives is shown. */
  ask() {
    const { current } = this;
    if (!current) return this.actions.hint();
    if (this.messages.shows("hint")) this.at = (this.at + 1) % current.suggestions.length;
    this.show(current);
  }

  /** @param {import("./game.js").Change} change */
  changed({ view, events, live }) {
    this.clear();
    const given = events.find((event) => event.type === "hint-given");
    if (!live || !given) return;
    const { move, reason, cards = [], alternatives = [], then = [] } = given;
    this.hint = { suggestions: [{ move, reason, cards }, ...alternatives], then, version: view.version };
    this.show(this.hint);
  }

  /** @param {Hint} hint */
  show(hint) {
    const { view } = this.table;
    if (!view) return;
    const { move, cards } = this.chosen(hint, view);
    this.table.hint(cards, move ? move.target : "S");
    if (this.manner === "cards") return;
    const actions = this.manner === "full" ? this.buttons(hint) : [];
    const words = [this.at ? t("hint.or") : "", moveText(move, cards), ...reasonTexts(hint.suggestions[this.at])];
    this.messages.show(capitalised(words.filter(Boolean).join(" ")), { kind: "hint", stays: true, actions });
  }

  /** @param {Hint} hint */
  buttons(hint) {
    const follow = { label: t("action.do-it"), run: () => this.follow() };
    const another = { label: t("action.another"), run: () => this.ask(), keeps: true };
    return hint.suggestions.length > 1 ? [follow, another] : [follow];
  }

  /** The shown suggestion's move, null for a draw, and the cards that it moves. @param {Hint} hint @param {View} view */
  chosen(hint, view) {
    const move = parseMove(hint.suggestions[this.at].move);
    return { move, cards: move ? cardsOf(view, move.source).slice(-move.count) : [] };
  }

  /** What to want in order to follow the hint. @returns {import("./commander.js").Wish | null} */
  wish() {
    return this.current && this.wishFor(this.current.suggestions[this.at].move);
  }

  /** What to want in order to make a move. @param {string} text @returns {import("./commander.js").Wish | null} */
  wishFor(text) {
    const { view } = this.table;
    const move = parseMove(text);
    if (!view) return null;
    return move ? { kind: "drop", card: cardsOf(view, move.source).slice(-move.count)[0], pile: move.target } : { kind: "draw" };
  }

  /** Show which cards a move is about, without a word. @param {string} text */
  point(text) {
    const wish = this.wishFor(text);
    if (wish?.kind === "drop") this.table.hint(this.table.withAbove(wish.card), wish.pile);
    else this.table.hint([], "S");
  }

  follow() {
    const wish = this.wish();
    if (wish?.kind === "drop") this.actions.drop(wish.card, wish.pile);
    else if (wish) this.actions.simple("draw");
  }

  clear() {
    this.at = 0;
    this.hint = null;
    this.hide();
  }

  hide() {
    this.table.hint([], null);
    this.messages.hide("hint");
  }
}

/** Why. A draw for the sake of another move says so, and names its card. @param {import("./types.js").Suggestion} told */
function reasonTexts({ move, reason, cards }) {
  const turns = ["draw", "recycle"];
  const reasonText = t(`hint.${reason}`);
  if (!turns.includes(move) || turns.includes(reason)) return [reasonText];
  return [t(`hint.${move}`), ...(cards.length ? [t("hint.for", { card: cardName(cards[0]) }), reasonText] : [])];
}
