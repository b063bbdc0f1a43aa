// @ts-check
/** The player's own statistics, and the rankings. */

import { ask } from "../api.js";
import { SCORINGS, VARIANTS } from "../choices.js";
import { byId, fillSelect, make, openDialog } from "../dom.js";
import { clockTime, number, percent, t } from "../i18n.js";

/** @typedef {{place: number, player: string, points: number, play_ms: number}} Rank */

export class StatisticsDialog {
  /** @param {import("../connection.js").Connection} connection */
  constructor(connection) {
    this.connection = connection;
    this.variant = /** @type {HTMLSelectElement} */ (byId("ranking-variant"));
    this.scoring = /** @type {HTMLSelectElement} */ (byId("ranking-scoring"));
    for (const select of [this.variant, this.scoring]) select.addEventListener("change", () => this.showRanking());
  }

  /** @param {string} variant @param {string} scoring whose ranking is shown first */
  open(variant, scoring) {
    fillSelect(this.variant, named("variant", VARIANTS), variant);
    fillSelect(this.scoring, named("scoring", SCORINGS), scoring);
    openDialog("statistics");
    void this.showOwn();
    void this.showRanking();
  }

  async showOwn() {
    await fill(byId("own"), async () => {
      const { rows } = await ask("statistics", this.connection.token);
      return rows.length ? rows.map(tile) : [make("p", {}, t("statistics.none"))];
    });
  }

  async showRanking() {
    await fill(byId("ranking"), async () => {
      const path = `rankings/${this.variant.value}/${this.scoring.value}`;
      const { rows, own } = await ask(path, this.connection.token);
      if (!rows.length) return [make("p", {}, t("statistics.ranking-none"))];
      const further = own && !rows.some((/** @type {Rank} */ row) => row.player === own.player) ? [own] : [];
      return [rankingTable([...rows, ...further], this.connection.player, this.scoring.value)];
    });
  }
}

/** @param {HTMLElement} box @param {() => Promise<HTMLElement[]>} content */
async function fill(box, content) {
  box.setAttribute("aria-busy", "true");
  try {
    box.replaceChildren(...(await content()));
  } catch {
    box.replaceChildren(make("p", { class: "notice" }, t("statistics.unavailable")));
  }
  box.removeAttribute("aria-busy");
}

/** @param {string} kind @param {string[]} values @returns {[string, string][]} */
const named = (kind, values) => values.map((value) => [value, t(`${kind}.${value}`)]);

/** @param {Record<string, any>} row */
function tile(row) {
  const ended = row.wins + row.losses;
  /** @type {[string, string][]} */
  const figures = [
    ["games", number(row.games)],
    ["wins", number(row.wins)],
    ["rate", ended ? percent(row.wins / ended) : "–"],
    ["streak", number(Math.max(0, row.streak))],
    ["longest", number(row.longest_streak)],
    ["best-time", row.best_play_ms === null ? "–" : clockTime(row.best_play_ms)],
    ["fewest", row.fewest_moves === null ? "–" : number(row.fewest_moves)],
    ["best-points", row.best_points === null ? "–" : number(row.best_points)],
  ];
  const list = figures.map(([key, value]) =>
    make("div", { "data-figure": key }, make("dt", {}, t(`statistics.${key}`)), make("dd", {}, value)),
  );
  const help = t(row.assisted ? "statistics.assisted" : "statistics.unassisted");
  const title = [t(`variant.${row.variant}`), t(`scoring.${row.scoring}`), help].join(" · ");
  return make("div", { class: "tile", "data-variant": row.variant, "data-assisted": String(row.assisted) }, make("h4", {}, title), make("dl", {}, ...list));
}

/** @param {Rank[]} rows @param {string} player @param {string} scoring */
function rankingTable(rows, player, scoring) {
  const timed = scoring === "standard";
  const heads = [["statistics.place", "number"], ["statistics.player", ""], ["status.points", "number"], ...(timed ? [["status.time", "number"]] : [])];
  const body = rows.map((row) => {
    const own = row.player === player;
    const name = own ? t("statistics.you") : t("statistics.guest", { name: row.player.slice(0, 6) });
    const time = timed ? [make("td", { class: "number" }, clockTime(row.play_ms))] : [];
    const cells = [make("td", { class: "number" }, number(row.place)), make("td", {}, name), make("td", { class: "number" }, number(row.points)), ...time];
    return make("tr", own ? { class: "own" } : {}, ...cells);
  });
  const head = heads.map(([key, kind]) => make("th", { scope: "col", class: kind }, t(key)));
  return make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body));
}
