// @ts-check
/** The rules page: of the variant on the table, or of any other; it has an address of its own. */

import { keepSheet, leaveWith } from "../address.js";
import { ask } from "../api.js";
import { byId, dialog, fillSelect, make, openDialog } from "../dom.js";
import { t } from "../i18n.js";
import { chapters } from "../rules/chapters.js";
import { pointsNotes, pointsTables } from "../rules/points.js";

/** @typedef {import("../rules/chapters.js").Offer} Offer */

/** The chapter that the points come before. */
const AFTER_POINTS = 5;

export class RulesDialog {
  constructor() {
    this.select = /** @type {HTMLSelectElement} */ (byId("rules-variant"));
    this.select.addEventListener("change", () => void this.show(this.select.value));
    leaveWith(dialog("rules"));
    /** What is played here, once the server has told it. @type {Offer[]} */
    this.offers = [];
    this.wanted = "";
  }

  /** @param {string} variant @param {{above?: boolean}} [how] above the sheet that is open, which is there again afterwards */
  open(variant, { above = false } = {}) {
    if (above) dialog("rules").showModal();
    else openDialog("rules");
    void this.show(variant);
  }

  /** @param {string} variant */
  async show(variant) {
    this.wanted = variant;
    const sheet = dialog("rules");
    sheet.setAttribute("aria-busy", "true");
    try {
      if (!this.offers.length) this.offers = await ask("variants", null);
    } catch {
      // Told below, and tried again when the sheet is opened once more.
    }
    if (this.wanted !== variant) return;
    sheet.removeAttribute("aria-busy");
    this.fill(variant);
  }

  /** @param {string} wanted */
  fill(wanted) {
    const found = this.offers.find(({ rules }) => rules.id === wanted);
    const offer = found ?? this.offers[0];
    const note = byId("rules-note");
    note.hidden = found !== undefined;
    note.textContent = offer ? t("badlink.rules", { text: wanted.slice(0, 24) }) : t("rules.unavailable");
    byId("rules-text").replaceChildren(...(offer ? textOf(offer) : []));
    fillSelect(this.select, this.offers.map(({ rules: { id } }) => [id, t(`variant.${id}`)]), offer?.rules.id ?? "");
    if (offer && dialog("rules").open) keepSheet(`#rules=${encodeURIComponent(offer.rules.id)}`);
  }
}

/** @param {Offer} offer */
function textOf(offer) {
  /** @type {HTMLElement[][]} */
  const told = chapters(offer).map(({ title, sentences }) => [make("h3", {}, title), list(sentences)]);
  const points = [make("h3", {}, t("rules.points-title")), ...pointsTables(offer), list(pointsNotes(offer))];
  return [make("p", {}, t(`variant.${offer.rules.id}.text`)), ...told.toSpliced(AFTER_POINTS, 0, points).flat()];
}

/** @param {string[]} sentences */
const list = (sentences) => make("ul", {}, ...sentences.map((sentence) => make("li", {}, sentence)));
