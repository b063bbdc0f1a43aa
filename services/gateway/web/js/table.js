// @ts-check
/**
 * The table on the screen. A card is one element for as long as it is seen; a new view only gives it another place,
 * and the style sheet lets it fly there, so a flight can be broken off at any time. What the player does is decided by
 * where cards will lie, never by where they are in flight.
 */

import { cardElement, drawAgain, turnOver } from "./cards/element.js";
import { suitIcon } from "./cards/face.js";
import { afterFrame, backsOnWaste, delayOf, enterFrom, moveTo, setDelay } from "./flight.js";
import { t } from "./i18n.js";
import { layOut, lookUp } from "./layout.js";
import { cardsOf, countFrom, downIn, movesOf, placeOf } from "./moves.js";
import { svg } from "./svg.js";
import { cardName, foundationSuit, pileName } from "./words.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./layout.js").Spot} Spot */

const MOVE_MS = 190;
const DEAL_STEP_MS = 14;
const FLYING_Z = 1_000;
const LIFTED_Z = 2_000;

export class Table {
  /** @param {HTMLElement} root @param {import("./settings.js").Settings} settings */
  constructor(root, settings) {
    this.root = root;
    this.settings = settings;
    /** @type {View | null} */
    this.view = null;
    /** @type {Layout | null} */
    this.layout = null;
    /** @type {Map<string, HTMLElement>} by the key of the spot */
    this.cards = new Map();
    /** @type {Map<string, {group: HTMLElement, slot: HTMLButtonElement}>} by pile */
    this.piles = new Map();
    /** The card that was picked up, with all that lies on it. @type {string | null} */
    this.picked = null;
    /** Cards in the player's hand, and where the lowest of them is. @type {{cards: string[], x: number, y: number} | null} */
    this.hand = null;
    /** In a pause nothing of the table is on the page. */
    this.closed = false;
    /** What is to be done when another view is on the table. */
    this.shown = () => {};
    /** Measured when it has changed: measuring it at each move would have the whole page styled first. @type {import("./layout.js").Size | null} */
    this.size = null;
    new ResizeObserver(() => this.resized()).observe(root);
  }

  /** Show a view. @param {View} view @param {boolean} animate */
  show(view, animate) {
    const fresh = this.view?.game !== view.game;
    const focused = this.focusedPile();
    if (fresh) this.clear();
    const before = this.layout;
    this.view = view;
    this.hand = null;
    if (this.picked && !movesOf(view, this.picked).length) this.picked = null;
    this.render(animate && this.settings.moves, fresh ? null : before);
    if (fresh && focused) this.keepFocus(focused);
    this.shown();
  }

  /** Everything once more, at once: another size, language or look. */
  redraw() {
    for (const element of this.cards.values()) element.removeAttribute("data-place");
    delete this.root.dataset.index;
    this.render(false, this.layout);
  }

  /** @param {boolean} closed */
  close(closed) {
    this.closed = closed;
    this.root.hidden = closed;
    if (closed) this.clear();
    else this.resized();
  }

  clear() {
    this.root.replaceChildren();
    this.cards.clear();
    this.piles.clear();
    this.picked = null;
    this.layout = null;
  }

  resized() {
    this.size = null;
    if (this.view) this.render(false, this.layout);
  }

  /** @param {boolean} animate @param {Layout | null} before */
  render(animate, before) {
    const view = this.view;
    if (view) this.tell(view);
    if (!view || this.closed) return;
    const size = (this.size ??= { width: this.root.clientWidth, height: this.root.clientHeight });
    if (!size.width) return;
    const focused = this.focusedPile();
    const options = { large: this.settings.get("index") === "large", leftHanded: this.settings.get("hand") === "left" };
    const layout = (this.layout = layOut(view, size, options));
    this.drawSigns(layout.large ? "large" : "regular");
    this.root.classList.toggle("still", !animate);
    this.measure(layout);
    for (const [pile, box] of layout.slots) this.placeSlot(view, pile, box);
    this.placeCards(layout, before, animate);
    this.mark();
    if (focused) this.keepFocus(focused);
  }

  /** What is shown, for whoever looks from outside. @param {View} view */
  tell(view) {
    this.root.dataset.version = String(view.version);
    this.root.dataset.status = view.status;
    this.root.toggleAttribute("data-paused", Boolean(view.paused));
  }

