// @ts-check
/** How games of one kind went, one after the other: win rate, streaks and times, drawn and as a table. */

import { ask } from "../api.js";
import { make } from "../dom.js";
import { clockTime, dateTime, number, percent, t } from "../i18n.js";
import { plot } from "./plots.js";

/** @typedef {{at: number, result: string, play_ms: number}} End */
/** @typedef {import("./plots.js").Drawing} Drawing */

const GAMES_MAX = 100;
const RATE_OVER = 20;
const WIDTH_LEAST = 240;

/**
 * The last games of a kind that are over, the oldest first.
 * @param {string} token @param {string} variant @param {string} scoring @param {boolean} assisted
 * @returns {Promise<End[]>}
 */
export async function fetchCourse(token, variant, scoring, assisted) {
  const query = new URLSearchParams({ variant, scoring, assisted: String(assisted), limit: String(GAMES_MAX) });
  const { games } = await ask(`history?${query}`, token);
  return games.map((/** @type {{end: End}} */ game) => game.end).reverse();
}

/** The drawings and the table. @param {End[]} ends @param {number} width pixels */
export function courseOf(ends, width) {
  const rates = winRates(ends);
  const wide = Math.max(WIDTH_LEAST, width);
  const figures = [rateDrawing(rates), streakDrawing(streaks(ends)), timeDrawing(ends)].filter((one) => one.drawing.values.length);
  const drawn = figures.map(({ title, drawing }) => make("figure", { class: "plot" }, make("figcaption", {}, title), plot(drawing, wide)));
  return [...drawn, tableOf(ends, rates)];
}

/** The share of wins among the last games up to each. @param {End[]} ends */
export function winRates(ends) {
  return ends.map((_, index) => {
    const last = ends.slice(Math.max(0, index + 1 - RATE_OVER), index + 1);
    return last.filter(isWin).length / last.length;
  });
}

/** How many equal ends each game ends a row of; losses below zero; a draw is none. @param {End[]} ends */
export function streaks(ends) {
  /** @type {number[]} */
  const found = [];
  for (const end of ends) {
    const before = found[found.length - 1] ?? 0;
    if (end.result === "drawn") found.push(0);
    else found.push(isWin(end) ? Math.max(before, 0) + 1 : Math.min(before, 0) - 1);
  }
  return found;
}

/** @param {End} end */
const isWin = (end) => end.result === "won";

/** @param {number[]} rates @returns {{title: string, drawing: Drawing}} */
function rateDrawing(rates) {
  const name = t("course.rate-name", { over: RATE_OVER, games: rates.length, now: percent(rates[rates.length - 1]), most: percent(Math.max(...rates)) });
  const ticks = /** @type {[number, string][]} */ ([0, 0.5, 1].map((share) => [share, percent(share)]));
  return { title: t("course.rate", { over: RATE_OVER }), drawing: { name, kind: "line", values: rates, ticks } };
}

/** @param {number[]} rows @returns {{title: string, drawing: Drawing}} */
function streakDrawing(rows) {
  const [worst, best] = [Math.min(0, ...rows), Math.max(0, ...rows)];
  const name = t("course.streaks-name", { wins: number(best), losses: number(-worst) });
  const ends = [...new Set([worst, 0, best])];
  return { title: t("course.streaks"), drawing: { name, kind: "bars", values: rows, ticks: ends.map((row) => [row, number(Math.abs(row))]) } };
}

/** @param {End[]} ends @returns {{title: string, drawing: Drawing}} */
function timeDrawing(ends) {
  const times = ends.filter(isWin).map((end) => end.play_ms);
  const longest = Math.max(...times, 1);
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  const name = t("course.times-name", { best: clockTime(Math.min(...times)), mean: clockTime(mean) });
  return { title: t("course.times"), drawing: { name, kind: "dots", values: times, ticks: [[0, clockTime(0)], [longest, clockTime(longest)]] } };
}

/** @param {End[]} ends @param {number[]} rates */
function tableOf(ends, rates) {
  const heads = ["course.ended", "course.result", "statistics.rate", "status.time"].map((key) => make("th", { scope: "col" }, t(key)));
  const rows = ends.map((end, index) => {
    const cells = [dateTime(end.at), t(`over.${end.result}`), percent(rates[index]), clockTime(end.play_ms)];
    return make("tr", {}, ...cells.map((cell) => make("td", {}, cell)));
  });
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows.reverse()));
  return make("details", { class: "as-table" }, make("summary", {}, t("course.table")), table);
}
