// @ts-check
/** The player's own statistics, how they came about, the rankings, and all of it as files. */

import { ask, download } from "../api.js";
import { SCORINGS, VARIANTS, oneOf } from "../choices.js";
import { byId, dialog, fillSelect, make, openDialog } from "../dom.js";
import { dollars, t } from "../i18n.js";
import { courseOf, fetchCourse } from "../statistics/course.js";
import { PeriodTabs, rankingContent } from "../statistics/rankings.js";
import { tile } from "../statistics/tiles.js";

export class StatisticsDialog {
  /** @param {import("../connection.js").Connection} connection */
  constructor(connection) {
    this.connection = connection;
    this.variant = /** @type {HTMLSelectElement} */ (byId("ranking-variant"));
    this.scoring = /** @type {HTMLSelectElement} */ (byId("ranking-scoring"));
    this.help = /** @type {HTMLSelectElement} */ (byId("course-help"));
    /** @type {import("../statistics/tiles.js").Sums[]} the player's own, as they were last told */
    this.rows = [];
    this.tabs = new PeriodTabs(byId("ranking-periods"), () => void this.showRanking());
    this.variant.addEventListener("change", () => this.choose(this.variant.value, this.scoring.value));
    this.scoring.addEventListener("change", () => this.showKind());
    this.help.addEventListener("change", () => void this.showCourse());
    /** The width that drawings were last made for. */
    this.drawnFor = 0;
    addEventListener("resize", () => dialog("statistics").open && byId("course").clientWidth !== this.drawnFor && void this.showCourse());
    for (const button of byId("statistics").querySelectorAll("[data-export]")) {
      button.addEventListener("click", () => void this.save(/** @type {HTMLElement} */ (button).dataset.export ?? ""));
    }
  }

  /** @param {string} variant @param {string} scoring whose course and ranking are shown first */
  open(variant, scoring) {
    fillSelect(this.variant, named("variant", VARIANTS), oneOf(VARIANTS, variant));
    fillSelect(this.help, [["false", t("statistics.unassisted")], ["true", t("statistics.assisted")]], this.help.value || "false");
    byId("export-note").hidden = true;
    openDialog("statistics");
    void this.showOwn().then(() => this.choose(this.variant.value, scoring));
  }

  /** @param {string} variant @param {string} wanted the scoring, where the variant has it */
  choose(variant, wanted) {
    const offered = SCORINGS[variant] ?? [];
    fillSelect(this.scoring, named("scoring", offered), oneOf(offered, wanted));
    this.showKind();
  }

  showKind() {
    const played = this.rows.filter((row) => row.variant === this.variant.value && row.scoring === this.scoring.value);
    const asChosen = played.some((row) => String(row.assisted) === this.help.value);
    if (played.length && !asChosen) this.help.value = String(played[0].assisted);
    void this.showCourse();
    void this.showRanking();
  }

  async showOwn() {
    await fill("own", async () => {
      const { rows, bankroll } = await ask("statistics", this.connection.token);
      this.rows = rows;
      if (!rows.length) return [make("p", {}, t("statistics.none"))];
      const money = bankroll === null ? [] : [make("p", { "data-figure": "bankroll" }, t("statistics.bankroll", { sum: dollars(bankroll) }))];
      return [...money, ...rows.map(tile)];
    });
  }

  async showCourse() {
    const [variant, scoring, assisted] = [this.variant.value, this.scoring.value, this.help.value === "true"];
    await fill("course", async () => {
      const ends = await fetchCourse(this.connection.token ?? "", variant, scoring, assisted);
      this.drawnFor = byId("course").clientWidth;
      return ends.length ? courseOf(ends, this.drawnFor) : [make("p", {}, t("course.none"))];
    });
  }

  async showRanking() {
    await fill("ranking", () => rankingContent(this.connection, this.variant.value, this.scoring.value, this.tabs.period));
  }

  /** @param {string} path */
  async save(path) {
    const note = byId("export-note");
    try {
      await download(path, this.connection.token);
      note.hidden = true;
    } catch {
      note.textContent = t("statistics.unavailable");
      note.hidden = false;
    }
  }
}

/** The newest question that was asked for each box: an answer that comes late does not replace a newer one. @type {Map<string, object>} */
const newest = new Map();

/** @param {string} id @param {() => Promise<HTMLElement[]>} content */
async function fill(id, content) {
  const [box, question] = [byId(id), {}];
  newest.set(id, question);
  box.setAttribute("aria-busy", "true");
  const shown = await content().catch(() => [make("p", { class: "notice" }, t("statistics.unavailable"))]);
  if (newest.get(id) !== question) return;
  box.replaceChildren(...shown);
  box.removeAttribute("aria-busy");
}

/** @param {string} kind @param {string[]} values @returns {[string, string][]} */
const named = (kind, values) => values.map((value) => [value, t(`${kind}.${value}`)]);
