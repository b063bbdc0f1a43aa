// @ts-check
/** What keeps the page from working as it should, told in words: nobody looks at a blank page. */

import { t } from "./i18n.js";
import { refusalText } from "./referee.js";
import { keepShell } from "./shell.js";
import { isKept } from "./storage.js";

/** So long a reload waits for the answers to what was done before. */
const RELOAD_MS_MAX = 3_000;
const LOOK_MS = 50;

/** @param {import("./connection.js").Connection} connection @param {import("./messages.js").Messages} messages */
export function tellTroubles(connection, messages) {
  const on = (/** @type {string} */ type, /** @type {(detail: any) => void} */ run) =>
    connection.addEventListener(type, (event) => run(/** @type {CustomEvent} */ (event).detail));
  on("stranger", () => messages.show(t("said.stranger")));
  on("turned-away", (error) => messages.show(refusalText(error), { kind: error.code }));
  on("blocked", () => messages.show(t("said.blocked"), { kind: "blocked", stays: true }));
  on("outdated", () => {
    const reload = { label: t("action.reload"), run: () => void reloadWhenDone(connection) };
    messages.show(t("said.outdated"), { kind: "outdated", stays: true, actions: [reload] });
  });
  on("state", () => connection.state === "online" && messages.hide("blocked"));
  const first = () => {
    if (connection.state !== "online") return;
    connection.removeEventListener("state", first);
    if (!isKept()) messages.show(t("said.not-kept"));
    void keepShell();
  };
  connection.addEventListener("state", first);
}

/** Load the page again, once what was done has its answer. @param {import("./connection.js").Connection} connection */
async function reloadWhenDone(connection) {
  const until = performance.now() + RELOAD_MS_MAX;
  while (connection.pending.size && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  location.reload();
}