  /** @param {"large" | "regular"} index */
  drawSigns(index) {
    if (this.root.dataset.index === index) return;
    this.root.dataset.index = index;
    for (const element of this.cards.values()) drawAgain(element, index === "large");
  }

  /** @param {Layout} layout */
  measure(layout) {
    const { style } = this.root;
    style.setProperty("--card-width", `${layout.card.width}px`);
    style.setProperty("--card-height", `${layout.card.height}px`);
    style.setProperty("--card-radius", `${Math.max(3, layout.card.width * 0.065)}px`);
    style.setProperty("--move-ms", `${MOVE_MS}ms`);
  }

  /** @param {View} view @param {string} pile @param {import("./layout.js").Box} box */
  placeSlot(view, pile, box) {
    const { group, slot } = this.piles.get(pile) ?? this.newPile(pile);
    slot.style.setProperty("--x", `${box.x}px`);
    slot.style.setProperty("--y", `${box.y}px`);
    const cards = pile === "S" ? [] : cardsOf(view, pile);
    const down = downIn(view, pile);
    const covered = cards.length > 0;
    slot.classList.toggle("covered", covered);
    slot.toggleAttribute("aria-hidden", covered);
    if (covered) slot.setAttribute("aria-hidden", "true");
    const name = pileName(pile);
    group.setAttribute("aria-label", down ? t("pile.with-down", { pile: name, n: down }) : name);
    group.setAttribute("aria-owns", cards.map((card) => `${this.root.id}-${card}`).join(" "));
    slot.setAttribute("aria-label", pile === "S" ? stockText(view) : t("pile.empty", { pile: name }));
    if (pile === "S") slot.dataset.state = stockState(view);
    if (pile === "S") slot.dataset.stock = String(view.stock);
  }

  /** @param {string} pile */
  newPile(pile) {
    const group = document.createElement("div");
    const slot = document.createElement("button");
    group.setAttribute("role", "group");
    slot.type = "button";
    slot.className = `slot slot-${pile[0]}`;
    slot.dataset.pile = pile;
    slot.tabIndex = pile === "S" ? 0 : -1;
    if (pile[0] === "F") slot.append(suitIcon(foundationSuit(pile)));
    if (pile === "S") slot.append(svg("svg", { class: "icon", "aria-hidden": "true" }, svg("use", { href: "#icon-recycle" })));
    group.append(slot);
    this.root.append(group);
    const made = { group, slot };
    this.piles.set(pile, made);
    return made;
  }

  /** @param {Layout} layout @param {Layout | null} before @param {boolean} animate */
  placeCards(layout, before, animate) {
    const seen = new Set(layout.spots.map((spot) => spot.key));
    const backs = animate ? backsOnWaste(this.root, this.cards) : new Map();
    for (const [key, element] of this.cards) if (!seen.has(key)) this.removeCard(key, element, layout, animate);
    const entering = layout.spots.filter((spot) => !this.cards.has(spot.key)).map((spot) => {
      const element = this.newCard(spot, layout);
      if (animate) this.enter(element, spot, layout, backs.get(spot.index) ?? null, before);
      return element;
    });
    for (const spot of layout.spots) this.placeCard(/** @type {HTMLElement} */ (this.cards.get(spot.key)), spot, animate);
    const fly = () => entering.forEach((element) => element.classList.remove("entering"));
    if (animate && before === null) return afterFrame(fly); // a whole deal and its flights would be too long a task
    if (animate) entering.at(-1)?.getBoundingClientRect(); // lets the browser take where they are as where their flights begin
    fly();
  }

  /**
   * A card that was not seen before: dealt row by row, drawn, or turned up.
   * @param {HTMLElement} element
   * @param {Spot} spot
   * @param {Layout} layout
   * @param {{x: number, y: number} | null} back where its back was, if it was drawn already
   * @param {Layout | null} before
   */
  enter(element, spot, layout, back, before) {
    const stock = /** @type {import("./layout.js").Box} */ (layout.slots.get("S"));
    const dealt = before === null && spot.pile !== "S";
    if (dealt && this.view) {
      setDelay(element, (spot.z * this.view.columns.length + Number(spot.pile.slice(1))) * DEAL_STEP_MS);
      element.classList.add("dealt");
    }
    if (spot.card) turnOver(element, "turning-up", MOVE_MS + delayOf(element));
    if (!dealt && spot.pile !== "W") return;
    element.classList.add("entering");
    const from = spot.pile === "W" && back ? back : stock;
    enterFrom(element, from.x, from.y);
  }

