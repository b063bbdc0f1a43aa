// @ts-check
/** That the solver still looks for an answer: told where it takes a while, and gone with the answer. */

import { t } from "./i18n.js";

/** Most answers are there sooner. */
const UNTOLD_MS = 400;

/**
 * @param {import("./commander.js").Commander} commander
 * @param {import("./messages.js").Messages} messages
 * @param {() => boolean} wanted whether the player wants to be told
 */
export function tellThinking(commander, messages, wanted) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  commander.addEventListener("asking", () => {
    clearTimeout(timer);
    if (wanted()) timer = setTimeout(() => messages.show(t("said.thinking"), { kind: "thinking", stays: true }), UNTOLD_MS);
  });
  commander.addEventListener("answered", () => {
    clearTimeout(timer);
    messages.hide("thinking");
  });
}
