// @ts-check
/** Score, moves, time and passes above the table. */

import { clockTime, number, t } from "./i18n.js";
import { score } from "./score.js";

/** @typedef {import("./types.js").View} View */

/** The server counts a pause between two moves up to this long. */
const PAUSE_MS_MAX = 60_000;
const TICK_MS = 500;

export class Status {
  /** @param {ParentNode} root */
  constructor(root) {
    const find = (/** @type {string} */ id) => /** @type {HTMLElement} */ (root.querySelector(`#${id}`));
    this.fields = { points: find("points"), moves: find("moves"), time: find("time"), pass: find("pass") };
    this.passBox = find("pass-box");
    this.tags = find("tags");
    /** @type {View | null} */
    this.view = null;
    /** This clock less the server's, in milliseconds. */
    this.ahead = 0;
    this.measured = false;
    /** When the connection was lost; while it is, nothing counts. @type {number | null} */
    this.lostAt = null;
    setInterval(() => this.tick(), TICK_MS);
  }

  /** A first guess of the difference of clocks, from an answer's date. @param {Response} response */
  guessClock(response) {
    const date = Date.parse(response.headers.get("date") ?? "");
    // The header has whole seconds, so less than that is no difference.
    if (!this.measured && Math.abs(Date.now() - date) > 2_000) this.ahead = Date.now() - date;
  }

  /** @param {View} view @param {boolean} live it has just happened */
  show(view, live) {
    if (live) {
      const ahead = Date.now() - view.at;
      this.ahead = this.measured ? Math.min(this.ahead, ahead) : ahead;
      this.measured = true;
    }
    this.view = view;
    this.fields.points.textContent = score(view.points, view.scoring);
    this.fields.moves.textContent = number(view.moves);
    this.passBox.hidden = view.passes === null;
    if (view.passes !== null) this.fields.pass.textContent = t("status.pass-of", { number: view.pass_number, passes: view.passes });
    this.tags.textContent = [t(`variant.${view.variant}`), t(`mode.${view.mode}`), ...(view.assisted ? [t("status.assisted")] : [])].join(" · ");
    this.tick();
  }

  /** @param {boolean} online */
  connected(online) {
    this.lostAt = online ? null : (this.lostAt ?? Date.now());
  }

  /** The play time now. */
  playTime() {
    const { view } = this;
    if (!view) return 0;
    const since = Math.min(PAUSE_MS_MAX, Math.max(0, (this.lostAt ?? Date.now()) - this.ahead - view.at));
    return view.play_ms + (view.clock_runs ? since : 0);
  }

  tick() {
    const text = clockTime(this.playTime());
    if (this.fields.time.textContent !== text) this.fields.time.textContent = text;
  }
}
