// @ts-check
/** One message at a time at the table's edge, and what screen readers are told. */

const SHOWN_MS = 4_500;

export class Messages {
  /** @param {HTMLElement} box @param {HTMLElement} voice */
  constructor(box, voice) {
    this.box = box;
    this.voice = voice;
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
   * @param {{stays?: boolean, kind?: string, action?: {label: string, run: () => void}}} [options]
   */
  show(text, { stays = false, kind = "note", action } = {}) {
    clearTimeout(this.timer);
    const line = document.createElement("p");
    line.textContent = text;
    this.box.replaceChildren(line);
    this.box.dataset.kind = kind;
    if (action) this.box.append(this.button(action));
    this.box.hidden = false;
    this.announce(text);
    if (!stays) this.timer = setTimeout(() => this.hide(), SHOWN_MS);
  }

  /** @param {{label: string, run: () => void}} action */
  button({ label, run }) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.addEventListener("click", () => {
      this.hide();
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
