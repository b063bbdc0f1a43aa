// @ts-check
/** The player's own statistics, and the rankings. */

import { ask } from "../api.js";
import { SCORINGS, VARIANTS, oneOf } from "../choices.js";
import { byId, fillSelect, make, openDialog } from "../dom.js";
import { clockTime, dollars, number, percent, t } from "../i18n.js";
import { score } from "../score.js";

/** @typedef {{place: number, player: string, points: number, play_ms: number}} Rank */

export class StatisticsDialog {
  /** @param {import("../connection.js").Connection} connection */
  constructor(connection) {
    this.connection = connection;
    this.variant = /** @type {HTMLSelectElement} */ (byId("ranking-variant"));
    this.scoring = /** @type {HTMLSelectElement} */ (byId("ranking-scoring"));
    this.variant.addEventListener("change", () => this.choose(this.variant.value, this.scoring.value));
    this.scoring.addEventListener("change", () => this.showRanking());
  }

  /** @param {string} variant @param {string} scoring whose ranking is shown first */
  open(variant, scoring) {
    fillSelect(this.variant, named("variant", VARIANTS), variant);
    openDialog("statistics");
    void this.showOwn();
    this.choose(variant, scoring);
  }

  /** @param {string} variant @param {string} wanted the scoring, where the variant has it */
  choose(variant, wanted) {
    const offered = SCORINGS[variant] ?? [];
    fillSelect(this.scoring, named("scoring", offered), oneOf(offered, wanted));
    void this.showRanking();
  }

  async showOwn() {
    await fill(byId("own"), async () => {
      const { rows, bankroll } = await ask("statistics", this.connection.token);
      if (!rows.length) return [make("p", {}, t("statistics.none"))];
      const money = bankroll === null ? [] : [make("p", { "data-figure": "bankroll" }, t("statistics.bankroll", { sum: dollars(bankroll) }))];
      return [...money, ...rows.map(tile)];
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
    ["best-points", row.best_points === null ? "–" : score(row.best_points, row.scoring)],
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
