// @ts-check
/**
 * What the player wants, one after the other: the next wish is looked at when the last one is answered, against the
 * table as it is then. A wish names a card, not a place, so it never acts on a card that came to lie there meanwhile.
 */

import { foresee } from "./foresight.js";
import { bestMove, cardsOf, countFrom, foundationMove, placeOf } from "./moves.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Frame} Frame */
/**
 * @typedef {{kind: "draw" | "undo" | "redo" | "chances" | "resign" | "pause" | "continue" | "claim"}
 *   | {kind: "hint", strength: string}
 *   | {kind: "tap" | "up", card: string}
 *   | {kind: "drop", card: string, pile: string}} Wish
 */

/** What is asked about the position, and takes the solver a while: nothing else waits for its answer. */
const QUESTIONS = ["hint", "chances"];
/** More than this many wishes wait for nobody: the oldest are done, further ones are not taken. */
const WISHES_MAX = 32;

/**
 * Events: `wanted`, `asking`, `answered` (no question is open any more), `busy`, `foreseen` (detail: the view that a command will most likely lead to), `refused` (detail: the answer),
 * `no-move` (detail: the card), `settled` (nothing is left to do).
 */
export class Commander extends EventTarget {
  /** @param {import("./connection.js").Connection} connection @param {import("./game.js").Game} game */
  constructor(connection, game) {
    super();
    this.connection = connection;
    this.game = game;
    /** @type {Wish[]} */
    this.wishes = [];
    this.working = false;
    /** The open question: only its own answer is told. @type {Wish | null} */
    this.question = null;
  }

  /** @param {Wish} wish */
  want(wish) {
    if (!this.game.view || this.wishes.length >= WISHES_MAX) return;
    if (QUESTIONS.includes(wish.kind)) return this.wonder(wish);
    this.withdraw();
    this.wishes.push(wish);
    this.dispatchEvent(new Event("wanted"));
    if (!this.working) void this.work();
  }

  /** Ask about the position that there is after what is under way. @param {Wish} question */
  wonder(question) {
    if (this.question?.kind === question.kind) return;
    this.question = question;
    this.dispatchEvent(new Event("wanted"));
    this.dispatchEvent(new Event("asking"));
    if (!this.working) void this.ask(question);
  }

  /** @param {Wish} question @param {boolean} [again] the position was an older one than the server's */
  async ask(question, again = false) {
    const view = this.game.view;
    const command = view && this.decide(view, question);
    if (!view || !command) return this.withdraw();
    const answer = await this.connection.request({ ...command, game: view.game, version: view.version });
    if (this.question !== question) return;
    if (answer.error?.code === "stale-version" && !again) {
      await this.connection.resume({ game: view.game, version: view.version });
      if (this.question === question && this.game.view?.game === view.game) return this.ask(question, true);
    }
    this.withdraw();
    if (answer.type === "refused" && answer.error?.code !== "stale-version") {
      this.dispatchEvent(new CustomEvent("refused", { detail: answer }));
    }
  }

  /** The question is answered, or its answer means nothing any more. */
  withdraw() {
    if (!this.question) return;
    this.question = null;
    this.dispatchEvent(new Event("answered"));
  }

  /** Forget what has not been begun. */
  forget() {
    this.wishes.length = 0;
    this.withdraw();
  }

  async work() {
    this.working = true;
    this.dispatchEvent(new Event("busy"));
    for (let wish = this.wishes.shift(); wish; wish = this.wishes.shift()) await this.fulfil(wish);
    this.working = false;
    this.dispatchEvent(new Event("settled"));
    if (this.question) void this.ask(this.question);
  }

  /** @param {Wish} wish @param {boolean} [again] decided anew, after the game had moved on */
  async fulfil(wish, again = false) {
    const view = this.game.view;
    const command = view && this.decide(view, wish);
    if (!view || !command) return;
    const foreseen = foresee(view, command);
    if (foreseen) this.dispatchEvent(new CustomEvent("foreseen", { detail: foreseen }));
    const answer = await this.connection.request({ ...command, game: view.game, version: view.version });
    if (answer.error?.code === "stale-version") {
      await this.connection.resume({ game: view.game, version: view.version });
      if (!again && this.game.view?.game === view.game) await this.fulfil(wish, true);
    } else if (answer.type === "refused") {
      this.dispatchEvent(new CustomEvent("refused", { detail: answer }));
    }
  }

  /** The command that a wish comes to on this table; null when it has lost its object. @param {View} view @param {Wish} wish */
  decide(view, wish) {
    switch (wish.kind) {
      case "draw":
        return { type: view.stock === 0 && view.waste.length > 0 ? "recycle" : "draw" };
      case "tap":
        return this.chosen(bestMove(view, wish.card), wish.card);
      case "up":
        return this.chosen(foundationMove(view, wish.card), wish.card);
      case "drop":
        return this.dropped(view, wish.card, wish.pile);
      case "hint":
        return { type: "hint", strength: wish.strength };
      default:
        return { type: wish.kind };
    }
  }

  /** @param {import("./moves.js").Move | null} move @param {string} card */
  chosen(move, card) {
    if (move) return { type: "move", source: move.source, target: move.target, count: move.count };
    this.dispatchEvent(new CustomEvent("no-move", { detail: card }));
    return null;
  }

  /**
   * An illegal drop is sent as well: the server's refusal says which rule it breaks.
   * @param {View} view
   * @param {string} card
   * @param {string} pile
   */
  dropped(view, card, pile) {
    const place = placeOf(view, card);
    if (!place || place.pile === pile) return null;
    const covered = place.pile === "W" && place.index < cardsOf(view, "W").length - 1;
    return covered ? null : { type: "move", source: place.pile, target: pile, count: countFrom(view, place) };
  }
}
