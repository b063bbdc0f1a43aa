// @ts-check
/**
 * Settings that the server keeps for the player, so that every device has them. What was changed here and not sent yet
 * counts; else what the server has does. Without a server the settings of this browser are used, and sent later.
 */

import { RefusedError, ask } from "./api.js";
import { language, offeredLanguages } from "./i18n.js";
import { SETTINGS } from "./settings.js";
import { remember, remembered } from "./storage.js";

const SEND_MS = 400;
/** How often changes are put in anew because another device was faster. */
const TRIES_MAX = 4;
const UNSENT = "unsent";
const LANGUAGE = "language";

/** Events: `forgotten` (the player was deleted). */
export class KeptSettings extends EventTarget {
  /**
   * @param {import("./connection.js").Connection} connection
   * @param {import("./settings.js").Settings} settings
   * @param {(chosen: string) => Promise<void>} speak have the page in another language
   */
  constructor(connection, settings, speak) {
    super();
    this.connection = connection;
    this.settings = settings;
    this.speak = speak;
    this.names = [LANGUAGE, ...Object.keys(SETTINGS).map((name) => `setting.${name}`)];
    this.working = false;
    this.again = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    connection.addEventListener("state", () => connection.state === "online" && void this.bring());
    settings.addEventListener("changed", (event) => this.note(`setting.${/** @type {CustomEvent<string>} */ (event).detail}`));
  }

  /** What was changed in this browser and not sent yet. @returns {string[]} */
  get unsent() {
    return (remembered(UNSENT) ?? "").split(" ").filter((name) => this.names.includes(name));
  }

  /** Something was changed here. @param {string} name */
  note(name) {
    remember(UNSENT, [...new Set([...this.unsent, name])].join(" "));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.bring(), SEND_MS);
  }

  /** Bring this browser and the server to the same. One after the other: what comes meanwhile is done after. */
  async bring() {
    if (this.working) return void (this.again = true);
    this.working = true;
    do {
      this.again = false;
      await this.tryToBring();
    } while (this.again);
    this.working = false;
  }

  async tryToBring() {
    const { token } = this.connection;
    if (!token || this.connection.state !== "online") return;
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      try {
        return await this.merge(token);
      } catch (failure) {
        const code = failure instanceof RefusedError ? failure.reason.code : "";
        if (code === "player-forgotten") return void this.dispatchEvent(new Event("forgotten"));
        if (code !== "stale-version") return; // no server now: at the next connection, or change
      }
    }
  }

  /** @param {string} token */
  async merge(token) {
    const { version, values } = await ask("settings", token);
    const changed = version ? this.unsent : this.names.filter((name) => remembered(name) !== null);
    for (const [name, value] of Object.entries(values)) if (!changed.includes(name)) await this.take(name, value);
    if (!changed.length) return;
    const own = Object.fromEntries(changed.map((name) => [name, remembered(name) ?? ""]).filter(([, value]) => value));
    const body = JSON.stringify({ version, values: { ...values, ...own } });
    await ask("settings", token, { method: "PUT", body: new Blob([body], { type: "application/json" }) });
    const sent = (/** @type {string} */ name) => changed.includes(name) && (own[name] ?? "") === (remembered(name) ?? "");
    remember(UNSENT, this.unsent.filter((name) => !sent(name)).join(" "));
  }

  /** A setting as the server has it; one that this page does not know stays there untouched. @param {string} name @param {string} value */
  async take(name, value) {
    if (name === LANGUAGE) {
      if (offeredLanguages().some(([tag]) => tag === value) && value !== language()) await this.speak(value);
    } else if (this.names.includes(name)) this.settings.take(name.slice("setting.".length), value);
  }
}
