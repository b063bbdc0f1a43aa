// @ts-check
/** A game that is over, as docs/schema/histories.json describes it, and each of its steps in words. */

import { clockTime, number, t } from "../i18n.js";
import { parseMove } from "../moves.js";
import { score } from "../score.js";
import { eventText, pileName } from "../words.js";

/** @typedef {import("../types.js").View} View */
/** @typedef {import("../types.js").GameEvent} GameEvent */
/** @typedef {Pick<View, "columns" | "foundations" | "stock" | "waste" | "pass_number">} Board */
/** @typedef {{board: Board, points: number, moves: number, cards_up: number}} Side */
/**
 * @typedef {object} Step
 * @property {number} version
 * @property {number} play_ms
 * @property {"deal" | "move" | "draw" | "recycle" | "undo" | "redo" | "hint" | "chances" | "pause" | "continue" | "resign" | "join" | "leave" | "return" | "claim"} deed
 * @property {string | null} move
 * @property {number} brought
 * @property {number} points
 * @property {number} moves
 * @property {boolean} stands
 * @property {Board} board
 * @property {GameEvent[]} events
 * @property {number} [seat] of games for two: whose step it is; board, points and moves are that side's
 * @property {number} [cards_up]
 * @property {Side} [other] the other side since
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
 * @property {"won" | "lost" | "resigned" | "drawn"} result
 * @property {number} draw
 * @property {"waste" | "columns"} draws_to
 * @property {number | null} passes
 * @property {number} moves
 * @property {number} play_ms
 * @property {Step[]} steps
 * @property {{result: string}[]} [seats] of games for two: how it ended for each
 */

const SUITS = 4;
const MOVES = new Set(["move", "draw", "recycle"]);

/** What a step did, in a sentence or two. @param {Step} step */
export function stepText(step) {
  const text = step.events.map((event) => deedText(event, step)).filter(Boolean).join(" ");
  return step.seat !== undefined && MOVES.has(step.deed) ? `${tableName(step.seat)}: ${text}` : text;
}

/** Where a player of a game for two sits: who invited, at the large table. @param {number} seat */
export const tableName = (seat) => t(seat === 0 ? "history.large" : "history.small");

/** What both have, by seat; of a game for one, or that nobody has joined, one side. @param {Step} step @returns {Side[]} */
export function sidesOf({ seat, board, points, moves, cards_up = 0, other }) {
  const own = { board, points, moves, cards_up };
  if (!other) return [own];
  return seat === 1 ? [other, own] : [own, other];
}

/** @param {GameEvent} event @param {Step} step */
function deedText(event, step) {
  const move = moveWords(step.move ?? "");
  if (event.type === "move-undone") return t("history.undone", { move });
  if (event.type === "move-redone") return t("history.redone", { move });
  if (event.type === "hint-given") return t("history.hinted", { move });
  if (event.type === "game-ended") return t(event.seats ? "duel.over" : `result.${event.result}`);
  if (event.type === "chances-given") return t("history.asked");
  if (event.type === "game-paused") return t(event.reason === "player" ? "said.paused" : "history.away");
  const duel = step.seat === undefined ? undefined : { seat: null, opponent: step.other ?? null }; // as who watches is told
  return eventText(event, /** @type {View} */ (/** @type {unknown} */ ({ ...step.board, duel })));
}

/** A move without its cards. @param {string} text */
export function moveWords(text) {
  const move = parseMove(text);
  if (move) return t("history.from-to", { source: pileName(move.source), target: pileName(move.target) });
  return t(text === "draw" ? "history.draw" : "history.recycle");
}

/** The figures after a step. @param {Step} step @param {string} scoring */
export function scoreText(step, scoring) {
  const { points, brought, moves, play_ms: time } = step;
  const [large, small] = sidesOf(step);
  if (small) return [t("duel.score-watched", { own: number(large.cards_up), others: number(small.cards_up) }), clockTime(time)].join(" · ");
  const change = brought ? ` (${brought > 0 ? "+" : ""}${score(brought, scoring)})` : "";
  return t("history.score", { points: score(points, scoring) + change, moves: number(moves), time: clockTime(time) });
}

/** How a game ended, for each where there are two. @param {History} history */
export function endsText({ result, seats }) {
  if (!seats) return [t(`over.${result}`)];
  return seats.map((end, seat) => `${tableName(seat)}: ${t(`over.${end.result}`)}`);
}

/** A table as its player saw it after a step. @param {History} history @param {Step} step @param {Side} side @returns {View} */
export function viewOf(history, step, { board, points, moves }) {
  const { game, variant, scoring, mode, draw, draws_to, passes } = history;
  const rest = { deal: { type: /** @type {const} */ ("secret") }, commitment: "", secret: "", at: 0, clock_runs: false, assisted: false, paused: null };
  const nothing = { can_undo: false, can_redo: false, legal: [], stuck: false, status: history.result };
  const { version, play_ms } = step;
  return { game, variant, scoring, mode, draw, draws_to, passes, version, points, moves, play_ms, ...board, ...rest, ...nothing };
}

/** The small table of a game for two; foundations that both build on stand at the large one. @param {History} history @param {Step} step */
export function smallView(history, step) {
  const [large, small] = sidesOf(step);
  if (!small) return null;
  const shared = large.board.foundations.length > SUITS;
  return viewOf(history, step, shared ? { ...small, board: { ...small.board, foundations: [] } } : small);
}

/** The step that made the move with this number, of those that stand; the deal for 0. @param {History} history @param {number} move */
export function stepOfMove({ steps }, move) {
  return Math.max(0, steps.findIndex((step) => step.stands && step.moves === move));
}
