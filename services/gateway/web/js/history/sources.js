// @ts-check
/** Where a history comes from: a game of the player's own, one that somebody shared, or a file. */

import { sheetInAddress } from "../address.js";
import { ask, download } from "../api.js";

/** @typedef {import("./story.js").History} History */
/** @typedef {import("../dialogs/verdict.js").Verdict} Verdict */
/**
 * @typedef {object} Source
 * @property {string | null} own the player's own game, which can be shared
 * @property {() => Promise<History>} history
 * @property {() => Promise<Verdict>} verdict
 * @property {(format: string) => Promise<void>} save
 */

/** @param {string} game @param {import("../connection.js").Connection} connection @returns {Source} */
export const ownGame = (game, connection) => onServer(`games/${game}`, () => connection.token, game);

/** @param {{game: string, key: string}} link @returns {Source} */
export const sharedGame = ({ game, key }) => onServer(`shared/${game}/${key}`, () => null, null);

/** @param {string} text @param {import("../connection.js").Connection} connection @returns {Source} */
export function fileGame(text, connection) {
  const posted = { method: "POST", body: text };
  return {
    own: null,
    history: () => ask("analysis", connection.token, posted),
    verdict: () => ask("analysis/verdict", connection.token, posted),
    save: (format) => download(`analysis?format=${format}`, connection.token, posted),
  };
}

/** @param {string} path @param {() => string | null} token @param {string | null} own @returns {Source} */
function onServer(path, token, own) {
  return {
    own,
    history: () => ask(`${path}/history`, token()),
    verdict: () => ask(`${path}/verdict`, token()),
    save: (format) => download(`${path}/history?format=${format}`, token()),
  };
}

const WHOLE_LINK = /^[a-z2-7]{26}\.[a-z2-7]{32}$/;

/** Whether an address shares a game by a link of which the end is missing. @param {URL} url */
export function isCutShort(url) {
  const shared = sheetInAddress("shared", url);
  return shared !== null && !WHOLE_LINK.test(shared);
}

/** The game that an address shares: `#shared=GAME.KEY`. @param {URL} url */
export function sharedLink(url) {
  const shared = sheetInAddress("shared", url);
  if (shared === null) return null;
  const [game, key] = shared.split(".");
  return { game: encodeURIComponent(game || "-"), key: encodeURIComponent(key || "-") };
}

/** The address that shares a game. @param {{game: string, key: string}} link */
export function linkOf({ game, key }) {
  const link = new URL(location.pathname, location.href);
  link.hash = `shared=${game}.${key}`;
  return link.href;
}
