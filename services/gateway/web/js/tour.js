// @ts-check
/** A first look around in a few steps: beside the table, so that it holds nothing up, and for newcomers once. */

import { byId } from "./dom.js";
import { t } from "./i18n.js";
import { remember, remembered } from "./storage.js";

/** Each step points at what it tells of; the style sheet marks that. */
const STEPS = ["goal", "columns", "stock", "help"];

export class Tour {
  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
    this.box = byId("tour");
    this.at = 0;
    /** Whether nobody has played in this browser before. */
    this.newcomer = remembered("tour") === null && remembered("game") === null;
    byId("tour-end").addEventListener("click", () => this.end());
    byId("tour-back").addEventListener("click", () => this.go(this.at - 1));
    byId("tour-next").addEventListener("click", () => this.go(this.at + 1));
    this.box.addEventListener("keydown", (event) => this.pressed(event));
  }

  /** @param {import("./types.js").View} view */
  changed(view) {
    const begins = view.status === "running" && !view.duel && view.moves === 0;
    if (begins && this.newcomer) this.begin();
  }

  /** Show it from its first step; it does not come again by itself. */
  begin() {
    this.newcomer = false;
    remember("tour", "shown");
    this.box.hidden = false;
    this.go(0);
    this.box.focus({ preventScroll: true });
  }

  /** @param {number} at */
  go(at) {
    if (at < 0) return;
    if (at >= STEPS.length) return this.end();
    this.at = at;
    this.show();
  }

  show() {
    if (this.box.hidden) return;
    const [step, last] = [STEPS[this.at], STEPS.length - 1];
    document.body.dataset.tour = step;
    byId("tour-text").textContent = t(step === "help" && this.table.view?.mode === "ranked" ? "tour.help-ranked" : `tour.${step}`);
    byId("tour-place").textContent = t("tour.place", { number: this.at + 1, last: STEPS.length });
    byId("tour-back").setAttribute("aria-disabled", String(this.at === 0));
    byId("tour-end").hidden = this.at === last;
    byId("tour-next").textContent = t(this.at === last ? "tour.done" : "tour.next");
  }

  end() {
    const focused = this.box.contains(document.activeElement);
    this.box.hidden = true;
    delete document.body.dataset.tour;
    if (focused) /** @type {HTMLElement | null} */ (this.table.root.querySelector('[tabindex="0"]'))?.focus();
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.repeat && ["Enter", " "].includes(event.key)) return event.preventDefault(); // each step is to be read
    /** @type {Record<string, () => void>} */
    const keys = { Escape: () => this.end(), ArrowRight: () => this.go(this.at + 1), ArrowLeft: () => this.go(this.at - 1) };
    if (event.target === this.box) keys.Enter = keys.ArrowRight; // before any of its buttons has the focus
    const run = event.ctrlKey || event.altKey || event.metaKey ? undefined : keys[event.key];
    if (!run) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  }
}
