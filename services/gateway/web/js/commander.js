// @ts-check
/**
 * What the player wants, one after the other: the next wish is sent when the last one is answered, against the table as
 * it is then. A wish names a card, not a place, so it never acts on a card that came to lie there meanwhile. All that is
 * wanted is drawn at once, as far as its outcome is known; what does not come about is taken back and said.
 */

import { foreseeAll } from "./foresight.js";
import { newId } from "./ids.js";
import { commandOf } from "./wishes.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Frame} Frame */
/** @typedef {import("./wishes.js").Wish} Wish */

/** What is asked about the position, and takes the solver a while: nothing else waits for its answer. */
const QUESTIONS = ["hint", "chances"];
/** More than this many wishes wait for nobody: the oldest are done, further ones are not taken. */
const WISHES_MAX = 32;

/**
 * Events: `wanted`, `asking`, `answered` (no question is open any more), `busy`, `foreseen` (what is wanted leads to
 * another table now), `refused` (detail: the answer), `overtaken` (the game had moved on, and the wish was dropped),
 * `no-move` and `not-up` (detail: the card), `settled` (nothing is left to do).
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
    /** What was sent and has no answer yet. @type {{id: string, wish: Wish} | null} */
    this.sent = null;
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
    if (this.working) this.dispatchEvent(new Event("foreseen"));
    else void this.work();
  }

  /**
   * The table as it will most likely be when all that is wanted is done.
   * @param {string[]} [done] commands that the newest view has already
   * @returns {View | null}
   */
  outlook(done = []) {
    const sent = this.sent && !done.includes(this.sent.id) ? [this.sent.wish] : [];
    return this.game.view && foreseeAll(this.game.view, [...sent, ...this.wishes]);
  }

  /** Ask about the position that there is after what is under way. @param {Wish} question */
  wonder(question) {
    if (this.question?.kind === question.kind) return;
    this.question = question;
    this.dispatchEvent(new Event("wanted"));
    this.dispatchEvent(new Event("asking"));
    if (!this.working) void this.ask(question);
  }

  /** @param {Wish} question @param {boolean} [again] the position was an older one than the server's @returns {Promise<void>} */
  async ask(question, again = false) {
    const view = this.game.view;
    const command = view && commandOf(view, question);
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
    const command = view && commandOf(view, wish);
    if (!view || !command) return this.idle(wish, again);
    this.sent = { id: newId(), wish };
    this.dispatchEvent(new Event("foreseen"));
    const answer = await this.connection.request({ ...command, id: this.sent.id, game: view.game, version: view.version });
    this.sent = null;
    if (answer.error?.code === "stale-version") await this.overtaken(view, wish, again);
    else if (answer.type === "refused") this.dispatchEvent(new CustomEvent("refused", { detail: answer }));
  }

  /** The game had moved on when a command arrived. @param {View} view @param {Wish} wish @param {boolean} again for the second time */
  async overtaken({ game, version }, wish, again) {
    await this.connection.resume({ game, version });
    if (this.game.view?.game !== game) return;
    if (again) this.dispatchEvent(new Event("overtaken"));
    else await this.fulfil(wish, true);
  }

  /** Nothing comes of a wish. @param {Wish} wish @param {boolean} again */
  idle(wish, again) {
    if (wish.kind === "tap") this.dispatchEvent(new CustomEvent("no-move", { detail: wish.card }));
    else if (wish.kind === "up") this.dispatchEvent(new CustomEvent("not-up", { detail: wish.card }));
    else if (again) this.dispatchEvent(new Event("overtaken"));
  }
}
