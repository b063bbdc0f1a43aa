// @ts-check
/** What a new game can be. */

import { FIRST_DAY, later } from "./daily/month.js";
import { remember, remembered } from "./storage.js";

/** @typedef {import("./types.js").Choice} Choice */

const POINTS = ["standard", "win-loss", "traditional"];

/** The scorings that each variant is played under, the usual one first. @type {Record<string, string[]>} */
export const SCORINGS = {
  "draw1": POINTS,
  "draw3": POINTS,
  "draw1-1pass": POINTS,
  "draw1-3pass": POINTS,
  "draw3-1pass": POINTS,
  "draw3-3pass": POINTS,
  "vegas": ["vegas"],
  "vegas-draw1": ["vegas"],
  "open": POINTS,
  "spider-klondike": POINTS,
};
export const VARIANTS = Object.keys(SCORINGS);
/** The same of the variants that two play against each other. @type {Record<string, string[]>} */
export const DUELS = {
  "double": POINTS,
  "double-mini": POINTS,
};
export const AGAINST = ["invite", "match", "easy", "hard"];
/** Variants that the solver does not play: whether such a game can be won, nobody tells. */
const UNSOLVED = ["spider-klondike", "double", "double-mini"];
export const MODES = ["relaxed", "ranked"];
export const DEALINGS = ["any", "winnable", "daily"];
export const DEAL_NUMBER_MAX = Number.MAX_SAFE_INTEGER;

/** The deal that a text names; null when it is no whole number that can be used. @param {string} text */
export function dealNumber(text) {
  const number = /^\d{1,16}$/.test(text.trim()) ? Number(text) : NaN;
  return Number.isSafeInteger(number) ? number : null;
}

/** Whether the solver plays a variant. @param {string} variant */
export const solved = (variant) => !UNSOLVED.includes(variant);

/** What was chosen last. @returns {Choice} */
export function lastChoice() {
  const variant = oneOf(VARIANTS, remembered("variant"));
  return /** @type {Choice} */ ({
    variant,
    mode: oneOf(MODES, remembered("mode")),
    scoring: oneOf(SCORINGS[variant] ?? POINTS, remembered("scoring")),
    ...dealt(oneOf(DEALINGS, remembered("dealing"))),
  });
}

/** @param {Choice} choice */
export function keepChoice(choice) {
  remember("variant", choice.variant);
  remember("mode", choice.mode);
  remember("scoring", choice.scoring);
  remember("dealing", dealing(choice));
}

/** How the cards of a choice are dealt, where that is worth keeping. @param {Choice} choice */
export const dealing = (choice) => (choice.deal?.type === "winnable" ? "winnable" : "any");

/** The part of a choice that asks for it. @param {string} dealing @returns {Pick<Choice, "deal">} */
export const dealt = (dealing) => (dealing === "winnable" || dealing === "daily" ? { deal: { type: dealing } } : {});

/** Today, where the player is, as the server names days. */
export const today = () => new Date().toLocaleDateString("sv");

/** The newest day that the server deals: it is today somewhere already, or will be soon. */
export const newestDay = () => later(new Date().toISOString().slice(0, 10), 1);

/** The numbers and days that links may name. */
export const linkLimits = () => ({ max: String(DEAL_NUMBER_MAX), first: FIRST_DAY, last: newestDay() });

/** The wanted choice where it is one, else the first. @param {string[]} choices @param {string | null} wanted */
export const oneOf = (choices, wanted) => choices.find((choice) => choice === wanted) ?? choices[0];
