// @ts-check
/** Says what the server refused, in the player's language, and what became of the game. */

import { hasText, t } from "./i18n.js";
import { cardName } from "./words.js";

/** @typedef {import("./types.js").ServerError} ServerError */

/** What to tell about a refusal: the broken rule says more than "illegal". @param {ServerError} error */
export function refusalText(error) {
  if (error.rule && hasText(`rule.${error.rule}`)) return t(`rule.${error.rule}`);
  return hasText(`error.${error.code}`) ? t(`error.${error.code}`) : `${error.text} ${error.fix}`;
}

/**
 * @param {import("./commander.js").Commander} commander
 * @param {import("./table.js").Table} table
 * @param {import("./messages.js").Messages} messages
 * @param {Record<string, () => import("./messages.js").Action[]>} offers what may be done instead, by the error's code
 */
export function explainRefusals(commander, table, messages, offers) {
  commander.addEventListener("refused", (event) => {
    const { error } = /** @type {CustomEvent<import("./types.js").Frame>} */ (event).detail;
    if (error) messages.show(refusalText(error), { kind: error.code, actions: offers[error.code]?.() });
  });
  commander.addEventListener("overtaken", () => messages.show(t("said.overtaken")));
  const refuse = (/** @type {string} */ text) => (/** @type {Event} */ event) => {
    const card = /** @type {CustomEvent<string>} */ (event).detail;
    table.shake(card);
    messages.announce(t(text, { card: cardName(card) }));
  };
  commander.addEventListener("no-move", refuse("said.no-move"));
  commander.addEventListener("not-up", refuse("said.not-up"));
}
