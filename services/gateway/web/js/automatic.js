// @ts-check
/**
 * Cards that go up without being told to: the safe ones or all of them, as the player has chosen, after each move of the
 * player's own; and all that is left, once everything is open. What the player takes back or down is left alone, and
 * anything that the player does goes first.
 */

import { nextAutomatic, stillHeld } from "./safe.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./wishes.js").Wish} Wish */

/** Between two cards that go up by themselves, so that they can be followed and stopped. */
const STEP_MS = 80;
const MOVES = ["draw", "tap", "up", "drop"];
/** What changes where cards lie. */
const CHANGES = /^(cards|stock|move)-/;

export class Automatic {
  /**
   * @param {import("./commander.js").Commander} commander
   * @param {import("./actions.js").Actions} actions
   * @param {import("./settings.js").Settings} settings
   * @param {{waits: () => boolean, stopped: () => void}} told `waits`: the player is in the middle of something
   */
  constructor(commander, actions, settings, told) {
    this.commander = commander;
    this.settings = settings;
    this.told = told;
    /** Whether everything is moved up because the player asked for it, and whether that only begins. @type {"" | "begins" | "follows"} */
    this.finishing = "";
    /** Whether the newest thing that the player did was a move. */
    this.due = false;
    /** Whether what is wanted is wanted by this. */
    this.own = false;
    /** @type {Set<string>} */
    this.held = new Set();
    /** Which of the moves that can be undone were automatic, and of those that can be made again. */
    this.trail = { made: /** @type {boolean[]} */ ([]), undone: /** @type {boolean[]} */ ([]) };
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    actions.addEventListener("touched", () => this.stop());
    commander.addEventListener("wanted", () => this.own || this.stop());
    commander.addEventListener("settled", () => this.wait());
    commander.connection.addEventListener("state", () => this.wait());
  }

  /** The card that goes up next, if any. @returns {string | null} */
  get card() {
    const { view } = this.commander.game;
    if (!view) return null;
    if (this.finishing) return nextAutomatic(view, "always", new Set());
    const manner = /** @type {import("./safe.js").Manner} */ (this.settings.get("automatic"));
    return this.due ? nextAutomatic(view, manner, this.held) : null;
  }

  /** Move all remaining cards up, one after the other. */
  finish() {
    this.finishing = "begins";
    this.next();
  }

  /** The player does something: that goes first, and if it is no move, nothing follows it. */
  stop() {
    clearTimeout(this.timer);
    const stopped = this.card !== null;
    this.finishing = "";
    this.due = false;
    if (stopped) this.told.stopped();
  }

  /** @param {import("./game.js").Change} change */
  changed({ view, before, events, commands }) {
    const { sent } = this.commander;
    this.held = stillHeld(before, view, this.held);
    if (before?.game !== view.game) this.finishing = "";
    if (sent && commands.includes(sent.id)) this.did(sent.wish);
    else if (before?.game !== view.game || events.some(({ type }) => CHANGES.test(type))) this.forget();
  }

  /** Another game, or a move that was made elsewhere. */
  forget() {
    this.trail = { made: [], undone: [] };
    this.due = false;
  }

  /**
   * A wish came about. What was automatic is taken back, and made again, with the move that it followed; all that was
   * finished together, by itself.
   * @param {Wish} wish
   */
  did(wish) {
    const { made, undone } = this.trail;
    this.due = MOVES.includes(wish.kind);
    if (this.due) {
      made.push("automatic" in wish && wish.automatic === "follows");
      undone.length = 0;
    } else if (wish.kind === "undo") {
      undone.push(made.pop() ?? false);
      if (undone.at(-1)) this.want({ kind: "undo" });
    } else if (wish.kind === "redo") {
      made.push(undone.pop() ?? false);
      if (undone.at(-1)) this.want({ kind: "redo" });
    }
  }

  wait() {
    clearTimeout(this.timer);
    if (this.card) this.timer = setTimeout(() => this.next(), STEP_MS);
    else this.finishing = "";
  }

  next() {
    const { working, question, connection } = this.commander;
    if (working || connection.state !== "online") return;
    if (question || this.told.waits()) return this.wait();
    const { card } = this;
    if (!card) return;
    const automatic = this.finishing || "follows";
    if (this.finishing) this.finishing = "follows";
    this.want({ kind: "up", card, automatic });
  }

  /** @param {Wish} wish */
  want(wish) {
    this.own = true;
    this.commander.want(wish);
    this.own = false;
  }
}
