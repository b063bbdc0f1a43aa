// @ts-check
/** The game that is shown: its newest view, and what happened to get there. Knows no screen and no rules. */

import { isWatched } from "./duel/seats.js";
import { distinct } from "./twins.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Frame} Frame */
/** @typedef {import("./types.js").GameEvent} GameEvent */
/** @typedef {{view: View, before: View | null, events: GameEvent[], live: boolean, seat?: number}} Change `live`: seen as it happened */

export class Game extends EventTarget {
  /** @param {import("./connection.js").Connection} connection */
  constructor(connection) {
    super();
    this.connection = connection;
    /** @type {View | null} */
    this.view = null;
    connection.resumePoint = () => this.view && pointOf(this.view);
    connection.addEventListener("frame", (event) => this.received(/** @type {CustomEvent<Frame>} */ (event).detail));
  }

  get running() {
    return this.view?.status === "running";
  }

  /** Show another game from now on. @param {Frame} frame the answer to `new-game` or `resume` */
  begin(frame) {
    if (!frame.view) throw new Error("this frame has no game");
    if (this.view?.game === frame.view.game) return this.received(frame);
    if (this.view) this.connection.leave(this.view.game);
    this.view = null;
    this.change(frame.view, frame.events ?? [], frame.type === "step", frame.seat);
  }

  /** @param {Frame} frame */
  received(frame) {
    const view = frame.view;
    if (!view || !this.view || view.game !== this.view.game || view.version <= this.view.version) return;
    if (frame.type === "step" && view.version > this.view.version + 1) {
      return void this.connection.resume(pointOf(this.view));
    }
    const missed = (frame.steps ?? []).flatMap((step) => step.events);
    this.change(view, frame.events ?? missed, frame.type === "step", frame.seat);
  }

  /** @param {View} view @param {GameEvent[]} events @param {boolean} live @param {number} [seat] */
  change(view, events, live, seat) {
    const before = this.view;
    this.view = distinct(view, before);
    this.dispatchEvent(new CustomEvent("changed", { detail: /** @type {Change} */ ({ view: this.view, before, events, live, seat }) }));
  }
}

/** From where a game is followed again: one's own, or one that is only watched. @param {View} view */
function pointOf(view) {
  const { game, version } = view;
  return isWatched(view) ? { type: "watch", game, version } : { game, version };
}
