// @ts-check
/** The player's choices about looks and input. */

import { solved } from "../choices.js";
import { byId, fillSelect, make, openDialog } from "../dom.js";
import { t } from "../i18n.js";
import { SETTINGS } from "../settings.js";

/** @typedef {import("../settings.js").SettingName} SettingName */

/** @param {import("../settings.js").Settings} settings @param {string} variant what is played */
export function openSettings(settings, variant) {
  const fields = Object.entries(SETTINGS).map(([name, values]) => {
    const select = make("select", { id: `setting-${name}` });
    fillSelect(select, values.map((value) => [value, t(`setting.${name}.${value}`)]), settings.values[name]);
    select.addEventListener("change", () => settings.set(/** @type {SettingName} */ (name), select.value));
    if (name === "advice" && !solved(variant)) select.setAttribute("aria-describedby", "advice-unsolved");
    return make("label", { class: "field" }, make("span", {}, t(`setting.${name}`)), select);
  });
  byId("settings-fields").replaceChildren(...fields);
  byId("advice-unsolved").hidden = solved(variant);
  openDialog("settings");
}
