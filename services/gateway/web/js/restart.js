// @ts-check
/** Beginning a deal once more: back to its first table by undo, or, where there is none, a numbered deal dealt again. */

import { byId, dialog } from "./dom.js";

/** @typedef {import("./types.js").View} View */

export class Restart {
  /**
   * @param {import("./commander.js").Commander} commander
   * @param {import("./actions.js").Actions} actions
   * @param {() => void} dealAgain the same numbered deal
   */
  constructor(commander, actions, dealAgain) {
    this.commander = commander;
    /** Whether moves are taken back, one after the other, until the player does something. */
    this.going = false;
    byId("restart-yes").addEventListener("click", () => {
      dialog("restarting").close();
      if (!commander.game.view?.can_undo) return dealAgain();
      actions.touched();
      this.going = true;
      this.next();
    });
    actions.addEventListener("touched", () => (this.going = false));
    commander.addEventListener("refused", () => (this.going = false));
    commander.addEventListener("settled", () => this.next());
  }

  /** What can be begun once more. @param {View} view */
  offer(view) {
    const playable = view.status === "running" && !view.paused && !view.duel;
    const again = view.moves > 0 && view.deal.type === "number";
    /** @type {HTMLButtonElement} */ (byId("restart")).disabled = !playable || !(view.can_undo || again);
    byId("restart-undo").hidden = !view.can_undo;
    byId("restart-again").hidden = view.can_undo;
  }

  next() {
    const { game, working } = this.commander;
    if (!this.going || working) return;
    this.going = game.running && Boolean(game.view?.can_undo);
    if (this.going) this.commander.want({ kind: "undo" });
  }
}