  /** @param {HTMLElement} element @param {Spot} spot @param {boolean} animate */
  placeCard(element, spot, animate) {
    const place = `${spot.pile} ${spot.x} ${spot.y}`;
    const moved = element.dataset.place !== place;
    element.dataset.place = place;
    element.dataset.pile = spot.pile;
    element.dataset.position = String(spot.index);
    if (spot.card && moved) element.setAttribute("aria-label", t("card.place", { card: cardName(spot.card), pile: pileName(spot.pile) }));
    if (this.hand && spot.card && this.hand.cards.includes(spot.card)) return;
    element.classList.remove("lifted");
    element.style.zIndex = String(spot.z + (animate && moved ? FLYING_Z : 0));
    moveTo(element, spot.x, spot.y);
    if (animate && moved) this.land(element, spot.z);
  }

  /** Flying cards are above lying ones, until they have landed. @param {HTMLElement} element @param {number} z */
  land(element, z) {
    const flight = `${performance.now()}`;
    element.dataset.flight = flight;
    setTimeout(() => {
      if (element.dataset.flight !== flight) return;
      element.removeAttribute("data-flight");
      element.classList.remove("dealt");
      setDelay(element, 0);
      if (!element.classList.contains("lifted")) element.style.zIndex = String(z);
    }, MOVE_MS + delayOf(element));
  }

  /** @param {Spot} spot @param {Layout} layout */
  newCard(spot, layout) {
    const element = cardElement(spot.card, layout.large);
    if (spot.card) element.id = `${this.root.id}-${spot.card}`;
    this.root.append(element);
    this.cards.set(spot.key, element);
    return element;
  }

  /**
   * A card that is not seen any more: back in the stock, or turned down again.
   * @param {string} key
   * @param {HTMLElement} element
   * @param {Layout} layout
   * @param {boolean} animate
   */
  removeCard(key, element, layout, animate) {
    this.cards.delete(key);
    if (!animate || !element.dataset.card) return element.remove();
    element.removeAttribute("id");
    element.removeAttribute("data-card");
    element.setAttribute("aria-hidden", "true");
    const stock = /** @type {import("./layout.js").Box} */ (layout.slots.get("S"));
    if (element.dataset.pile === "W") moveTo(element, stock.x, stock.y);
    turnOver(element, "turning-down", MOVE_MS);
    setTimeout(() => element.remove(), MOVE_MS);
  }

  /** Show what is picked up, where it may go, and what can be moved at all. */
  mark() {
    const view = this.view;
    if (!view) return;
    const picked = this.picked ? this.withAbove(this.picked) : [];
    const lowest = this.hand?.cards[0] ?? this.picked;
    const targets = new Set(lowest ? movesOf(view, lowest).map((move) => move.target) : []);
    for (const [key, element] of this.cards) {
      const cards = element.dataset.card ? cardsOf(view, element.dataset.pile ?? "") : [];
      const top = cards.at(-1) === key;
      const buried = isBuried(element.dataset.pile ?? "", Number(element.dataset.position), cards.length, view.draw);
      element.classList.toggle("buried", buried);
      element.classList.toggle("picked", picked.includes(key));
      element.classList.toggle("target", top && targets.has(element.dataset.pile ?? ""));
      element.classList.toggle("movable", !!element.dataset.card && view.status === "running" && movesOf(view, key).length > 0);
    }
    for (const [pile, { slot }] of this.piles) slot.classList.toggle("target", targets.has(pile));
  }

  /** A card and all that lies on it. @param {string} card @returns {string[]} */
  withAbove(card) {
    const place = this.view && placeOf(this.view, card);
    return this.view && place ? cardsOf(this.view, place.pile).slice(-countFrom(this.view, place)) : [];
  }

  /** What a point of the table means. @param {number} x @param {number} y */
  at(x, y) {
    return this.layout ? lookUp(this.layout, x, y) : null;
  }

