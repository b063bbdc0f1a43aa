// @ts-check
/** Puts the page together. */

import { sheetInAddress } from "./address.js";
import { Actions } from "./actions.js";
import { Automatic } from "./automatic.js";
import { AutoPlay } from "./autoplay.js";
import { fitBar } from "./bar.js";
import { ChancesTeller } from "./chances.js";
import { lastChoice, linkLimits, solved } from "./choices.js";
import { Commander } from "./commander.js";
import { Connection } from "./connection.js";
import { DailyDialog } from "./dialogs/daily.js";
import { DealDialog } from "./dialogs/deal.js";
import { openGames } from "./dialogs/games.js";
import { openHelp } from "./dialogs/help.js";
import { HistoryDialog } from "./dialogs/history.js";
import { ImportDialog } from "./dialogs/import.js";
import { NewGameDialog } from "./dialogs/new_game.js";
import { ResultDialog } from "./dialogs/result.js";
import { openSettings } from "./dialogs/settings.js";
import { RulesDialog } from "./dialogs/rules.js";
import { StatisticsDialog } from "./dialogs/statistics.js";
import { byId, closeDialogsByPress, dialog, fillSelect, leaveDialogsTo, openDialog } from "./dom.js";
import { DuelPanel } from "./duel/panel.js";
import { byOther, isOver, isWatched, mayMove } from "./duel/seats.js";
import { Game } from "./game.js";
import { Helper } from "./helper.js";
import { isCutShort, ownGame, sharedGame, sharedLink } from "./history/sources.js";
import { language, offeredLanguages, preferredLanguage, t } from "./i18n.js";
import { Keyboard } from "./keyboard.js";
import { firstTexts, speak, tellLanguage } from "./languages.js";
import { keepLastView } from "./last_view.js";
import { linkTo } from "./links.js";
import { Messages } from "./messages.js";
import { movesOf, onlyUpIsLeft } from "./moves.js";
import { Pause } from "./pause.js";
import { Placing } from "./placing.js";
import { Pointer } from "./pointer.js";
import { Profile } from "./profile.js";
import { explainRefusals, refusalText } from "./referee.js";
import { repeatWhileHeld } from "./repeat.js";
import { Restart } from "./restart.js";
import { Session } from "./session.js";
import { Settings } from "./settings.js";
import { Status } from "./status.js";
import { StuckTeller } from "./stuck.js";
import { Table } from "./table.js";
import { tellThinking } from "./thinking.js";
import { Tour } from "./tour.js";
import { tellTroubles } from "./troubles.js";
import { celebrate } from "./win.js";
import { cardName, eventText, openingText, pileName } from "./words.js";

/** @typedef {import("./game.js").Change} Change */

class Page {
  constructor() {
    this.settings = new Settings();
    this.settings.show();
    const address = new URL("ws", document.baseURI);
    address.protocol = address.protocol.replace("http", "ws");
    this.connection = new Connection(address.href);
    this.game = new Game(this.connection);
    this.commander = new Commander(this.connection, this.game);
    this.table = new Table(byId("table"), this.settings);
    this.messages = new Messages(byId("message"), byId("voice"), new Placing(byId("message"), this.table));
    this.status = new Status(document);
    fitBar();
    this.actions = new Actions(this.commander, this.table, this.settings);
    this.helper = new Helper(this.table, this.messages, this.actions);
    this.auto = new AutoPlay(this.commander, this.actions, this.helper, this.messages);
    this.automatic = new Automatic(this.commander, this.actions, this.settings, {
      waits: () => this.table.hand !== null || this.auto.playing,
      stopped: () => this.game.view && this.atAnEnd(this.game.view),
    });
    this.restart = new Restart(this.commander, this.actions, () => this.again());
    this.pause = new Pause(this.table, () => this.actions.simple("continue"));
    this.duel = new DuelPanel(this.settings, {
      claim: () => this.actions.simple("claim"),
      cancel: () => this.actions.simple("resign"),
      said: (text) => this.messages.show(text),
      now: () => Date.now() - this.status.ahead,
    });
    this.tour = new Tour(this.table);
    this.chances = new ChancesTeller(this.messages, this.actions);
    this.stuck = new StuckTeller(this.messages, this.actions, () => this.newGame.open());
    this.rules = new RulesDialog();
    this.statistics = new StatisticsDialog(this.connection);
    this.deal = new DealDialog(this.connection);
    this.history = new HistoryDialog(this.connection, this.settings);
    this.imports = new ImportDialog(this.connection, (source, known) => void this.history.open(source, known));
    this.session = new Session(this.connection, this.game, {
      refused: ({ error }) => error && this.messages.show(refusalText(error), { kind: error.code }),
      choose: (choice) => (choice?.deal?.type === "daily" ? this.daily.open(choice.variant, choice.deal.day) : this.newGame.open(choice)),
      full: () => this.messages.show(t("duel.full")),
      seeking: (seeks) => this.showSeeking(seeks),
      badLink: (part, text) => {
        this.messages.show(t(`badlink.${part}`, { text: text.slice(0, 24), ...linkLimits() }), { stays: true });
        this.newGame.open();
      },
    });
    this.result = new ResultDialog(this.connection, this.game, this.session);
    const start = (/** @type {import("./types.js").Choice} */ choice) => void this.session.start(choice);
    this.newGame = new NewGameDialog(() => this.session.inPlay(), start, (code) => this.session.joinByCode(code), (variant) => this.rules.open(variant, { above: true }));
    this.daily = new DailyDialog(this.connection, start);
    this.profile = new Profile(this.connection, this.settings, this.messages, {
      speak: (chosen) => this.changeLanguage(chosen),
      begin: () => start(lastChoice()),
    });
  }

