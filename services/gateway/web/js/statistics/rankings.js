// @ts-check
/** The rankings of one kind of game: of today, of this week, of all time. */

import { ask } from "../api.js";
import { byId, make } from "../dom.js";
import { clockTime, number, t, utcDate } from "../i18n.js";
import { score } from "../score.js";

/** @typedef {{place: number, player: string, points: number, play_ms: number}} Rank */
/** @typedef {{rows: Rank[], own: Rank | null, period: string, begins_at: number | null, ends_at: number | null}} Ranking */

const DAY_MS = 86_400_000;

/** The three tabs; arrow keys go from one to the next. */
export class PeriodTabs {
  /** @param {HTMLElement} root with a button for each period @param {() => void} changed */
  constructor(root, changed) {
    this.tabs = /** @type {HTMLButtonElement[]} */ ([...root.querySelectorAll("[role=tab]")]);
    this.changed = changed;
    root.addEventListener("click", (event) => this.choose(/** @type {HTMLElement} */ (event.target).closest("[role=tab]")));
    root.addEventListener("keydown", (event) => this.step(event));
  }

  get period() {
    return this.tabs.find((tab) => tab.getAttribute("aria-selected") === "true")?.dataset.period ?? "all";
  }

  /** @param {Element | null} chosen */
  choose(chosen) {
    if (!chosen) return;
    for (const tab of this.tabs) {
      tab.setAttribute("aria-selected", String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
    }
    byId("ranking").setAttribute("aria-labelledby", chosen.id);
    this.changed();
  }

  /** @param {KeyboardEvent} event */
  step(event) {
    const now = this.tabs.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    const last = this.tabs.length - 1;
    const next = { ArrowRight: now === last ? 0 : now + 1, ArrowLeft: now === 0 ? last : now - 1, Home: 0, End: last }[event.key];
    if (next === undefined || now < 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.tabs[next].focus();
    this.choose(this.tabs[next]);
  }
}

/**
 * @param {import("../connection.js").Connection} connection
 * @param {string} variant @param {string} scoring @param {string} period
 */
export async function rankingContent(connection, variant, scoring, period) {
  /** @type {Ranking} */
  const ranking = await ask(`rankings/${variant}/${scoring}?period=${period}`, connection.token);
  const { rows, own } = ranking;
  const bounds = make("p", { class: "quiet" }, boundsText(ranking));
  if (!rows.length) return [bounds, make("p", {}, t("statistics.ranking-none"))];
  const further = own && !rows.some((row) => row.player === own.player) ? [own] : [];
  return [bounds, table([...rows, ...further], connection.player, scoring)];
}

/** From when to when wins count. @param {Ranking} ranking */
function boundsText({ begins_at: from, ends_at: to }) {
  if (from === null || to === null) return t("ranking.all-text");
  return to - from > DAY_MS ? t("ranking.week-text", { from: utcDate(from), to: utcDate(to - 1) }) : t("ranking.day-text", { day: utcDate(from) });
}

/** @param {Rank[]} rows @param {string} player @param {string} scoring */
function table(rows, player, scoring) {
  const timed = scoring !== "win-loss";
  const heads = [["statistics.place", "number"], ["statistics.player", ""], ["status.points", "number"], ...(timed ? [["status.time", "number"]] : [])];
  const body = rows.map((row) => {
    const own = row.player === player;
    const name = own ? t("statistics.you") : t("statistics.guest", { name: row.player.slice(0, 6) });
    const time = timed ? [make("td", { class: "number" }, clockTime(row.play_ms))] : [];
    const cells = [make("td", { class: "number" }, number(row.place)), make("td", {}, name), make("td", { class: "number" }, score(row.points, scoring)), ...time];
    return make("tr", own ? { class: "own" } : {}, ...cells);
  });
  const head = heads.map(([key, kind]) => make("th", { scope: "col", class: kind }, t(key)));
  return make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body));
}
