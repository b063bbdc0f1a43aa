// @ts-check
/** The player's choices about looks and input. What is looked at is chosen by looking at it. */

import { cardElement } from "../cards/element.js";
import { solved } from "../choices.js";
import { byId, fillSelect, make, openDialog } from "../dom.js";
import { t } from "../i18n.js";
import { SETTINGS } from "../settings.js";

/** @typedef {import("../settings.js").SettingName} SettingName */
/** @typedef {import("../settings.js").Settings} Settings */

/** The settings of looks, in the order of the dialog; all others are about play. */
const LOOKS = ["felt", "back", "theme", "colours", "index", "hand"];
/** Those of them that are chosen by a sample. */
const SAMPLED = ["felt", "back"];
const SHOWN_CARDS = ["AS", "KH", "QC", "7D"];

/** @param {Settings} settings @param {string} variant what is played */
export function openSettings(settings, variant) {
  const names = Object.keys(SETTINGS);
  const play = names.filter((name) => !LOOKS.includes(name));
  byId("settings-looks").replaceChildren(...LOOKS.filter((name) => names.includes(name)).map((name) => field(settings, name)));
  byId("settings-play").replaceChildren(...play.map((name) => field(settings, name)));
  if (!solved(variant)) byId("setting-advice").setAttribute("aria-describedby", "advice-unsolved");
  byId("advice-unsolved").hidden = solved(variant);
  showCards(settings);
  openDialog("settings");
}

/** @param {Settings} settings @param {string} name */
function field(settings, name) {
  const values = SETTINGS[/** @type {SettingName} */ (name)];
  return SAMPLED.includes(name) ? samples(settings, name, values) : list(settings, name, values);
}

/** A setting whose values are words. @param {Settings} settings @param {string} name @param {readonly string[]} values */
function list(settings, name, values) {
  const select = make("select", { id: `setting-${name}` });
  fillSelect(select, values.map((value) => [value, t(`setting.${name}.${value}`)]), settings.values[name]);
  select.addEventListener("change", () => choose(settings, name, select.value));
  return make("label", { class: "field" }, make("span", {}, t(`setting.${name}`)), select);
}

/** A setting whose values are seen. @param {Settings} settings @param {string} name @param {readonly string[]} values */
function samples(settings, name, values) {
  const choices = values.map((value) => {
    const input = make("input", { type: "radio", name: `setting-${name}`, value, "aria-label": t(`setting.${name}.${value}`) });
    input.checked = settings.values[name] === value;
    input.addEventListener("change", () => choose(settings, name, value));
    return make("label", { class: `sample sample-${name}`, title: t(`setting.${name}.${value}`), [`data-${name}`]: value }, input);
  });
  return make("fieldset", { class: "samples" }, make("legend", {}, t(`setting.${name}`)), make("div", {}, ...choices));
}

/** @param {Settings} settings @param {string} name @param {string} value */
function choose(settings, name, value) {
  settings.set(/** @type {SettingName} */ (name), value);
  showCards(settings);
}

/** Some cards on the table's cloth, as they are now. @param {Settings} settings */
function showCards(settings) {
  const large = settings.get("index") === "large";
  const stage = byId("settings-cards");
  stage.dataset.index = large ? "large" : "regular";
  stage.replaceChildren(...[null, ...SHOWN_CARDS].map((card) => cardElement(card, large)));
}