  async open() {
    closeDialogsByPress();
    this.status.guessClock(await firstTexts());
    this.listen();
    tellLanguage(preferredLanguage(), this.messages);
    this.connection.open();
    keepLastView(this.connection, this.game, !location.search && !location.hash);
    this.wireButtons();
    this.showConnection();
    new Pointer(this.table, this.actions);
    const keyboard = new Keyboard(this.table, this.actions, this.shortcuts());
    leaveDialogsTo(() => keyboard.home());
    this.busy(); // until the game is there that the address asks for: the one that was left may be shown before
    await this.session.begin();
    if (!this.commander.working) this.settled();
    this.lookAtLink();
    addEventListener("hashchange", () => this.lookAtLink());
  }

  listen() {
    const { connection, game, commander, table, messages } = this;
    game.addEventListener("changed", (event) => this.changed(/** @type {CustomEvent<Change>} */ (event).detail));
    explainRefusals(commander, table, messages, {
      "no-hint": () => this.offerChances(),
      stuck: () => this.stuck.actions(),
    });
    commander.addEventListener("busy", () => this.busy());
    commander.addEventListener("foreseen", () => this.draw([], true));
    commander.addEventListener("settled", () => this.settled());
    tellThinking(commander, messages, () => !this.auto.playing);
    this.actions.addEventListener("touched", () => this.helper.hide());
    this.actions.addEventListener("picked", (event) => this.sayTargets(/** @type {CustomEvent<string>} */ (event).detail));
    connection.addEventListener("state", () => this.showConnection());
    tellTroubles(connection, messages);
    this.settings.addEventListener("changed", () => table.redraw());
    this.settings.addEventListener("taken", () => table.redraw());
  }

  /** @param {Change} change */
  changed(change) {
    const { view, before, events, live, seat } = change;
    const animate = live || (before?.game === view.game);
    if (!before) dialog("result").close(); // of the game that was there
    this.pause.changed(view);
    this.duel.changed(view);
    this.automatic.changed(change);
    this.draw(change.commands, animate);
    this.status.show(view, live);
    this.helper.changed(change);
    this.auto.changed(view);
    this.chances.changed(change);
    this.tour.changed(view);
    this.showButtons(view);
    // What the other player does with cards is seen beside the table; told one by one it would drown the own moves.
    const told = byOther(view, seat) ? events.filter(({ type }) => !type.startsWith("cards-") && type !== "stock-recycled") : events;
    if (before) this.messages.announce(told.map((event) => eventText(event, view, before)).filter(Boolean).join(" "));
    else this.messages.announce(openingText(view, live));
    const ended = isOver(view) && !(before && isOver(before));
    if (ended) void this.ended(view, before !== null);
    else if (view.paused) this.messages.hide();
    else if (view.status === "running") this.atAnEnd(view);
  }

