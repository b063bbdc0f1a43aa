// @ts-check
/** Goes through a game that is over: one step shown at a time, on a table of its own. */

import { svg } from "../svg.js";
import { byId, make } from "../dom.js";
import { t } from "../i18n.js";
import { Table } from "../table.js";
import { distinct } from "../twins.js";
import { scoreText, sidesOf, smallView, stepText, viewOf } from "./story.js";
import { Timeline } from "./timeline.js";

/** @typedef {import("./story.js").History} History */

const PLAY_MS = 700;
const PAGE = 10;

export class Viewer {
  /** @param {import("../settings.js").Settings} settings */
  constructor(settings) {
    this.table = new Table(byId("history-table"), settings);
    this.small = new Table(byId("history-small"), settings);
    this.timeline = new Timeline(byId("history-chart"), (index) => this.go(index));
    this.place = /** @type {HTMLInputElement} */ (byId("history-place"));
    this.list = byId("history-moves");
    this.caption = byId("history-caption");
    this.toggle = byId("history-play");
    /** @type {History | null} */
    this.history = null;
    this.index = 0;
    this.playing = 0;
    this.place.addEventListener("input", () => this.go(Number(this.place.value)));
    this.list.addEventListener("click", (event) => {
      const step = /** @type {HTMLElement} */ (event.target).closest("[data-step]");
      if (step) this.go(Number(/** @type {HTMLElement} */ (step).dataset.step));
    });
    const on = (/** @type {string} */ id, /** @type {() => void} */ run) => byId(id).addEventListener("click", run);
    on("history-first", () => this.go(0));
    on("history-back", () => this.go(this.index - 1));
    on("history-play", () => this.play(!this.playing));
    on("history-forward", () => this.go(this.index + 1));
    on("history-last", () => this.go(this.last));
  }

  get last() {
    return (this.history?.steps.length ?? 1) - 1;
  }

  /** @param {History} history */
  show(history) {
    this.history = history;
    this.place.max = String(this.last);
    byId("history-viewer").classList.toggle("two", history.steps.some((step) => step.other));
    this.timeline.show(history);
    this.list.replaceChildren(...history.steps.map((step, index) => {
      const number = make("span", { class: "number" }, step.stands ? `${step.moves}.` : "");
      const button = make("button", { type: "button", tabindex: "-1", "data-step": String(index) }, number, stepText(step));
      return make("li", { class: step.stands || !step.move ? "" : "gone" }, button);
    }));
    this.index = -1;
    this.play(false);
    this.go(0);
  }

  /** @param {number} wanted */
  go(wanted, byItself = false) {
    if (!this.history) return;
    if (!byItself) this.play(false);
    const index = Math.min(this.last, Math.max(0, wanted));
    if (index === this.index) return;
    const step = this.history.steps[index];
    this.showTables(this.history, step, Math.abs(index - this.index) === 1);
    this.index = index;
    this.timeline.move(index);
    const place = t("history.step", { number: index, last: this.last });
    this.place.value = String(index);
    this.place.setAttribute("aria-valuetext", `${place}: ${stepText(step)}`);
    const figures = `${place} · ${scoreText(step, this.history.scoring)}`;
    this.caption.replaceChildren(make("strong", {}, stepText(step)), " ", make("span", { class: "quiet" }, figures));
    this.markStep(index);
  }

  /** @param {History} history @param {import("./story.js").Step} step @param {boolean} animate */
  showTables(history, step, animate) {
    this.table.show(distinct(viewOf(history, step, sidesOf(step)[0]), this.table.view), animate);
    const small = smallView(history, step);
    byId("history-small").classList.toggle("unseen-yet", !small);
    if (small) this.small.show(distinct(small, this.small.view), animate);
  }

  redraw() {
    this.table.redraw();
    this.small.redraw();
  }

  /** @param {number} index */
  markStep(index) {
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const item = this.list.children[index];
    item.setAttribute("aria-current", "step");
    const [top, bottom] = [item instanceof HTMLElement ? item.offsetTop : 0, item.clientHeight];
    this.list.scrollTop = top - this.list.offsetTop - (this.list.clientHeight - bottom) / 2;
  }

  /** @param {boolean} on */
  play(on) {
    clearInterval(this.playing);
    if (on && this.index === this.last) this.go(0);
    this.playing = on ? setInterval(() => this.playOn(), PLAY_MS) : 0;
    this.caption.setAttribute("aria-live", on ? "off" : "polite"); // a voice could not keep up
    const text = t(on ? "auto.pause" : "history.play");
    this.toggle.setAttribute("aria-label", text);
    this.toggle.title = text;
    this.toggle.replaceChildren(svg("svg", { class: "icon", "aria-hidden": "true" }, svg("use", { href: on ? "#icon-pause" : "#icon-play" })));
  }

  playOn() {
    this.go(this.index + 1, true);
    if (this.index === this.last) this.play(false);
  }

  /** @param {KeyboardEvent} event @returns {boolean} whether the key meant the viewer */
  pressed(event) {
    /** @type {Record<string, number>} */
    const places = {
      ArrowLeft: this.index - 1, ArrowRight: this.index + 1, PageUp: this.index - PAGE, PageDown: this.index + PAGE, Home: 0, End: this.last,
    };
    const onButton = /** @type {HTMLElement} */ (event.target).closest("button");
    if (!this.history || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key in places) this.go(places[event.key]);
    else if (event.key === " " && !onButton) this.play(!this.playing);
    else return false;
    return true;
  }
}
