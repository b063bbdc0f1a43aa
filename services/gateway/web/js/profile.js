// @ts-check
/** Who plays here: one player in all tabs of this browser, whose settings the server keeps. */

import { ProfileDialog } from "./dialogs/profile.js";
import { t } from "./i18n.js";
import { KeptSettings } from "./kept.js";
import { remember, remembered } from "./storage.js";

export class Profile {
  /**
   * @param {import("./connection.js").Connection} connection
   * @param {import("./settings.js").Settings} settings
   * @param {import("./messages.js").Messages} messages
   * @param {{speak: (chosen: string) => Promise<void>, begin: () => void}} page `begin`: a new game, for a new guest
   */
  constructor(connection, settings, messages, { speak, begin }) {
    this.connection = connection;
    this.kept = new KeptSettings(connection, settings, speak);
    this.dialog = new ProfileDialog(connection);
    this.kept.addEventListener("forgotten", () => {
      messages.show(t("error.player-forgotten"));
      connection.forgotten();
      remember("game", null);
      begin();
    });
    addEventListener("storage", () => this.lookAtToken());
  }

  /** In another tab of this browser somebody else plays from now on: here, too. */
  lookAtToken() {
    const token = remembered("token");
    if (token && token !== this.connection.token) location.reload();
  }
}
