// @ts-check
/** The sums of one kind of game, as figures. */

import { make } from "../dom.js";
import { clockTime, number, percent, t } from "../i18n.js";
import { score } from "../score.js";

/**
 * @typedef {object} Sums as `GET /api/statistics` has them
 * @property {string} variant
 * @property {string} scoring
 * @property {boolean} assisted
 * @property {number} games
 * @property {number} wins
 * @property {number} losses
 * @property {number} draws
 * @property {number | null} best_points
 * @property {number | null} best_play_ms
 * @property {number | null} fewest_moves
 * @property {number} play_ms
 * @property {number} streak
 * @property {number} longest_streak
 * @property {number} longest_losses
 */

/** @param {Sums} row */
export function tile(row) {
  const list = figures(row).map(([key, value]) => make("div", { "data-figure": key }, make("dt", {}, t(`statistics.${key}`)), make("dd", {}, value)));
  const help = t(row.assisted ? "statistics.assisted" : "statistics.unassisted");
  const title = [t(`variant.${row.variant}`), t(`scoring.${row.scoring}`), help].join(" · ");
  return make("div", { class: "tile", "data-variant": row.variant, "data-assisted": String(row.assisted) }, make("h4", {}, title), make("dl", {}, ...list));
}

/** @param {Sums} row @returns {[string, string][]} */
function figures(row) {
  const ended = row.wins + row.losses + row.draws;
  return [
    ["games", number(row.games)],
    ["running", number(row.games - ended)],
    ["wins", number(row.wins)],
    ["rate", ended ? percent(row.wins / ended) : "–"],
    ["streak", number(Math.max(row.streak, 0))],
    ["losing", number(Math.max(-row.streak, 0))],
    ["longest", number(row.longest_streak)],
    ["longest-losses", number(row.longest_losses)],
    ["best-time", orNone(row.best_play_ms, clockTime)],
    ["mean-time", row.wins ? clockTime(row.play_ms / row.wins) : "–"],
    ["fewest", orNone(row.fewest_moves, number)],
    ["best-points", orNone(row.best_points, (points) => score(points, row.scoring))],
  ];
}

/** @param {number | null} value @param {(value: number) => string} written */
const orNone = (value, written) => (value === null ? "–" : written(value));
