// @ts-check
/** What is scored in a variant: a row for each kind of points that there is in it, a column for each scoring. */

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

/** @param {Offer} offer */
export function pointsTable({ rules, scorings }) {
  const kinds = KINDS.filter(([kind, has]) => has(rules) && scorings.some((scoring) => scoring[kind]));
  const names = scorings.map(({ id }) => make("th", { scope: "col", class: "number" }, t(`scoring.${id}`)));
  const rows = kinds.map(([kind]) => {
    const cells = scorings.map((scoring) => make("td", { class: "number" }, signed(scoring[kind], scoring.unit)));
    return make("tr", { "data-kind": kind }, make("th", { scope: "row" }, t(`points.${kind.replaceAll("_", "-")}`)), ...cells);
  });
  return make("table", {}, make("thead", {}, make("tr", {}, make("td"), ...names)), make("tbody", {}, ...rows));
}

/** @param {Offer} offer @returns {string[]} */
export function pointsNotes({ rules, scorings }) {
  const ranked = scorings.map(({ id, ranked_by: by }) => t(`rules.ranked-${by}`, { scoring: t(`scoring.${id}`) }));
  return rules.players === 1 ? [t("rules.points-undo"), ...ranked] : [];
}