  /** @param {string} pile @returns {HTMLElement | undefined} the uppermost card, or the empty place */
  topOf(pile) {
    const top = this.view && pile !== "S" ? cardsOf(this.view, pile).at(-1) : undefined;
    return top ? this.cards.get(top) : this.piles.get(pile)?.slot;
  }

  /** Take cards into the hand. @param {string[]} cards */
  lift(cards) {
    this.hand = { cards, x: 0, y: 0 };
    cards.forEach((card, index) => {
      const element = this.cards.get(card);
      element?.classList.add("lifted");
      if (element) element.style.zIndex = String(LIFTED_Z + index);
    });
    this.mark();
  }

  /** Move the hand. @param {number} x @param {number} y of the lowest card in it */
  carry(x, y) {
    if (!this.hand || !this.layout) return;
    Object.assign(this.hand, { x, y });
    const { up } = this.layout.steps;
    this.hand.cards.forEach((card, index) => {
      const element = this.cards.get(card);
      if (element) moveTo(element, x, y + index * up);
    });
  }

  /** Show where the hand would put its cards down. @param {string | null} pile */
  aim(pile) {
    for (const element of this.root.querySelectorAll(".aimed")) element.classList.remove("aimed");
    if (pile) this.topOf(pile)?.classList.add("aimed");
  }

  /** Let go: cards fly to where they belong. */
  letGo() {
    if (!this.hand || !this.view) return;
    for (const card of this.hand.cards) this.cards.get(card)?.removeAttribute("data-place");
    this.hand = null;
    this.render(this.settings.moves, this.layout);
  }

  /** @param {string | null} card */
  pick(card) {
    this.picked = card;
    this.mark();
  }

  /** "No": the card stays. @param {string} card */
  shake(card) {
    const element = this.cards.get(card);
    element?.classList.add("shaken");
    setTimeout(() => element?.classList.remove("shaken"), 300);
  }

  /** @param {string[]} cards @param {string | null} pile */
  hint(cards, pile) {
    for (const [key, element] of this.cards) element.classList.toggle("hinted", cards.includes(key));
    for (const [name, { slot }] of this.piles) slot.classList.toggle("hinted", name === pile);
    const top = pile ? this.topOf(pile) : undefined;
    if (top?.dataset.card) top.classList.add("hinted");
  }

  /** The pile that has the focus, if the table has it. @returns {{pile: string, card: string | null} | null} */
  focusedPile() {
    const element = /** @type {HTMLElement | null} */ (document.activeElement);
    // A card that is leaving the table is no card of it any more, though it is seen for a moment.
    if (!element?.dataset.pile || !this.root.contains(element) || !element.matches(".slot, [data-card]")) return null;
    return { pile: element.dataset.pile, card: element.dataset.card ?? null };
  }

  /** @param {HTMLElement | undefined} element */
  focus(element) {
    if (!element) return;
    for (const other of this.root.querySelectorAll("[tabindex='0']")) /** @type {HTMLElement} */ (other).tabIndex = -1;
    element.tabIndex = 0;
    element.focus({ preventScroll: true });
  }

  /** After a change the focus stays on its card, or else on its pile. @param {{pile: string, card: string | null}} was */
  keepFocus(was) {
    const now = this.focusedPile();
    if (now && !document.activeElement?.classList.contains("covered")) return;
    this.focus((was.card ? this.cards.get(was.card) : undefined) ?? this.topOf(was.pile) ?? this.piles.get("S")?.slot);
  }
}

/** @param {View} view */
function stockState(view) {
  if (view.stock > 0) return "full";
  return view.legal.includes("recycle") ? "recycle" : "empty";
}

/** @param {View} view */
function stockText(view) {
  if (view.stock > 0) return t("pile.stock-cards", { n: view.stock });
  return t(view.legal.includes("recycle") ? "pile.stock-recycle" : "pile.stock-empty");
}

/** Whether nothing of a card can be seen, though the top one is in the hand. @param {string} pile @param {number} position @param {number} cards in it @param {number} draw */
const isBuried = (pile, position, cards, draw) => "FW".includes(pile[0]) && position < cards - (pile === "W" ? Math.max(2, draw) : 2);
