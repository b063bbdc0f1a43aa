// @ts-check
/** The dialog that deals a new game. */

import { DEALINGS, MODES, SCORINGS, VARIANTS } from "../choices.js";
import { dealNumber, dealing, dealt, keepChoice, lastChoice, oneOf } from "../choices.js";
import { byId, dialog, make, openDialog } from "../dom.js";
import { t } from "../i18n.js";

/** @typedef {import("../types.js").Choice} Choice */

export class NewGameDialog {
  /**
   * @param {() => boolean} keepsRunning whether a game with moves is running
   * @param {(choice: Choice) => void} start
   */
  constructor(keepsRunning, start) {
    this.keepsRunning = keepsRunning;
    this.start = start;
    this.number = /** @type {HTMLInputElement} */ (byId("deal-number"));
    this.seed = /** @type {HTMLInputElement} */ (byId("player-seed"));
    byId("start").addEventListener("click", () => this.deal());
    dialog("new-game").addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target instanceof HTMLInputElement) this.deal();
    });
    byId("choose-variant").addEventListener("change", () => this.offerScorings(chosen("variant"), chosen("scoring")));
    this.number.addEventListener("input", () => this.number.removeAttribute("aria-invalid"));
  }

  /** @param {Choice} [choice] shown as chosen, a deal link's for instance */
  open(choice = lastChoice()) {
    radios("variant", VARIANTS, choice.variant);
    radios("mode", MODES, choice.mode);
    this.offerScorings(choice.variant, choice.scoring);
    radios("dealing", DEALINGS, dealing(choice));
    byId("new-game-running").hidden = !this.keepsRunning();
    this.number.value = choice.deal?.type === "number" ? String(choice.deal.number) : "";
    this.number.removeAttribute("aria-invalid");
    this.seed.value = "";
    /** @type {HTMLDetailsElement} */ (this.number.closest("details")).open = this.number.value !== "";
    openDialog("new-game");
  }

  /** @param {string} variant @param {string} wanted kept where the variant has it */
  offerScorings(variant, wanted) {
    const offered = SCORINGS[variant] ?? [];
    radios("scoring", offered, oneOf(offered, wanted));
  }

  deal() {
    const number = dealNumber(this.number.value);
    if (this.number.value.trim() && number === null) {
      this.number.setAttribute("aria-invalid", "true");
      return this.number.focus();
    }
    const choice = /** @type {Choice} */ ({
      variant: chosen("variant"),
      mode: chosen("mode"),
      scoring: chosen("scoring"),
      ...dealt(chosen("dealing")),
    });
    keepChoice(choice);
    dialog("new-game").close();
    this.start(number === null ? seeded(choice, this.seed.value) : { ...choice, deal: { type: "number", number } });
  }
}

/** The player's own seed goes into every deal that has a secret. @param {Choice} choice @param {string} seed @returns {Choice} */
function seeded(choice, seed) {
  const deal = choice.deal ?? { type: "secret" };
  return seed && (deal.type === "secret" || deal.type === "winnable") ? { ...choice, deal: { ...deal, player_seed: seed } } : choice;
}

/** @param {string} name @param {string[]} values @param {string} selected */
function radios(name, values, selected) {
  const labels = values.map((value) => {
    const input = make("input", { type: "radio", name, value });
    input.checked = value === selected;
    const text = make("span", {}, t(`${name}.${value}.text`));
    return make("label", { class: "choice" }, input, make("strong", {}, t(`${name}.${value}`)), text);
  });
  byId(`choose-${name}`).replaceChildren(...labels);
}

/** @param {string} name */
function chosen(name) {
  return /** @type {HTMLInputElement} */ (document.querySelector(`input[name="${name}"]:checked`)).value;
}
