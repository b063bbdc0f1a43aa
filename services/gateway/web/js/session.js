// @ts-check
/** Which game is shown: the one that was left, the one of a deal link, or a new one. */

import { keepSearch } from "./address.js";
import { RefusedError, ask } from "./api.js";
import { lastChoice, today } from "./choices.js";
import { isWatched } from "./duel/seats.js";
import { t } from "./i18n.js";
import { dealLink, duelLink, linkToDuel } from "./links.js";
import { remember, remembered } from "./storage.js";

/** @typedef {import("./types.js").Choice} Choice */
/** @typedef {import("./types.js").Frame} Frame */

/** What is answered about a game that cannot be played on. */
const GONE = new Set(["unknown-game", "not-your-game", "broken-game", "bad-frame"]);
const RESUME_AGAIN_MS = 2_000;
/** How often the deal of a day is asked for while the server looks for it, some seconds each time. */
const DAY_TRIES = 5;

export class Session {
  /**
   * @param {import("./connection.js").Connection} connection
   * @param {import("./game.js").Game} game
   * @param {{refused: (frame: Frame) => void, choose: (choice?: Choice) => void, seeking: (seeks: boolean) => void, full: () => void,
   *   badLink: (part: import("./links.js").LinkPart, text: string) => void}} tell
   */
  constructor(connection, game, tell) {
    this.connection = connection;
    this.game = game;
    this.tell = tell;
    /** The number of the newest wish for a game: what an older one still waits for is not dealt any more. */
    this.wish = 0;
    /** Over when no game is being begun that the player has chosen. @type {Promise<unknown>} */
    this.beginning = Promise.resolve();
    game.addEventListener("changed", (event) => {
      const another = !(/** @type {CustomEvent<import("./game.js").Change>} */ (event).detail.before);
      if (another) this.seekNoMore();
      if (another && game.view) keepSearch(isWatched(game.view) ? new URL(linkToDuel("watch", game.view.game)).search : "");
    });
    game.addEventListener("changed", () => game.view && !isWatched(game.view) && remember("game", game.view.game));
  }

  /** Begin: with the link, or where the player was. */
  async begin() {
    const [link, duel] = [dealLink(new URL(location.href)), duelLink(new URL(location.href))];
    keepSearch();
    if (duel && "way" in duel && (await this[duel.way](duel.game))) return;
    const kept = await this.resumeKept();
    const wrong = [duel, link].find((one) => one && "wrong" in one);
    if (wrong && "wrong" in wrong) {
      if (!kept) await this.start(lastChoice());
      this.tell.badLink(wrong.wrong, wrong.text);
    } else if (link && "choice" in link && kept && this.inPlay()) this.tell.choose(link.choice);
    else if (link && "choice" in link) await this.startOr(link.choice, kept);
    else if (!kept) await this.start(lastChoice());
  }

  /** Whether the shown game is running and has moves. */
  inPlay() {
    return this.game.running && (this.game.view?.moves ?? 0) > 0;
  }

  /** The game that this browser remembers, else the newest running one of the player. */
  async resumeKept() {
    const kept = remembered("game");
    if (kept && (await this.resume(kept))) return true;
    if (!this.connection.token) return false;
    try {
      const { games } = await ask("games?limit=1", this.connection.token);
      return games.length > 0 && (await this.resume(games[0].game));
    } catch {
      return false; // scoring is away: a new game can be played without it
    }
  }

  /** @param {string} game @returns {Promise<boolean>} */
  resume(game) {
    this.seekNoMore();
    return this.begun(this.tryResume(game));
  }

  /** @template Outcome @param {Promise<Outcome>} outcome @returns {Promise<Outcome>} */
  begun(outcome) {
    this.beginning = outcome.catch(() => {});
    return outcome;
  }

  /** @param {string} game @returns {Promise<boolean>} */
  async tryResume(game) {
    const answer = await this.connection.request({ type: "resume", game });
    if (answer.view) this.game.begin(answer);
    else if (!GONE.has(answer.error?.code ?? "")) {
      // It is there, only not now: a new game in its place would be a loss.
      this.tell.refused(answer);
      await new Promise((resolve) => setTimeout(resolve, RESUME_AGAIN_MS));
      return this.resume(game);
    }
    return answer.view !== undefined;
  }

