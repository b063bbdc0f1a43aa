// @ts-check
/** Whether there is still a way to win: asked for, told in words, and gone with the next move. */

import { solved } from "./choices.js";
import { percent, t } from "./i18n.js";

/** @typedef {import("./types.js").Chances} Chances */

export class ChancesTeller {
  /**
   * @param {import("./messages.js").Messages} messages
   * @param {import("./actions.js").Actions} actions
   */
  constructor(messages, actions) {
    this.messages = messages;
    this.actions = actions;
    /** @type {string | null} what was told of the position on the table */
    this.told = null;
  }

  /** Ask; the same position has the same answer, so it is asked for once. */
  ask() {
    const { view } = this.actions.table;
    if (view && !solved(view.variant)) this.messages.show(t("chances.unsolved"), { kind: "chances" });
    else if (this.told) this.show(this.told);
    else this.actions.simple("chances");
  }

  /** @param {import("./game.js").Change} change */
  changed({ events, live }) {
    this.told = null;
    this.messages.hide("chances");
    const given = events.find((event) => event.type === "chances-given");
    if (!live || !given) return;
    this.told = chancesText(given.chances);
    this.show(this.told);
  }

  /** @param {string} text */
  show(text) {
    this.messages.show(text, { kind: "chances", stays: true });
  }
}

/** @param {Chances} chances */
export function chancesText(chances) {
  if (chances.type === "lost") return t("chances.lost");
  const { samples, winnable, undecided, low, high } = chances;
  if (low === 1) return t("chances.certain");
  const values = { n: samples, winnable, low: percent(low), high: percent(high) };
  if (chances.exact && !undecided) return t("chances.exact", values);
  return winnable ? t("chances.estimate", values) : t("chances.none", values);
}
