// @ts-check
/** A game for two on the page: the invitation while it waits, then the other side beside the own table. */

import { linkToDuel } from "../links.js";
import { byId, copied, make } from "../dom.js";
import { clockTime, dateTime, number, t } from "../i18n.js";
import { cardsOf } from "../moves.js";
import { Table } from "../table.js";
import { distinct } from "../twins.js";
import { cardNames, pileName } from "../words.js";
import { isWatched, otherSide } from "./seats.js";

/** @typedef {import("../types.js").View} View */

const TICK_MS = 500;

export class DuelPanel {
  /**
   * @param {import("../settings.js").Settings} settings
   * @param {{claim: () => void, cancel: () => void, said: (text: string) => void, now: () => number}} page `now`: the server's time
   */
  constructor(settings, page) {
    this.page = page;
    this.waiting = byId("waiting");
    this.rival = byId("rival");
    this.main = /** @type {HTMLElement} */ (this.rival.closest("main"));
    this.state = byId("rival-state");
    this.claim = byId("claim");
    this.table = new Table(byId("rival-table"), settings);
    /** @type {View | null} */
    this.view = null;
    this.claim.addEventListener("click", () => page.claim());
    byId("invite-cancel").addEventListener("click", () => page.cancel());
    byId("invite-copy").addEventListener("click", () => void this.copy("join", "duel.copied"));
    byId("watch-copy").addEventListener("click", () => void this.copy("watch", "duel.copied-watch"));
    settings.addEventListener("changed", () => this.table.redraw());
    setInterval(() => this.tick(), TICK_MS);
  }

  /** To be told before the own table is. @param {View} view */
  changed(view) {
    this.view = view;
    const waits = view.status === "waiting";
    this.waiting.hidden = !waits;
    this.rival.hidden = !view.duel?.opponent;
    this.main.dataset.duel = waits ? "waiting" : this.rival.hidden ? "none" : "shown";
    if (waits) this.invite(view);
    const other = otherSide(view);
    if (!other) return;
    this.table.show(distinct(other, this.table.view), true);
    this.describe(view, other);
    this.tick();
  }

  /** In another language. */
  redraw() {
    if (!this.view) return;
    this.table.redraw();
    this.changed(this.view);
  }

  /** @param {View} view */
  invite({ game, duel }) {
    /** @type {HTMLInputElement} */ (byId("invite-link")).value = linkToDuel("join", game);
    byId("invite-code").textContent = duel?.code ?? "";
    byId("invite-until").textContent = t("duel.until", { time: dateTime(duel?.expires_at ?? 0) });
  }

  /** @param {View} view @param {View} other */
  describe({ duel }, other) {
    const [own, others] = [number(duel?.cards_up ?? 0), number(duel?.opponent?.cards_up ?? 0)];
    byId("rival-title").textContent = t(duel?.seat === null ? "duel.score-watched" : "duel.score", { own, others });
    const lines = other.columns.map(({ down }, index) => {
      const pile = `T${index + 1}`;
      const cards = cardNames(cardsOf(other, pile)) || t("duel.nothing");
      return make("li", {}, `${down ? t("pile.with-down", { pile: pileName(pile), n: down }) : pileName(pile)}: ${cards}`);
    });
    byId("rival-cards").replaceChildren(...lines);
  }

  /** Time goes on while somebody is away. */
  tick() {
    const { view } = this;
    if (!view?.duel?.opponent) return;
    const text = this.stateText(view);
    if (this.state.textContent !== text) this.state.textContent = text;
    this.claim.hidden = !this.claimable(view);
  }

  /** @param {View} view */
  claimable({ status, duel }) {
    const at = duel?.opponent?.claim_at;
    return status === "running" && duel?.seat !== null && duel?.status === "running" && Boolean(at) && this.page.now() >= Number(at);
  }

  /** @param {View} view */
  stateText(view) {
    const other = view.duel?.opponent;
    if (!other || view.status !== "running") return "";
    if (isWatched(view)) return t("duel.watching");
    if (view.duel?.status === "resigned") return t("duel.you-resigned");
    if (other.status === "resigned") return t("duel.resigned");
    if (!other.claim_at) return "";
    const left = other.claim_at - this.page.now();
    return left > 0 ? t("duel.away", { time: clockTime(left) }) : t("duel.away-long");
  }

  /** @param {"join" | "watch"} way @param {string} done */
  async copy(way, done) {
    if (!this.view) return;
    const link = linkToDuel(way, this.view.game);
    this.page.said((await copied(link)) ? t(done) : link); // what is shown can be copied by hand
  }
}
