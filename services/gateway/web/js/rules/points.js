// @ts-check
/** What is scored in a variant, by each of the ways in which it may be: what there is not in it has no row. */

import { make } from "../dom.js";
import { signed, t } from "../i18n.js";

/** @typedef {import("./chapters.js").Offer} Offer */
/** @typedef {import("./chapters.js").Rules} Rules */

/** Kinds of points as a scoring names them, and whether a variant has what they are given for. @type {[string, (rules: Rules) => boolean][]} */
const KINDS = [
  ["at_deal", () => true],
  ["tableau_to_foundation", () => true],
  ["waste_to_foundation", (rules) => rules.draws_to === "waste"],
  ["waste_to_tableau", (rules) => rules.draws_to === "waste"],
  ["turned_up", (rules) => rules.faces !== "all"],
  ["foundation_to_tableau", (rules) => rules.foundation_give_back],
  ["later_pass", (rules) => rules.draws_to === "waste" && rules.passes !== 1],
  ["at_win", () => true],
];

/** A table for each scoring, of what it gives points for. @param {Offer} offer @returns {HTMLElement[]} */
export function pointsTables({ rules, scorings }) {
  return scorings.map((scoring) => {
    const kinds = KINDS.filter(([kind, has]) => scoring[kind] && has(rules));
    const rows = kinds.map(([kind]) => {
      const points = make("td", { class: "number" }, signed(scoring[kind], scoring.unit));
      return make("tr", { "data-kind": kind }, make("th", { scope: "row" }, t(`points.${kind.replaceAll("_", "-")}`)), points);
    });
    return make("table", { "data-scoring": scoring.id }, make("caption", {}, t(`scoring.${scoring.id}`)), make("tbody", {}, ...rows));
  });
}

/** @param {Offer} offer @returns {string[]} */
export function pointsNotes({ rules, scorings }) {
  const ranked = scorings.map(({ id, ranked_by: by }) => t(`rules.ranked-${by}`, { scoring: t(`scoring.${id}`) }));
  return rules.players === 1 ? [t("rules.points-undo"), ...ranked] : [];
}