  /** Take the free seat of a game for two; one's own is gone on with, and one that is full is watched. @param {string} game @returns {Promise<boolean>} */
  async join(game) {
    const answer = await this.connection.request({ type: "join", game });
    if (["own-game", "already-joined"].includes(answer.error?.code ?? "")) return (await this.resume(game)) || this.watchFull(game);
    return this.shown(answer);
  }

  /** Watch a game that one wanted to join. @param {string} game @returns {Promise<boolean>} */
  async watchFull(game) {
    const shown = await this.watch(game);
    if (shown) this.tell.full();
    return shown;
  }

  /** @param {string} game @returns {Promise<boolean>} */
  async watch(game) {
    return this.shown(await this.connection.request({ type: "watch", game }));
  }

  /** Take the free seat that a code stands for; gives the refusal when there is one. @param {string} code @returns {Promise<Frame | null>} */
  async joinByCode(code) {
    const answer = await this.connection.request({ type: "join-code", code });
    if (!answer.view) return answer;
    this.game.begin(answer);
    return null;
  }

  /** Show what was answered. @param {Frame} answer @returns {boolean} whether it has a game */
  shown(answer) {
    if (answer.view) this.game.begin(answer);
    else this.tell.refused(answer);
    return answer.view !== undefined;
  }

  /** What a link asks for; where that cannot be had and there is no other game, any. @param {Choice} choice @param {boolean} kept */
  async startOr(choice, kept) {
    const refusal = await this.tryStart(choice);
    if (!refusal && this.game.view) return;
    if (!kept) await this.start({ ...choice, deal: undefined });
    if (refusal) this.tell.refused(refusal);
  }

  /** @param {Choice} choice @returns {Promise<void>} */
  start(choice) {
    this.seekNoMore();
    return this.begun(choice.against ? this.challenge(choice) : this.startAlone(choice));
  }

  /** @param {Choice} choice */
  async startAlone(choice) {
    const refusal = await this.tryStart(choice);
    if (refusal) this.tell.refused(refusal);
  }

  /** A game for two. @param {Choice} choice */
  async challenge({ variant, scoring, mode, against }) {
    const kind = against === "match" ? { type: "quick-match", variant, scoring } : { type: "new-game", variant, scoring, mode };
    const answer = await this.connection.request(kind);
    const computer = against === "easy" || against === "hard";
    if (!this.shown(answer) || !computer) return;
    try {
      await ask(`games/${answer.view?.game}/opponent?level=${against}`, this.connection.token, { method: "POST" });
    } catch {
      this.tell.refused({ type: "refused", error: { code: "no-computer", text: t("duel.no-computer"), fix: "" } });
    }
  }

  /** Wait no longer for the deal of a day. */
  seekNoMore() {
    this.wish += 1;
    this.tell.seeking(false);
  }

  /** Deal a game; gives the refusal when there is one. @param {Choice} choice @returns {Promise<Frame | null>} */
  async tryStart(choice) {
    const wish = this.wish;
    try {
      const deal = await this.dealOf(choice);
      if (wish !== this.wish) return null;
      const answer = await this.connection.request({ type: "new-game", ...choice, deal });
      if (!answer.view) return answer;
      this.game.begin(answer);
      return null;
    } catch (failure) {
      if (wish !== this.wish) return null;
      this.seekNoMore();
      const none = { code: "no-winnable-deal", text: "", fix: "" };
      return { type: "refused", error: failure instanceof RefusedError ? failure.reason : none };
    }
  }

  /** What to ask for; the deal of a day is a number that the server knows, or looks for. @param {Choice} choice @returns {Promise<import("./types.js").Deal | undefined>} */
  async dealOf({ deal, variant }) {
    if (deal?.type !== "daily") return deal;
    const { number, day } = await this.dayOf(`daily/${variant}?day=${deal.day ?? today()}`, DAY_TRIES);
    return { type: "number", number, day };
  }

  /** @param {string} path @param {number} tries @returns {Promise<{number: number, day: string}>} */
  async dayOf(path, tries) {
    const wish = this.wish;
    try {
      return await ask(path, null);
    } catch (failure) {
      if (tries <= 1 || !(failure instanceof RefusedError) || failure.reason.code !== "unavailable" || wish !== this.wish) throw failure;
      this.tell.seeking(true);
      return this.dayOf(path, tries - 1);
    }
  }
}
