// @ts-check
/**
 * "Let it play": one hint after the other is asked for and followed, with all the moves of its plan, at the pace that
 * the player has chosen. It rests as soon as the player does anything, and ends with the game or where there is no hint.
 */

import { byId } from "./dom.js";
import { number, t } from "./i18n.js";
import { remember, remembered } from "./storage.js";

/** Moves a second. */
const PACES = [0.5, 1, 2, 4, 8];
const FIRST_PACE = 1;
/** Up to this pace a reason can be read. */
const READABLE_PACE = 2;

/** @typedef {"off" | "playing" | "resting"} State */

export class AutoPlay {
  /**
   * @param {import("./commander.js").Commander} commander
   * @param {import("./actions.js").Actions} actions
   * @param {import("./helper.js").Helper} helper
   * @param {import("./messages.js").Messages} messages
   */
  constructor(commander, actions, helper, messages) {
    this.commander = commander;
    this.actions = actions;
    this.helper = helper;
    this.messages = messages;
    this.bar = byId("autoplay");
    /** @type {State} */
    this.state = "off";
    this.pace = PACES.find((pace) => String(pace) === remembered("pace")) ?? FIRST_PACE;
    this.game = "";
    this.movedAt = 0;
    /** What is left of a plan, for the version that it goes on from. */
    this.plan = { moves: /** @type {string[]} */ ([]), version: 0 };
    /** Whether what is wanted is wanted by this. */
    this.own = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    actions.addEventListener("touched", () => this.rest());
    commander.addEventListener("wanted", () => this.own || this.rest());
    commander.addEventListener("settled", () => this.next());
    commander.addEventListener("answered", () => this.next());
    commander.addEventListener("refused", (event) => {
      this.refused(/** @type {CustomEvent<import("./types.js").Frame>} */ (event).detail.error?.code);
    });
    this.wire();
  }

  wire() {
    const on = (/** @type {string} */ id, /** @type {() => void} */ run) => byId(id).addEventListener("click", run);
    on("auto-toggle", () => this.toggle());
    on("auto-slower", () => this.faster(-1));
    on("auto-faster", () => this.faster(1));
    on("auto-end", () => this.turn("off"));
  }

  get playing() {
    return this.state === "playing";
  }

  /** Begin, go on, or rest. */
  toggle() {
    const { view } = this.commander.game;
    if (this.playing) return this.rest();
    if (view?.status !== "running" || view.paused) return;
    this.game = view.game;
    this.movedAt = performance.now();
    this.turn("playing");
    this.next();
  }

  rest() {
    if (!this.playing) return;
    this.turn("resting");
    this.messages.announce(t("auto.resting"));
  }

  /** @param {number} steps up the paces */
  faster(steps) {
    if (this.state === "off") return;
    const place = PACES.indexOf(this.pace) + steps;
    this.pace = PACES[Math.min(Math.max(place, 0), PACES.length - 1)];
    remember("pace", String(this.pace));
    this.turn(this.state);
    this.messages.announce(this.paceText());
    this.next();
  }

  /** @param {State} state */
  turn(state) {
    this.state = state;
    clearTimeout(this.timer);
    this.helper.manner = !this.playing ? "full" : this.pace <= READABLE_PACE ? "reason" : "cards";
    if (!this.playing) this.helper.hide();
    this.show();
  }

  /** The next thing to do, when nothing is under way. */
  next() {
    clearTimeout(this.timer);
    if (!this.playing || this.commander.working || this.commander.question) return;
    if (!this.helper.current && !this.planned) return this.want(this.actions.hintWish());
    if (this.planned) this.helper.point(this.planned);
    const due = this.movedAt + 1_000 / this.pace;
    this.timer = setTimeout(() => this.follow(), Math.max(0, due - performance.now()));
  }

  /** The plan's next move, if nobody has moved since. */
  get planned() {
    return this.plan.version === this.commander.game.view?.version ? this.plan.moves[0] : undefined;
  }

  follow() {
    const { helper, planned } = this;
    const version = this.commander.game.view?.version ?? 0;
    const wish = planned ? helper.wishFor(planned) : helper.wish();
    const moves = planned ? this.plan.moves.slice(1) : (helper.current?.then ?? []);
    this.plan = { moves, version: version + 1 };
    this.movedAt = performance.now();
    if (wish) this.want(wish);
  }

  /** @param {import("./commander.js").Wish} wish */
  want(wish) {
    this.own = true;
    this.commander.want(wish);
    this.own = false;
  }

  /** What is wrong is told by others. @param {string | undefined} code */
  refused(code) {
    if (this.playing) this.turn(code === "no-hint" || code === "stuck" ? "off" : "resting");
  }

  /** @param {import("./types.js").View} view */
  changed(view) {
    if (view.paused) this.rest();
    if (this.state !== "off" && (view.status !== "running" || view.game !== this.game)) this.turn("off");
  }

  paceText() {
    return t("auto.pace", { n: this.pace, pace: number(this.pace) });
  }

  show() {
    const toggle = byId("auto-toggle");
    const label = t(this.playing ? "auto.pause" : "auto.go-on");
    this.bar.hidden = this.state === "off";
    this.bar.dataset.state = this.state;
    toggle.title = label;
    toggle.setAttribute("aria-label", label);
    toggle.querySelector("use")?.setAttribute("href", this.playing ? "#icon-pause" : "#icon-play");
    byId("auto-pace").textContent = this.paceText();
    byId("auto-slower").setAttribute("aria-disabled", String(this.pace === PACES[0]));
    byId("auto-faster").setAttribute("aria-disabled", String(this.pace === PACES.at(-1)));
  }
}