  /** The game is over. @param {import("./types.js").View} view @param {boolean} now it was seen to end */
  async ended(view, now) {
    this.commander.forget();
    this.automatic.stop();
    this.messages.hide();
    await this.result.open(view, async () => (now && view.status === "won" ? celebrate(this.table) : undefined));
  }

  /** Tell a dead end, and offer to move up all that is left. @param {import("./types.js").View} view */
  atAnEnd(view) {
    if (this.auto.playing || !mayMove(view)) return;
    if (!view.legal.length) {
      const undo = { label: t("action.undo"), run: () => this.actions.simple("undo") };
      this.messages.show(t(view.duel ? "duel.no-move" : "said.dead-end"), { kind: "dead-end", stays: true, actions: view.can_undo ? [undo] : [] });
    } else if (onlyUpIsLeft(view)) {
      if (this.automatic.card) return this.messages.hide("finish");
      const finish = { label: t("action.finish"), run: () => this.automatic.finish() };
      this.messages.show(t("said.can-finish"), { kind: "finish", stays: true, actions: [finish] });
    } else {
      this.messages.hide("dead-end");
      this.messages.hide("finish");
      this.stuck.changed(view);
    }
  }

  /** Where there is no hint, the solver may be asked. @returns {import("./messages.js").Action[]} */
  offerChances() {
    const { view } = this.game;
    return view && solved(view.variant) ? [{ label: t("action.chances"), run: () => this.chances.ask() }] : [];
  }

  /** Show the table as it will be when all that is wanted is done. @param {string[]} done commands that are @param {boolean} animate */
  draw(done, animate) {
    const view = this.commander.outlook(done);
    if (view && view !== this.table.view) this.table.show(view, animate);
  }

  /** Something is under way. */
  busy() {
    this.table.root.setAttribute("data-busy", "");
  }

  /** Nothing is left to do. */
  settled() {
    this.table.root.removeAttribute("data-busy");
    this.draw([], true); // what was foreseen and did not come about is taken back
    this.table.letGo();
  }

  /** @param {string} card */
  sayTargets(card) {
    const { view } = this.game;
    if (!view) return;
    const piles = movesOf(view, card).map((move) => pileName(move.target)).join(", ");
    this.messages.announce(t("said.picked", { card: cardName(card), piles }));
  }

  showConnection() {
    const { state } = this.connection;
    byId("table").dataset.connection = state;
    this.status.connected(state !== "offline");
    const line = byId("connection");
    line.hidden = state === "online";
    line.textContent = state === "online" ? "" : t(`connection.${state}`);
  }

  /** @param {import("./types.js").View} view */
  showButtons(view) {
    const running = view.status === "running";
    const playable = running && !view.paused && !view.duel;
    setUsable("undo", playable && view.can_undo);
    setUsable("redo", playable && view.can_redo);
    setUsable("hint", playable);
    setUsable("pause", playable && view.clock_runs);
    this.restart.offer(view);
    const known = solved(view.variant);
    byId("chances-unsolved").hidden = known;
    /** @type {HTMLButtonElement} */ (byId("chances")).disabled = !playable || !known;
    /** @type {HTMLButtonElement} */ (byId("let-play")).disabled = !playable;
    /** @type {HTMLButtonElement} */ (byId("resign")).disabled = !mayMove(view);
  }

  /** @returns {Record<string, () => void>} */
  shortcuts() {
    return {
      d: () => this.actions.simple("draw"),
      u: () => this.actions.simple("undo"),
      r: () => this.actions.simple("redo"),
      h: () => this.helped(() => this.helper.ask()),
      c: () => this.helped(() => this.chances.ask()),
      b: () => this.actions.simple(this.game.view?.paused ? "continue" : "pause"),
      Pause: () => this.actions.simple(this.game.view?.paused ? "continue" : "pause"),
      p: () => this.helped(() => this.auto.toggle()),
      "+": () => this.auto.faster(1),
      "-": () => this.auto.faster(-1),
      n: () => this.newGame.open(),
      m: () => openDialog("menu"),
      "?": () => openHelp(this.game.view),
      Escape: () => this.session.seekNoMore(),
    };
  }

  /** Help, which no game for two allows. @param {() => void} run */
  helped(run) {
    if (!this.game.view?.duel) run();
    else this.messages.show(t("error.help-not-allowed"), { kind: "help-not-allowed" });
  }

