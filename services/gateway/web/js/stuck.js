// @ts-check
/** That a game is stuck: told once, with what may be done about it, and again only after a way out was found. */

import { t } from "./i18n.js";

/** @typedef {import("./types.js").View} View */

export class StuckTeller {
  /**
   * @param {import("./messages.js").Messages} messages
   * @param {import("./actions.js").Actions} actions
   * @param {() => void} newGame
   */
  constructor(messages, actions, newGame) {
    this.messages = messages;
    this.does = actions;
    this.newGame = newGame;
    /** @type {View | null} what is on the table, if it is stuck */
    this.view = null;
  }

  /** @param {View} view */
  changed(view) {
    const told = this.view?.game === view.game;
    const moved = this.view?.version !== view.version;
    this.view = view.stuck ? view : null;
    if (view.stuck && !told) this.messages.show(t("said.stuck"), { kind: "stuck", stays: true, actions: this.actions() });
    else if (moved) this.messages.hide("stuck");
  }

  /** What may be done. @returns {import("./messages.js").Action[]} */
  actions() {
    const undo = { label: t("action.undo"), run: () => this.does.simple("undo") };
    return [
      ...(this.does.table.view?.can_undo ? [undo] : []),
      { label: t("action.new"), run: this.newGame },
      { label: t("action.keep-playing"), run: () => {} },
    ];
  }
}
