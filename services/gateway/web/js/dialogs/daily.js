// @ts-check
/** Deals of the day: a month's, what came of them, and any of them to play. */

import { ask } from "../api.js";
import { SCORINGS, VARIANTS, lastChoice, newestDay, oneOf, solved, today } from "../choices.js";
import { hasDeal, later, laterMonth, monthOf, nearest, weeksOf } from "../daily/month.js";
import { byId, dialog, fillSelect, make, openDialog } from "../dom.js";
import { clockTime, fullDay, monthName, number, t, weekdays } from "../i18n.js";

/** @typedef {{day: string, won: boolean, in_time: boolean, assisted: boolean, play_ms: number | null}} Result */
/** @typedef {{days: Result[], streak: number, longest_streak: number}} Calendar */

/** Days that a key goes on by. @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
/** @type {Record<string, number>} */
const MONTH_STEPS = { PageUp: -1, PageDown: 1 };

export class DailyDialog {
  /** @param {import("../connection.js").Connection} connection @param {(choice: import("../types.js").Choice) => void} start */
  constructor(connection, start) {
    this.connection = connection;
    this.start = start;
    this.variant = /** @type {HTMLSelectElement} */ (byId("daily-variant"));
    this.day = today();
    /** The newest day that is offered: today, or one that a link names from where it has begun earlier. */
    this.newest = today();
    /** @type {Calendar | null} what is known of the month that is shown */
    this.known = null;
    this.variant.addEventListener("change", () => this.choose(this.day));
    byId("daily-before").addEventListener("click", () => void this.turn(-1));
    byId("daily-after").addEventListener("click", () => void this.turn(1));
    byId("daily-today").addEventListener("click", () => this.play(today()));
    byId("daily-days").addEventListener("keydown", (event) => this.step(event));
  }

  /** @param {string} variant @param {string} [day] */
  open(variant, day = today()) {
    fillSelect(this.variant, VARIANTS.map((one) => [one, t(`variant.${one}`)]), oneOf(VARIANTS, variant));
    this.newest = hasDeal(day, newestDay()) && day > today() ? day : today();
    openDialog("daily");
    this.choose(day);
  }

  /** A variant was chosen: show its month, and where it is not certain that the deals can be won. @param {string} day */
  choose(day) {
    byId("daily-uncertain").hidden = solved(this.variant.value);
    void this.show(day);
  }

  /** Show the month of a day. @param {string} day @param {boolean} [focus] on the day */
  async show(day, focus = false) {
    this.day = nearest(day, this.newest);
    this.known = null;
    this.draw(focus);
    const [month, variant] = [monthOf(this.day), this.variant.value];
    byId("daily-days").setAttribute("aria-busy", "true");
    /** @type {Calendar | null} */
    const found = await ask(`daily/${variant}/calendar?month=${month}`, this.connection.token).catch(() => null);
    if (month !== monthOf(this.day) || variant !== this.variant.value) return;
    this.known = found;
    this.draw(byId("daily-days").contains(document.activeElement));
    byId("daily-days").removeAttribute("aria-busy");
    byId("daily-row").textContent = found ? t("daily.streak", { now: number(found.streak), most: number(found.longest_streak) }) : t("statistics.unavailable");
  }

  /** @param {boolean} focus */
  draw(focus) {
    const month = monthOf(this.day);
    byId("daily-month").textContent = monthName(month);
    /** @type {HTMLButtonElement} */ (byId("daily-before")).disabled = laterMonth(month, -1) < monthOf(nearest("", this.newest));
    /** @type {HTMLButtonElement} */ (byId("daily-after")).disabled = month >= monthOf(this.newest);
    const head = weekdays().map(([short, long]) => make("th", { scope: "col", abbr: long }, short));
    const rows = weeksOf(month).map((week) => make("tr", {}, ...week.map((cell) => make("td", {}, ...(cell ? [this.button(cell)] : [])))));
    byId("daily-days").replaceChildren(make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
    if (focus) this.focusDay();
  }

  /** @param {import("../daily/month.js").Cell} cell */
  button({ day, number: text }) {
    const result = this.known?.days.find((one) => one.day === day);
    const state = stateOf(result);
    const button = make("button", { type: "button", class: "day", "data-day": day, "data-state": state }, make("span", {}, number(text)));
    button.disabled = !hasDeal(day, this.newest);
    button.tabIndex = day === this.day ? 0 : -1;
    if (day === today()) button.setAttribute("aria-current", "date");
    button.setAttribute("aria-label", `${fullDay(day)}: ${resultText(result, state)}`);
    button.title = resultText(result, state);
    button.addEventListener("click", () => this.play(day));
    return button;
  }

  /** @param {string} day */
  play(day) {
    const { mode, scoring } = lastChoice();
    const variant = this.variant.value;
    dialog("daily").close();
    this.start({ variant, mode, scoring: oneOf(SCORINGS[variant] ?? [], scoring), deal: { type: "daily", day } });
  }

  /** @param {KeyboardEvent} event */
  step(event) {
    const months = MONTH_STEPS[event.key];
    const days = STEPS[event.key];
    if (months === undefined && days === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const day = nearest(months === undefined ? later(this.day, days) : `${laterMonth(monthOf(this.day), months)}-01`, this.newest);
    if (monthOf(day) !== monthOf(this.day)) return void this.show(day, true);
    this.day = day;
    for (const button of byId("daily-days").querySelectorAll("button")) button.tabIndex = button.dataset.day === day ? 0 : -1;
    this.focusDay();
  }

  /** @param {number} months */
  async turn(months) {
    await this.show(`${laterMonth(monthOf(this.day), months)}-01`);
  }

  focusDay() {
    /** @type {HTMLElement | null} */ (byId("daily-days").querySelector(`[data-day="${this.day}"]`))?.focus();
  }
}

/** @param {Result | undefined} result */
function stateOf(result) {
  if (!result) return "open";
  if (!result.won) return "played";
  return result.in_time ? "won" : "late";
}

/** @param {Result | undefined} result @param {string} state */
function resultText(result, state) {
  const time = clockTime(result?.play_ms ?? 0);
  return result?.won && result.assisted ? `${t(`daily.${state}`, { time })}, ${t("statistics.assisted")}` : t(`daily.${state}`, { time });
}
