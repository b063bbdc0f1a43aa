// @ts-check
/** The player's running games, to go on with another one. */

import { ask } from "../api.js";
import { byId, dialog, make, openDialog } from "../dom.js";
import { dateTime, t } from "../i18n.js";

/** @typedef {{game: string, variant: string, scoring: string, mode: string, started_at: number}} Summary */

/**
 * @param {import("../connection.js").Connection} connection
 * @param {string} current the game that is shown
 * @param {(game: string) => void} choose
 */
export async function openGames(connection, current, choose) {
  const list = byId("games-list");
  list.replaceChildren();
  openDialog("games");
  try {
    const { games } = await ask("games", connection.token);
    const items = games.map((/** @type {Summary} */ game) => item(game, game.game === current, choose));
    list.replaceChildren(...(items.length ? items : [make("li", {}, t("games.none"))]));
  } catch {
    list.replaceChildren(make("li", { class: "notice" }, t("statistics.unavailable")));
  }
}

/** @param {Summary} game @param {boolean} current @param {(game: string) => void} choose */
function item(game, current, choose) {
  const started = t("games.started", { time: dateTime(game.started_at) });
  const title = [t(`variant.${game.variant}`), t(`mode.${game.mode}`), t(`scoring.${game.scoring}`)].join(" · ");
  const note = make("small", {}, current ? `${started} · ${t("games.current")}` : started);
  const button = make("button", { type: "button", "data-game": game.game }, title, note);
  button.disabled = current;
  button.addEventListener("click", () => {
    dialog("games").close();
    choose(game.game);
  });
  return make("li", {}, button);
}
