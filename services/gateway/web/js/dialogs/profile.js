// @ts-check
/** The player's profile: to another device by a code, to this one from another, or away for good. */

import { RefusedError, ask, tell } from "../api.js";
import { byId, dialog, openDialog } from "../dom.js";
import { dateTime, t } from "../i18n.js";
import { invitationCode } from "../links.js";
import { refusalText } from "../referee.js";
import { forgetAll, isKept, remember } from "../storage.js";

export class ProfileDialog {
  /** @param {import("../connection.js").Connection} connection */
  constructor(connection) {
    this.connection = connection;
    this.input = /** @type {HTMLInputElement} */ (byId("profile-enter"));
    byId("profile-make").addEventListener("click", () => void this.make());
    byId("profile-use").addEventListener("click", () => void this.use());
    byId("profile-delete").addEventListener("click", () => openDialog("deleting"));
    byId("delete-yes").addEventListener("click", () => void this.delete());
    this.input.addEventListener("keydown", (event) => event.key === "Enter" && byId("profile-use").click());
  }

  open() {
    this.input.value = "";
    this.fault("profile-fault", "");
    byId("profile-code").hidden = true;
    openDialog("profile");
  }

  /** A code for another device. */
  async make() {
    try {
      const { code, expires_at: until } = await ask("player/code", this.connection.token, { method: "POST" });
      byId("profile-code").hidden = false;
      byId("device-code").textContent = `${code.slice(0, 5)} ${code.slice(5)}`;
      byId("device-until").textContent = t("profile.until", { time: dateTime(until) });
    } catch (failure) {
      this.fault("profile-fault", reasonOf(failure));
    }
  }

  /** Have the profile of the device whose code was entered. */
  async use() {
    const code = invitationCode(this.input.value);
    if (!code) return this.fault("profile-fault", t("profile.bad-code", { text: this.input.value.trim().slice(0, 24) }));
    if (!isKept()) return this.fault("profile-fault", t("said.not-kept"));
    try {
      const body = new Blob([JSON.stringify({ code })], { type: "application/json" });
      const { token } = await ask("session/code", null, { method: "POST", body });
      remember("game", null);
      remember("view", null);
      remember("unsent", null);
      remember("token", token);
      location.reload();
    } catch (failure) {
      this.fault("profile-fault", reasonOf(failure));
    }
  }

  /** Nothing of the profile stays, on the server or here. */
  async delete() {
    try {
      await tell("player", this.connection.token, { method: "DELETE" });
      forgetAll();
      location.reload();
    } catch (failure) {
      dialog("deleting").close();
      openDialog("profile");
      this.fault("profile-fault", reasonOf(failure));
    }
  }

  /** @param {string} id @param {string} text none: nothing is wrong */
  fault(id, text) {
    byId(id).textContent = text;
    byId(id).hidden = !text;
    this.input.setAttribute("aria-invalid", String(Boolean(text)));
  }
}

/** @param {unknown} failure */
const reasonOf = (failure) => (failure instanceof RefusedError ? refusalText(failure.reason) : t("error.unavailable"));
