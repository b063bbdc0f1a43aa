// @ts-check
/** One message at a time at the table's edge, and what screen readers are told. */

/** @typedef {{label: string, run: () => void, keeps?: boolean}} Action `keeps`: the message stays when it is pressed */

const SHOWN_MS = 4_500;

export class Messages {
  /** @param {HTMLElement} box @param {HTMLElement} voice @param {import("./placing.js").Placing} placing */
  constructor(box, voice, placing) {
    this.box = box;
    this.voice = voice;
    this.placing = placing;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** Say something to those who don't see the table. @param {string} text */
  announce(text) {
    if (!text) return;
    const line = document.createElement("p");
    line.textContent = text;
    this.voice.replaceChildren(line);
  }

  /**
   * Show a message.
   * @param {string} text
   * @param {{stays?: boolean, kind?: string, actions?: Action[]}} [options]
   */
  show(text, { stays = false, kind = "note", actions = [] } = {}) {
    clearTimeout(this.timer);
    const pressed = [...this.box.querySelectorAll("button")].findIndex((button) => button === document.activeElement);
    const line = document.createElement("p");
    line.textContent = text;
    this.box.replaceChildren(line);
    this.box.dataset.kind = kind;
    this.box.append(...actions.map((action) => this.button(action)));
    this.box.hidden = false;
    this.placing.place();
    // Who pressed a button here can press the one that has taken its place.
    if (pressed >= 0) this.box.querySelectorAll("button")[pressed]?.focus();
    this.announce(text);
    if (!stays) this.timer = setTimeout(() => this.hide(), SHOWN_MS);
  }

  /** Whether a message of a kind is there. @param {string} kind */
  shows(kind) {
    return !this.box.hidden && this.box.dataset.kind === kind;
  }

  /** @param {Action} action */
  button({ label, run, keeps }) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.addEventListener("click", () => {
      if (!keeps) this.hide();
      run();
    });
    return button;
  }

  /** @param {string} [kind] only if it is of this kind */
  hide(kind) {
    if (kind && this.box.dataset.kind !== kind) return;
    clearTimeout(this.timer);
    this.box.hidden = true;
  }
}
