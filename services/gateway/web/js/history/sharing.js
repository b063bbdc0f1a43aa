// @ts-check
/** The link to a game of the player's own: made, shown to be copied, and withdrawn. */

import { ask } from "../api.js";
import { copied, make } from "../dom.js";
import { t } from "../i18n.js";
import { linkOf } from "./sources.js";

export class Sharing {
  /**
   * @param {import("../connection.js").Connection} connection
   * @param {{show: (...what: (Node | string)[]) => void, failed: (error: unknown) => void}} tell
   */
  constructor(connection, tell) {
    this.connection = connection;
    this.tell = tell;
  }

  /** Make the link, or show the one that there is. @param {string} game */
  async share(game) {
    const link = await this.asked(game, "POST");
    if (!link?.key) return;
    const field = make("input", { id: "history-link", readonly: "", value: linkOf(link), "aria-label": t("history.link") });
    const copy = make("button", { type: "button", id: "history-copy" }, t("history.copy"));
    const withdraw = make("button", { type: "button", id: "history-withdraw", class: "danger" }, t("history.withdraw"));
    copy.addEventListener("click", () => void this.copy(field, copy));
    withdraw.addEventListener("click", () => void this.withdraw(game));
    this.tell.show(t("history.link-text"), make("div", { class: "link" }, field, copy, withdraw));
    field.select();
  }

  /** @param {string} game */
  async withdraw(game) {
    if (await this.asked(game, "DELETE")) this.tell.show(t("history.withdrawn"));
  }

  /** @param {HTMLInputElement} field @param {HTMLButtonElement} button */
  async copy(field, button) {
    field.select();
    if (!(await copied(field.value))) document.execCommand("copy");
    button.textContent = t("history.copied");
  }

  /** @param {string} game @param {string} method @returns {Promise<{game: string, key: string} | null>} */
  async asked(game, method) {
    try {
      return await ask(`games/${game}/link`, this.connection.token, { method });
    } catch (error) {
      this.tell.failed(error);
      return null;
    }
  }
}