  wireButtons() {
    const on = (/** @type {string} */ id, /** @type {() => void} */ run) => byId(id).addEventListener("click", run);
    for (const kind of /** @type {const} */ (["undo", "redo"])) {
      repeatWhileHeld(byId(kind), () => this.actions.simple(kind), () => this.actions.ready);
    }
    on("hint", () => this.helped(() => this.helper.ask()));
    on("pause", () => this.actions.simple("pause"));
    on("let-play", () => {
      dialog("menu").close();
      this.auto.toggle();
    });
    on("chances", () => {
      dialog("menu").close();
      this.chances.ask();
    });
    on("new", () => this.newGame.open());
    on("menu-button", () => openDialog("menu"));
    on("resign-yes", () => {
      dialog("resigning").close();
      this.actions.simple("resign");
    });
    on("tour-again", () => {
      dialog("help").close();
      this.tour.begin();
    });
    on("next", () => this.newGame.open());
    on("again", () => this.again());
    on("review", () => this.game.view && this.review(this.game.view.game));
    for (const button of document.querySelectorAll("[data-opens]")) {
      button.addEventListener("click", () => this.openSheet(/** @type {HTMLElement} */ (button).dataset.opens ?? ""));
    }
    const select = /** @type {HTMLSelectElement} */ (byId("language"));
    fillSelect(select, offeredLanguages(), language());
    select.addEventListener("change", async () => {
      await this.changeLanguage(select.value);
      this.profile.kept.note("language");
    });
  }

  /** @param {string} name */
  openSheet(name) {
    const { view } = this.game;
    const { variant, scoring } = view ?? lastChoice();
    if (name === "new-game") this.newGame.open();
    else if (name === "games") this.openGames();
    else if (name === "import") this.imports.open();
    else if (name === "daily") this.daily.open(variant);
    else if (name === "statistics") this.statistics.open(variant, scoring);
    else if (name === "help") openHelp(view);
    else if (name === "rules") this.rules.open(variant);
    else if (name === "profile") this.profile.dialog.open();
    else if (name === "settings") openSettings(this.settings, variant);
    else if (name === "deal" && view) this.deal.open(view);
    else openDialog(name);
  }

  /** That the deal of a day is waited for, until it comes or is not wanted any more. @param {boolean} seeks */
  showSeeking(seeks) {
    if (!seeks) return this.messages.hide("seeking");
    if (this.messages.shows("seeking")) return;
    const cancel = { label: t("action.cancel"), run: () => this.session.seekNoMore() };
    this.messages.show(t("said.seeking-day"), { kind: "seeking", stays: true, actions: [cancel] });
  }

  openGames() {
    const resume = (/** @type {string} */ game) => void this.session.resume(game);
    openGames(this.connection, this.game.view?.game ?? "", { resume, review: (game) => this.review(game) });
  }

  /** @param {string} game */
  review(game) {
    void this.history.open(ownGame(game, this.connection));
  }

  /** A link to a sheet was opened: a game that somebody shared, or the rules. */
  lookAtLink() {
    const url = new URL(location.href);
    const [shared, variant] = [sharedLink(url), sheetInAddress("rules", url)];
    if (isCutShort(url)) this.messages.show(t("badlink.shared"), { stays: true });
    else if (shared) void this.history.open(sharedGame(shared));
    else if (variant !== null) this.rules.open(variant || this.variant);
  }

  /** What is played, or was chosen last. */
  get variant() {
    return (this.game.view ?? lastChoice()).variant;
  }

  /** The same numbered deal once more. */
  again() {
    const { view } = this.game;
    dialog("result").close();
    if (!view || !linkTo(view)) return;
    const { variant, scoring, mode, deal } = view;
    void this.session.start({ variant, scoring, mode, deal });
  }

  /** @param {string} chosen */
  async changeLanguage(chosen) {
    await speak(chosen, this.messages);
    this.showConnection();
    this.auto.show();
    this.tour.show();
    if (!this.game.view) return;
    this.table.redraw();
    this.duel.redraw();
    this.status.show(this.game.view, false);
  }
}

/** A button that does nothing now keeps the focus and says why when pressed. @param {string} id @param {boolean} usable */
function setUsable(id, usable) {
  byId(id).setAttribute("aria-disabled", String(!usable));
}

void new Page().open();
