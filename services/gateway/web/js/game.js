// @ts-check
/** The game that is shown: its newest view, and what happened to get there. Knows no screen and no rules. */

import { isWatched } from "./duel/seats.js";
import { distinct } from "./twins.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Frame} Frame */
/** @typedef {import("./types.js").GameEvent} GameEvent */
/** @typedef {{view: View, before: View | null, events: GameEvent[], live: boolean, commands: string[], seat?: number}} Change `live`: seen as it happened; `commands`: those that are done with it */

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
    this.change(frame.view, frame);
  }

  /** @param {Frame} frame */
  received(frame) {
    const view = frame.view;
    if (!view || !this.view || view.game !== this.view.game || view.version <= this.view.version) return;
    if (frame.type === "step" && view.version > this.view.version + 1) {
      return void this.connection.resume(pointOf(this.view));
    }
    this.change(view, frame);
  }

  /** @param {View} view @param {Frame} frame that has it */
  change(view, { type, command, events, steps, seat }) {
    const before = this.view;
    this.view = distinct(view, before);
    const missed = steps ?? [];
    /** @type {Change} */
    const detail = {
      view: this.view,
      before,
      events: events ?? missed.flatMap((step) => step.events),
      live: type === "step",
      commands: [...missed.map((step) => step.command), ...(command ? [command] : [])],
      seat,
    };
    this.dispatchEvent(new CustomEvent("changed", { detail }));
  }
}

/** From where a game is followed again: one's own, or one that is only watched. @param {View} view */
function pointOf(view) {
  const { game, version } = view;
  return isWatched(view) ? { type: "watch", game, version } : { game, version };
}
