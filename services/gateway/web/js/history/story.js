// @ts-check
/** A game that is over, as docs/schema/histories.json describes it, and each of its steps in words. */

import { clockTime, number, t } from "../i18n.js";
import { parseMove } from "../moves.js";
import { score } from "../score.js";
import { eventText, pileName } from "../words.js";

/** @typedef {import("../types.js").View} View */
/** @typedef {import("../types.js").GameEvent} GameEvent */
/** @typedef {Pick<View, "columns" | "foundations" | "stock" | "waste" | "pass_number">} Board */
/**
 * @typedef {object} Step
 * @property {number} version
 * @property {number} play_ms
 * @property {"deal" | "move" | "draw" | "recycle" | "undo" | "redo" | "hint" | "chances" | "pause" | "continue" | "resign"} deed
 * @property {string | null} move
 * @property {number} brought
 * @property {number} points
 * @property {number} moves
 * @property {boolean} stands
 * @property {Board} board
 * @property {GameEvent[]} events
 */
/**
 * @typedef {object} History
 * @property {string} game
 * @property {string} variant
 * @property {import("../types.js").Deal} deal
 * @property {string} shuffle
 * @property {string} commitment
 * @property {string} secret
 * @property {string} scoring
 * @property {"ranked" | "relaxed"} mode
 * @property {"won" | "lost" | "resigned"} result
 * @property {number} draw
 * @property {"waste" | "columns"} draws_to
 * @property {number | null} passes
 * @property {number} moves
 * @property {number} play_ms
 * @property {Step[]} steps
 */

/** What a step did, in a sentence or two. @param {Step} step */
export function stepText(step) {
  return step.events.map((event) => deedText(event, step)).filter(Boolean).join(" ");
}

/** @param {GameEvent} event @param {Step} step */
function deedText(event, step) {
  const move = moveWords(step.move ?? "");
  if (event.type === "move-undone") return t("history.undone", { move });
  if (event.type === "move-redone") return t("history.redone", { move });
  if (event.type === "hint-given") return t("history.hinted", { move });
  if (event.type === "game-ended") return t(`result.${event.result}`);
  if (event.type === "chances-given") return t("history.asked");
  if (event.type === "game-paused") return t(event.reason === "player" ? "said.paused" : "history.away");
  return eventText(event, /** @type {View} */ (step.board));
}

/** A move without its cards. @param {string} text */
export function moveWords(text) {
  const move = parseMove(text);
  if (move) return t("history.from-to", { source: pileName(move.source), target: pileName(move.target) });
  return t(text === "draw" ? "history.draw" : "history.recycle");
}

/** The figures after a step. @param {Step} step @param {string} scoring */
export function scoreText({ points, brought, moves, play_ms: time }, scoring) {
  const change = brought ? ` (${brought > 0 ? "+" : ""}${score(brought, scoring)})` : "";
  return t("history.score", { points: score(points, scoring) + change, moves: number(moves), time: clockTime(time) });
}

/** The table as the player saw it after a step. @param {History} history @param {Step} step @returns {View} */
export function viewOf(history, step) {
  const { game, variant, scoring, mode, draw, draws_to, passes } = history;
  const rest = { deal: { type: /** @type {const} */ ("secret") }, commitment: "", secret: "", at: 0, clock_runs: false, assisted: false, paused: null };
  const nothing = { can_undo: false, can_redo: false, legal: [], status: history.result };
  const { version, points, moves, play_ms } = step;
  return { game, variant, scoring, mode, draw, draws_to, passes, version, points, moves, play_ms, ...step.board, ...rest, ...nothing };
}

/** The step that made the move with this number, of those that stand; the deal for 0. @param {History} history @param {number} move */
export function stepOfMove({ steps }, move) {
  return Math.max(0, steps.findIndex((step) => step.stands && step.moves === move));
}
