// @ts-check
/** The running game as it was last seen here, shown while the server does not answer. What is done in it is sent later. */

import { remember, remembered } from "./storage.js";

const KEEP_MS = 500;
const WAIT_MS = 1_500;

/** @param {import("./connection.js").Connection} connection @param {import("./game.js").Game} game @param {boolean} shows whether it is to be shown */
export function keepLastView(connection, game, shows) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const keep = () => {
    clearTimeout(timer);
    const { view } = game;
    if (view) remember("view", view.status === "running" && !view.duel ? JSON.stringify(view) : null);
  };
  game.addEventListener("changed", () => {
    clearTimeout(timer);
    timer = setTimeout(keep, KEEP_MS);
  });
  addEventListener("pagehide", keep);
  if (shows) setTimeout(() => connection.state !== "online" && !game.view && show(game), WAIT_MS);
}

/** @param {import("./game.js").Game} game */
function show(game) {
  try {
    const view = JSON.parse(remembered("view") ?? "null");
    if (view?.game === remembered("game") && view?.game) game.begin({ type: "resumed", view: { ...view, clock_runs: false } });
  } catch {
    remember("view", null); // another version of the page wrote it
  }
}
