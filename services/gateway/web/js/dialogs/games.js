// @ts-check
/** The player's games: those that run, to go on with another one, and those that are over, to look through them. */

import { ask } from "../api.js";
import { byId, dialog, make, openDialog } from "../dom.js";
import { clockTime, dateTime, number, t } from "../i18n.js";

/** @typedef {{at: number, result: string, points: number, moves: number, play_ms: number}} End */
/** @typedef {{game: string, variant: string, scoring: string, mode: string, started_at: number, end: End | null}} Summary */

const OVER_PAGE = 20;

/**
 * @param {import("../connection.js").Connection} connection
 * @param {string} current the game that is shown
 * @param {{resume: (game: string) => void, review: (game: string) => void}} choose what becomes of a chosen game
 */
export function openGames(connection, current, { resume, review }) {
  openDialog("games");
  void fill("games-list", "games.none", ask("games", connection.token), (game) => running(game, game.game === current, resume));
  byId("games-over").replaceChildren();
  void moreOver(connection, "", review);
}

/**
 * The next page of games that are over, behind those that are shown.
 * @param {import("../connection.js").Connection} connection @param {string} after @param {(game: string) => void} review
 */
async function moreOver(connection, after, review) {
  const asked = ask(`history?limit=${OVER_PAGE}${after && `&after=${after}`}`, connection.token);
  const page = await fill("games-over", "games.none-over", asked, (game) => over(game, review), after !== "");
  const more = byId("games-more");
  more.hidden = !page?.next;
  more.onclick = () => void moreOver(connection, page?.next ?? "", review);
}

/**
 * @param {string} id @param {string} none @param {Promise<{games: Summary[], next?: string | null}>} asked
 * @param {(game: Summary) => HTMLElement} item @param {boolean} [behind] what is shown already stays
 */
async function fill(id, none, asked, item, behind = false) {
  const list = byId(id);
  if (!behind) list.replaceChildren();
  list.setAttribute("aria-busy", "true");
  try {
    const page = await asked;
    list.append(...page.games.map(item));
    if (!list.children.length) list.append(make("li", {}, t(none)));
    return page;
  } catch {
    list.append(make("li", { class: "notice" }, t("statistics.unavailable")));
    return null;
  } finally {
    list.removeAttribute("aria-busy");
  }
}

/** @param {Summary} game @param {boolean} current @param {(game: string) => void} choose */
function running(game, current, choose) {
  const started = t("games.started", { time: dateTime(game.started_at) });
  return item(game, current ? `${started} · ${t("games.current")}` : started, choose, current);
}

/** @param {Summary} game @param {(game: string) => void} choose */
function over(game, choose) {
  const { end } = game;
  if (!end) return make("li");
  const sums = [t(`over.${end.result}`), `${t("status.points")} ${number(end.points)}`, clockTime(end.play_ms), dateTime(end.at)];
  return item(game, sums.join(" · "), choose);
}

/** @param {Summary} game @param {string} note @param {(game: string) => void} choose @param {boolean} [disabled] */
function item(game, note, choose, disabled = false) {
  const title = [t(`variant.${game.variant}`), t(`mode.${game.mode}`), t(`scoring.${game.scoring}`)].join(" · ");
  const button = make("button", { type: "button", "data-game": game.game }, title, make("small", {}, note));
  button.disabled = disabled;
  button.addEventListener("click", () => {
    dialog("games").close();
    choose(game.game);
  });
  return make("li", {}, button);
}
