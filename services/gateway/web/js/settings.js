// @ts-check
/** The player's choices about looks and input: kept in this browser, shown as data attributes of the document. */

import { hearOthers, remember, remembered } from "./storage.js";

/** Each setting with its values, the first one being what a new player gets. */
export const SETTINGS = /** @type {const} */ ({
  tap: ["move", "select"],
  automatic: ["off", "safe", "always"],
  advice: ["instant", "strong"],
  colours: ["two", "four"],
  index: ["auto", "large"],
  hand: ["right", "left"],
  felt: ["green", "blue", "wine", "plum", "slate", "night"],
  back: ["lattice", "waves", "rosette", "stars", "weave", "suits"],
  theme: ["auto", "light", "dark"],
  motion: ["auto", "off"],
});

/** @typedef {keyof typeof SETTINGS} SettingName */

/** Events: `changed` (detail: the name), `taken` (the same, but the choice came from another device). */
export class Settings extends EventTarget {
  constructor() {
    super();
    /** @type {Record<string, string>} */
    this.values = {};
    for (const [name, choices] of Object.entries(SETTINGS)) {
      const kept = remembered(`setting.${name}`);
      this.values[name] = choices.find((choice) => choice === kept) ?? choices[0];
    }
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.dark.addEventListener("change", () => this.show());
    hearOthers((key, value) => key.startsWith("setting.") && this.take(key.slice("setting.".length), value ?? ""));
  }

  /** @param {SettingName} name */
  get(name) {
    return this.values[name];
  }

  /** The player chose. @param {SettingName} name @param {string} value */
  set(name, value) {
    this.keep(name, value);
    this.dispatchEvent(new CustomEvent("changed", { detail: name }));
  }

  /** What the player chose on another device. @param {string} name @param {string} value */
  take(name, value) {
    const choices = /** @type {Record<string, readonly string[]>} */ (SETTINGS)[name];
    if (!choices?.includes(value) || this.values[name] === value) return;
    this.keep(name, value);
    this.dispatchEvent(new Event("taken"));
  }

  /** @param {string} name @param {string} value */
  keep(name, value) {
    this.values[name] = value;
    remember(`setting.${name}`, value);
    this.show();
  }

  /** Whether cards may fly. */
  get moves() {
    return this.values.motion !== "off" && !this.still.matches;
  }

  /** Write the looks into the document, where the style sheets read them. */
  show() {
    const { colours, felt, back, theme } = this.values;
    const looks = document.documentElement.dataset;
    Object.assign(looks, { colours, felt, back, theme: theme === "auto" ? (this.dark.matches ? "dark" : "light") : theme });
  }
}
