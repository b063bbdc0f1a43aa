// @ts-check
/** The page's words. One file a language; a text with a number has one form for each plural of the language. */

import { ask } from "./api.js";
import { remember, remembered } from "./storage.js";

const FALLBACK = "en";

/** @typedef {{name: string, lacks: number}} Language `name`: its own; `lacks`: how many texts of English it does not have */

/** One for every file that the server has in `i18n/`, by its tag. @type {Record<string, Language>} */
let languages = {};

/** @type {Record<string, string | Record<string, string>>} */
let texts = {};
let plurals = new Intl.PluralRules(FALLBACK);
let current = FALLBACK;

export const language = () => current;

/** The languages there are, each with its own name. @returns {[string, string][]} */
export const offeredLanguages = () => Object.entries(languages).map(([tag, { name }]) => [tag, name]);

/** Learn from the server which languages there are; while it does not answer, those it had the last time. */
export async function findLanguages() {
  /** @type {({tag: string} & Language)[]} */
  const found = await ask("languages", null).catch(keptLanguages);
  languages = Object.fromEntries(found.map(({ tag, ...of }) => [tag, of]));
  remember("languages", JSON.stringify(found));
}

/** @param {unknown} failure why the server's are not to be had @returns {({tag: string} & Language)[]} */
function keptLanguages(failure) {
  const kept = JSON.parse(remembered("languages") ?? "null");
  if (!Array.isArray(kept)) throw failure;
  return kept;
}

/** The language to begin with: the one chosen before, else the first of the browser's that there is. */
export function preferredLanguage() {
  const tags = [remembered("language") ?? "", ...navigator.languages].map((tag) => tag.toLowerCase());
  const wanted = tags.flatMap((tag) => [tag, tag.split("-")[0]]);
  return wanted.find((tag) => tag in languages) ?? FALLBACK;
}

/**
 * Take the words of a language from the server, and put them into the page. Where the server has none of it, or none
 * that can be read, English takes its place; where it lacks some, English takes theirs.
 * @param {string} wanted
 * @returns {Promise<Response>} the answer, for what its headers tell
 */
export async function useLanguage(wanted) {
  const chosen = wanted in languages ? wanted : FALLBACK;
  const response = await fetch(`i18n/${chosen}.json`);
  const found = response.ok ? await response.json().catch(() => null) : null;
  if (!found && chosen !== FALLBACK && response.status < 500) return useLanguage(FALLBACK);
  if (!found) throw new Error(`the texts of ${chosen} cannot be read: ${response.status}`);
  texts = languages[chosen]?.lacks ? { ...(await lacking(chosen, found)), ...found } : found;
  plurals = new Intl.PluralRules(chosen);
  current = chosen;
  document.documentElement.lang = chosen;
  translatePage(document);
  return response;
}

/**
 * The English of what a language does not have, and say so to whoever can mend it.
 * @param {string} chosen
 * @param {typeof texts} found
 * @returns {Promise<typeof texts>}
 */
async function lacking(chosen, found) {
  const response = await fetch(`i18n/${FALLBACK}.json`);
  /** @type {typeof texts} */
  const whole = response.ok ? await response.json().catch(() => ({})) : {};
  const lacks = Object.entries(whole).filter(([key]) => !(key in found));
  console.warn(`i18n/${chosen}.json lacks ${lacks.map(([key]) => key).join(", ")}: English stands there`);
  return Object.fromEntries(lacks);
}

/** @param {string} chosen */
export function rememberLanguage(chosen) {
  remember("language", chosen);
}

/** Whether there is a text, in English at least. @param {string} key */
export const hasText = (key) => key in texts;

/**
 * The text of a key, with `{name}` replaced by values; `n` chooses the plural. `{Name}` begins a sentence: it is the
 * value of `name` with a capital letter.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  const entry = texts[key];
  if (entry === undefined) return key;
  const form = typeof entry === "string" ? entry : (entry[plurals.select(Number(values.n))] ?? entry.other);
  return form.replace(/\{(\w)(\w*)\}/g, (_, first, rest) => {
    const small = first.toLowerCase();
    const value = String(values[small + rest] ?? "");
    return first === small ? value : capitalised(value);
  });
}

/** A text as the beginning of a sentence. @param {string} text */
export const capitalised = (text) => text.charAt(0).toLocaleUpperCase(current) + text.slice(1);

/** @param {number} value */
export const number = (value) => new Intl.NumberFormat(current).format(value);

/** @param {number} value whole dollars */
export const dollars = (value) =>
  new Intl.NumberFormat(current, { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol", maximumFractionDigits: 0 }).format(value);

/** Points with their sign. @param {number} value @param {"points" | "dollars"} unit */
export const signed = (value, unit) =>
  new Intl.NumberFormat(current, { signDisplay: "exceptZero", maximumFractionDigits: 0, ...(unit === "dollars" ? { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" } : {}) }).format(value);

/** "1, 2 and 3". @param {string[]} parts */
export const listed = (parts) => new Intl.ListFormat(current).format(parts);

/** @param {number} value 0 to 1 */
export const percent = (value) => new Intl.NumberFormat(current, { style: "percent", maximumFractionDigits: 0 }).format(value);

/** @param {number} at milliseconds since 1970 */
export const dateTime = (at) => new Intl.DateTimeFormat(current, { dateStyle: "medium", timeStyle: "short" }).format(at);

/** A day, UTC. @param {number} at milliseconds since 1970 */
export const utcDate = (at) => new Intl.DateTimeFormat(current, { dateStyle: "medium", timeZone: "UTC" }).format(at);

/** A day in full. @param {string} day `YYYY-MM-DD` */
export const fullDay = (day) => new Intl.DateTimeFormat(current, { dateStyle: "full", timeZone: "UTC" }).format(Date.parse(day));

/** @param {string} month `YYYY-MM` */
export const monthName = (month) => capitalised(new Intl.DateTimeFormat(current, { month: "long", year: "numeric", timeZone: "UTC" }).format(Date.parse(`${month}-01`)));

/** The days of a week from Monday on, short and in full. @returns {[string, string][]} */
export function weekdays() {
  const monday = Date.UTC(2024, 0, 1);
  const names = (/** @type {"short" | "long"} */ weekday) => new Intl.DateTimeFormat(current, { weekday, timeZone: "UTC" });
  return Array.from({ length: 7 }, (_, day) => [names("short").format(monday + day * 86_400_000), names("long").format(monday + day * 86_400_000)]);
}

/** Minutes and seconds, with hours where there are any. @param {number} milliseconds */
export function clockTime(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const padded = String(s).padStart(2, "0");
  return h ? `${h}:${String(m).padStart(2, "0")}:${padded}` : `${m}:${padded}`;
}

/** Put the words into all elements that name them. @param {ParentNode} root */
export function translatePage(root) {
  for (const element of root.querySelectorAll("[data-i18n]")) {
    element.textContent = t(/** @type {HTMLElement} */ (element).dataset.i18n ?? "");
  }
  for (const element of root.querySelectorAll("[data-i18n-label]")) {
    const text = t(/** @type {HTMLElement} */ (element).dataset.i18nLabel ?? "");
    element.setAttribute("aria-label", text);
    if (element instanceof HTMLButtonElement) element.title = text;
  }
}
