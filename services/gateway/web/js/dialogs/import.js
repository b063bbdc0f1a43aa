// @ts-check
/** A game from a file, or from the clipboard, to be looked through. */

import { RefusedError } from "../api.js";
import { byId, openDialog } from "../dom.js";
import { fileGame } from "../history/sources.js";
import { t } from "../i18n.js";
import { refusalText } from "../referee.js";

/** @typedef {import("../history/sources.js").Source} Source */
/** @typedef {import("../history/story.js").History} History */

export class ImportDialog {
  /** @param {import("../connection.js").Connection} connection @param {(source: Source, history: History) => void} show */
  constructor(connection, show) {
    this.connection = connection;
    this.show = show;
    this.text = /** @type {HTMLTextAreaElement} */ (byId("import-text"));
    this.file = /** @type {HTMLInputElement} */ (byId("import-file"));
    this.fault = byId("import-fault");
    this.file.addEventListener("change", () => void this.read());
    byId("import-look").addEventListener("click", () => void this.look());
  }

  open() {
    this.fault.hidden = true;
    openDialog("import");
  }

  /** What the chosen file holds goes where it can be seen and changed. */
  async read() {
    const file = this.file.files?.[0];
    if (!file) return;
    this.text.value = await file.text();
    this.file.value = "";
    await this.look();
  }

  async look() {
    const source = fileGame(this.text.value, this.connection);
    this.fault.hidden = true;
    this.text.setAttribute("aria-busy", "true");
    try {
      this.show(source, await source.history());
    } catch (error) {
      this.fault.textContent = whyNot(error);
      this.fault.hidden = false;
      this.text.focus();
    }
    this.text.removeAttribute("aria-busy");
  }
}

/** The sentence, and in the server's words where and why. @param {unknown} error */
function whyNot(error) {
  if (!(error instanceof RefusedError)) return t("error.unavailable");
  const { code, field, text } = error.reason;
  if (code !== "bad-file" || !field) return refusalText(error.reason);
  return `${refusalText(error.reason)} ${text.slice(text.indexOf(field))}`;
}
