// @ts-check
/** The dialog that deals a new game. */

import { AGAINST, DEALINGS, DEAL_NUMBER_MAX, DUELS, MODES, SCORINGS, VARIANTS } from "../choices.js";
import { dealNumber, dealing, dealt, keepChoice, lastChoice, oneOf, solved } from "../choices.js";
import { byId, dialog, make, openDialog } from "../dom.js";
import { t } from "../i18n.js";
import { invitationCode } from "../links.js";
import { refusalText } from "../referee.js";

/** @typedef {import("../types.js").Choice} Choice */

export class NewGameDialog {
  /**
   * @param {() => boolean} keepsRunning whether a game with moves is running
   * @param {(choice: Choice) => void} start
   * @param {(code: string) => Promise<import("../types.js").Frame | null>} join gives the refusal when there is one
   * @param {(variant: string) => void} rules tell them above this dialog
   */
  constructor(keepsRunning, start, join, rules) {
    this.keepsRunning = keepsRunning;
    this.start = start;
    this.join = join;
    this.code = /** @type {HTMLInputElement} */ (byId("join-code"));
    this.number = /** @type {HTMLInputElement} */ (byId("deal-number"));
    this.seed = /** @type {HTMLInputElement} */ (byId("player-seed"));
    byId("start").addEventListener("click", () => this.deal());
    dialog("new-game").addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
      if (event.target === this.code) byId("join").click();
      else this.deal();
    });
    byId("new-rules").addEventListener("click", () => rules(chosen("variant")));
    byId("join").addEventListener("click", () => void this.joinGame());
    byId("choose-variant").addEventListener("change", () => {
      this.offer(chosen("variant"), chosen("scoring"));
      offerDealings(chosen("variant"), chosen("dealing"));
    });
    for (const field of [this.number, this.code]) field.addEventListener("input", () => blame(field, ""));
    for (const field of [this.number, this.seed]) field.addEventListener("input", () => this.tellBoth());
  }

  /** @param {Choice} [choice] shown as chosen, a deal link's for instance */
  open(choice = lastChoice()) {
    radios("variant", [...VARIANTS, ...Object.keys(DUELS)], choice.variant);
    radios("mode", MODES, choice.mode);
    offerDealings(choice.variant, dealing(choice));
    radios("against", AGAINST, AGAINST[0]);
    this.offer(choice.variant, choice.scoring);
    this.code.value = "";
    byId("new-game-running").hidden = !this.keepsRunning();
    this.number.value = choice.deal?.type === "number" ? String(choice.deal.number) : "";
    this.seed.value = "";
    blame(this.number, "");
    blame(this.code, "");
    this.tellBoth();
    /** @type {HTMLDetailsElement} */ (this.number.closest("details")).open = this.number.value !== "";
    openDialog("new-game");
  }

  /** What can be chosen of a variant. @param {string} variant @param {string} wanted scoring, kept where the variant has it */
  offer(variant, wanted) {
    const offered = SCORINGS[variant] ?? DUELS[variant] ?? [];
    radios("scoring", offered, oneOf(offered, wanted));
    for (const part of dialog("new-game").querySelectorAll("[data-for]")) {
      const alone = /** @type {HTMLElement} */ (part).dataset.for === "one";
      /** @type {HTMLElement} */ (part).hidden = alone === variant in DUELS;
    }
  }

  /** The dialog stays until the seat is taken. */
  async joinGame() {
    const typed = this.code.value.trim();
    const code = invitationCode(typed);
    if (!code) return blame(this.code, t("new.bad-code", { text: typed }));
    const refusal = await this.join(code);
    if (refusal?.error) blame(this.code, refusalText(refusal.error));
    else dialog("new-game").close();
  }

  /** A number decides alone which cards are dealt. */
  tellBoth() {
    byId("number-decides").hidden = !this.number.value.trim() || !this.seed.value;
  }

  deal() {
    const [variant, scoring] = [chosen("variant"), chosen("scoring")];
    if (variant in DUELS) {
      dialog("new-game").close();
      return this.start({ variant, scoring, mode: "ranked", against: /** @type {Choice["against"]} */ (chosen("against")) });
    }
    const number = dealNumber(this.number.value);
    if (this.number.value.trim() && number === null) {
      return blame(this.number, t("badlink.number", { text: this.number.value.trim(), max: String(DEAL_NUMBER_MAX) }));
    }
    const choice = /** @type {Choice} */ ({
      variant,
      mode: chosen("mode"),
      scoring,
      ...dealt(chosen("dealing")),
    });
    keepChoice(choice);
    dialog("new-game").close();
    this.start(number === null ? seeded(choice, this.seed.value) : { ...choice, deal: { type: "number", number } });
  }
}

/** Say below a field what is wrong with it, and bring both into sight; "" when nothing is. @param {HTMLInputElement} field @param {string} text */
function blame(field, text) {
  const line = byId(`${field.id}-fault`);
  line.textContent = text;
  line.hidden = !text;
  if (!text) return field.removeAttribute("aria-invalid");
  field.setAttribute("aria-invalid", "true");
  /** @type {HTMLDetailsElement} */ (field.closest("details")).open = true;
  field.focus({ preventScroll: true });
  field.scrollIntoView({ block: "center" });
}

/** The player's own seed goes into every deal that has a secret. @param {Choice} choice @param {string} seed @returns {Choice} */
function seeded(choice, seed) {
  const deal = choice.deal ?? { type: "secret" };
  return seed && (deal.type === "secret" || deal.type === "winnable") ? { ...choice, deal: { ...deal, player_seed: seed } } : choice;
}

/** Without the solver no deal is known to be winnable. @param {string} variant @param {string} wanted kept where it can be had */
function offerDealings(variant, wanted) {
  const known = solved(variant);
  radios("dealing", DEALINGS, known || wanted !== "winnable" ? wanted : DEALINGS[0]);
  if (known) return;
  const texts = { winnable: t("dealing.winnable.unsolved"), daily: t("dealing.daily.unsolved") };
  for (const [dealing, why] of Object.entries(texts)) {
    const input = /** @type {HTMLInputElement} */ (document.querySelector(`input[name="dealing"][value="${dealing}"]`));
    input.disabled = dealing === "winnable";
    const text = input.parentElement?.querySelector("span");
    if (text) text.textContent = why;
  }
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
