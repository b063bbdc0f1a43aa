// @ts-check
/** Links that deal certain cards: by their number, or by the day whose deal they are; and links to a game for two. */

import { MODES, SCORINGS, VARIANTS, dealNumber, lastChoice, newestDay, oneOf } from "./choices.js";
import { hasDeal } from "./daily/month.js";

/** @typedef {import("./types.js").Choice} Choice */
/** @typedef {"deal" | "day" | "variant" | "scoring" | "mode" | "game"} LinkPart what a link can name, in the order in which it is looked at */

/**
 * A deal link, `?deal=7&variant=draw3`, `?day=2026-03-01` or either behind `#`: its choice, or the part that is wrong.
 * @param {URL} url
 * @returns {{choice: Choice} | {wrong: LinkPart, text: string} | null}
 */
export function dealLink(url) {
  const given = new URLSearchParams([...url.searchParams, ...new URLSearchParams(url.hash.slice(1))]);
  const [text, day] = [given.get("deal"), given.get("day")];
  if (text === null && day === null) return null;
  const number = text === null ? null : dealNumber(text);
  if (text !== null && number === null) return { wrong: "deal", text };
  if (day !== null && !isDay(day)) return { wrong: "day", text: day };
  const last = lastChoice();
  const variant = given.get("variant") ?? last.variant;
  if (!VARIANTS.includes(variant)) return { wrong: "variant", text: variant };
  const scoring = given.get("scoring") ?? oneOf(SCORINGS[variant], last.scoring);
  if (!SCORINGS[variant].includes(scoring)) return { wrong: "scoring", text: scoring };
  const mode = given.get("mode") ?? last.mode;
  if (!MODES.includes(mode)) return { wrong: "mode", text: mode };
  /** @type {Choice["deal"]} */
  const deal = number === null ? { type: "daily", day: day ?? undefined } : { type: "number", number };
  return { choice: { variant, scoring, mode: /** @type {Choice["mode"]} */ (mode), deal } };
}

/** Whether a text has the form of a game's id. @param {string} text */
const isGame = (text) => /^[a-z2-7]{26}$/.test(text);

/** The code of an invitation that a text means, however it was typed; null when it has not the form of one. @param {string} text */
export function invitationCode(text) {
  const code = text.replace(/[\s-]/g, "").toLowerCase();
  return /^[a-z2-7]{10}$/.test(code) ? code : null;
}

/**
 * A link that leads to a game for two: to its free seat, or to watch it.
 * @param {URL} url
 * @returns {{way: "join" | "watch", game: string} | {wrong: LinkPart, text: string} | null}
 */
export function duelLink(url) {
  for (const way of /** @type {const} */ (["join", "watch"])) {
    const game = url.searchParams.get(way);
    if (game !== null) return isGame(game) ? { way, game } : { wrong: "game", text: game };
  }
  return null;
}

/** @param {"join" | "watch"} way @param {string} game */
export function linkToDuel(way, game) {
  const link = new URL(location.pathname, location.href);
  link.search = new URLSearchParams({ [way]: game }).toString();
  return link.href;
}

/** Whether a text is a day that has a deal. @param {string} text */
const isDay = (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text && hasDeal(text, newestDay());

/** The address that deals these cards again. @param {import("./types.js").View} view */
export function linkTo({ deal, variant }) {
  if (deal.type !== "number") return null;
  const link = new URL(location.pathname, location.href);
  /** @type {Record<string, string>} */
  const named = deal.day ? { day: deal.day } : { deal: String(deal.number) };
  link.search = new URLSearchParams({ ...named, variant }).toString();
  return link.href;
}
