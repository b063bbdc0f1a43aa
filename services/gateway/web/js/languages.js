// @ts-check
/** Speaking the player's language, or saying why it is another one. */

import { byId } from "./dom.js";
import { findLanguages, language, offeredLanguages, preferredLanguage, rememberLanguage, t, useLanguage } from "./i18n.js";

/** @typedef {import("./messages.js").Messages} Messages */

const TEXTS_AGAIN_MS = 1_000;
/** Stands there until there are texts. */
const NO_TEXTS = "The server does not answer. Trying again …";

/** The texts of the preferred language, as soon as the server gives them. @returns {Promise<Response>} */
export async function firstTexts() {
  try {
    await findLanguages();
    return await useLanguage(preferredLanguage());
  } catch {
    const line = byId("connection");
    [line.textContent, line.hidden] = [NO_TEXTS, false];
    await new Promise((resolve) => setTimeout(resolve, TEXTS_AGAIN_MS));
    return firstTexts();
  }
}

/** Have the page in another language from now on. @param {string} chosen @param {Messages} messages */
export async function speak(chosen, messages) {
  try {
    await useLanguage(chosen);
    if (language() === chosen) rememberLanguage(chosen);
  } catch {
    // No server now: the page stays as it is.
  }
  tellLanguage(chosen, messages);
}

/** Say it where the texts of a language could not be had. @param {string} wanted @param {Messages} messages */
export function tellLanguage(wanted, messages) {
  /** @type {HTMLSelectElement} */ (byId("language")).value = language();
  if (language() === wanted) return;
  const names = Object.fromEntries(offeredLanguages());
  messages.show(t("said.no-language", { wanted: names[wanted], instead: names[language()] }));
}
