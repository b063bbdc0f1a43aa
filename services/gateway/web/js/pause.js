// @ts-check
/** A pause: the clock stands still, and instead of the table there is a button to go on. */

import { byId } from "./dom.js";

/** Who is back from an absence is taken on by the server at once; only if that fails the table is closed for it. */
const TAKEN_ON_MS = 1_000;

export class Pause {
  /**
   * @param {import("./table.js").Table} table
   * @param {() => void} goOn
   */
  constructor(table, goOn) {
    this.table = table;
    this.panel = byId("paused");
    this.button = byId("continue");
    /** @type {{pile: string, card: string | null} | null} where the focus was */
    this.was = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.button.addEventListener("click", goOn);
  }

  /** To be told before the table is. @param {import("./types.js").View} view */
  changed(view) {
    clearTimeout(this.timer);
    if (!view.paused) this.open();
    else if (view.paused === "player") this.close();
    else this.timer = setTimeout(() => this.close(), TAKEN_ON_MS);
  }

  close() {
    if (this.table.closed) return;
    this.was = this.table.focusedPile();
    this.panel.hidden = false;
    this.table.close(true);
    this.button.focus();
  }

  open() {
    if (!this.table.closed) return;
    const focused = document.activeElement === this.button;
    this.panel.hidden = true;
    this.table.close(false);
    if (focused) this.table.keepFocus(this.was ?? { pile: "S", card: null });
  }
}
