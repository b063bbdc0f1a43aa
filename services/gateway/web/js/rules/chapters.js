// @ts-check
/**
 * The rules of a variant in words. Every figure in them is the server's, from the row that the code plays by; a chapter
 * is a title and its sentences.
 */

import { solved } from "../choices.js";
import { listed, number, t } from "../i18n.js";

/**
 * @typedef {object} Rules as docs/openapi.json describes a variant's row
 * @property {string} id
 * @property {number} players
 * @property {number} decks
 * @property {boolean} own_decks
 * @property {boolean} shares_foundations
 * @property {"lost" | "more-cards-up"} unfinished
 * @property {number[]} columns
 * @property {"top" | "all"} faces
 * @property {number} draw
 * @property {"waste" | "columns"} draws_to
 * @property {number | null} passes
 * @property {boolean} foundation_give_back
 *
 * @typedef {{id: string, unit: "points" | "dollars", ranked_by: string} & Record<string, any>} Scoring
 * @typedef {{rules: Rules, cards: number, stock: number, foundations: number, scorings: Scoring[]}} Offer
 * @typedef {{title: string, sentences: string[]}} Chapter
 */

const SUITS = 4;

/** All but the points, which are a table. @param {Offer} offer @returns {Chapter[]} */
export function chapters(offer) {
  const told = /** @type {[string, (offer: Offer) => string[]][]} */ ([
    ["goal", goal],
    ["layout", layout],
    ["columns", columns],
    ["foundations", foundations],
    ["stock", stock],
    ["ends", ends],
    ["help", help],
  ]);
  return told.map(([name, sentences]) => ({ title: t(`rules.${name}-title`), sentences: sentences(offer) }));
}

/** @param {Offer} offer */
function goal({ rules, cards, foundations: n }) {
  const values = { n, cards: number(cards) };
  if (rules.players === 1) return [t("rules.goal", values)];
  return [t(rules.shares_foundations ? "rules.goal-shared" : "rules.goal-race", values)];
}

/** @param {Offer} offer */
function layout({ rules, cards, stock: left }) {
  const decks = t("rules.decks", { n: rules.decks / rules.players, cards: number(cards) });
  return [
    ...(rules.players === 1 ? [decks] : [`${t("rules.each")} ${decks}`, t(rules.own_decks ? "rules.own-decks" : "rules.same-deal")]),
    t("rules.layout", { n: rules.columns.length, cards: listed(rules.columns.map(number)) }),
    t(rules.faces === "all" ? "rules.faces-all" : "rules.faces-top"),
    t("rules.stock-rest", { n: left }),
  ];
}

const columns = () => [t("rules.tableau"), t("rules.king"), t("rules.turn")];

/** @param {Offer} offer */
function foundations({ rules, foundations: n }) {
  const each = n / SUITS;
  return [
    t("rules.foundation"),
    ...(each > 1 ? [t("rules.foundations-each", { n: each })] : []),
    t(rules.foundation_give_back ? "rules.back" : "rule.foundation-stays"),
  ];
}

/** @param {Offer} offer */
function stock({ rules, stock: left }) {
  const { draw, passes } = rules;
  if (rules.draws_to === "columns") return [t("rules.stock-columns"), t("rules.deals", { n: Math.ceil(left / draw) })];
  return [t("rules.draw", { n: draw }), passes === null ? t("rules.recycle") : t("rules.passes", { n: passes })];
}

/** @param {Offer} offer */
function ends({ rules }) {
  if (rules.players === 1) return [t("rules.end-won"), t("rules.end-no-move"), t("rules.end-dead"), t("rules.end-resigned")];
  return [t("rules.end-first"), t(`rules.unfinished-${rules.unfinished}`), t("rules.end-given-up"), t("rules.end-absent")];
}

/** @param {Offer} offer */
function help({ rules }) {
  if (rules.players > 1) return [t("rules.no-help")];
  const modes = ["relaxed", "ranked"].map((mode) => `${t(`mode.${mode}`)}: ${t(`mode.${mode}.text`)}`);
  return [...modes, t("rules.help"), ...(solved(rules.id) ? [] : [t("chances.unsolved")])];
}
