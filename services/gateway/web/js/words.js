// @ts-check
/** Cards, piles and events in words, for labels and announcements. */

import { deedBetween } from "./between.js";
import { isOver, isWatched } from "./duel/seats.js";
import { t } from "./i18n.js";

/** @typedef {import("./types.js").GameEvent} GameEvent */

const FOUNDATION_SUITS = "CDHS";
const LEFT = { other: "said.left", large: "said.left-large", small: "said.left-small" };
const RETURNED = { other: "said.returned", large: "said.returned-large", small: "said.returned-small" };
const RESIGNED = { other: "duel.resigned", large: "duel.resigned-large", small: "duel.resigned-small" };

/** @param {string} card */
export function cardName(card) {
  return t("card.name", { rank: t(`rank.${card[0]}`), suit: t(`suit.${card[1]}`) });
}

/** @param {string[]} cards */
export const cardNames = (cards) => cards.map(cardName).join(", ");

/** The suit of a foundation. @param {string} pile */
export const foundationSuit = (pile) => FOUNDATION_SUITS[(Number(pile.slice(1)) - 1) % 4];

/** @param {string} pile */
export function pileName(pile) {
  if (pile === "S") return t("pile.stock");
  if (pile === "W") return t("pile.waste");
  if (pile[0] === "T") return t("pile.column", { number: pile.slice(1) });
  return t("pile.foundation", { suit: t(`suit.${foundationSuit(pile)}`) });
}

/**
 * What happened, as a sentence; which move an undo or redo was about only where the view just before it is known.
 * @param {GameEvent} event
 * @param {import("./types.js").View} view after it
 * @param {import("./types.js").View | null} [before] an earlier one
 */
export function eventText(event, view, before = null) {
  const last = before?.version === view.version - 1 ? before : null;
  switch (event.type) {
    case "game-started":
      return t("said.started");
    case "cards-moved": {
      const moved = t("said.moved", { n: event.cards.length, card: cardName(event.cards[0]), pile: pileName(event.target) });
      return event.turned_up ? `${moved} ${t("said.turned-up", { card: cardName(event.turned_up) })}` : moved;
    }
    case "cards-drawn":
      return t("said.drawn", { card: cardNames(event.cards), n: view.stock });
    case "stock-recycled":
      return t("said.recycled", { n: event.cards });
    case "move-undone":
      return [t("said.undone"), ...undoneTexts(last && deedBetween(view, last), view)].join(" ");
    case "move-redone":
      return redoneText(last && deedBetween(last, view), view);
    case "game-paused":
      return event.reason === "player" ? t("said.paused") : "";
    case "game-continued":
      return t("said.continued");
    case "player-joined":
      return t("said.joined");
    case "player-left":
      return event.seat === view.duel?.seat ? "" : ofSeat(LEFT, event.seat, view);
    case "player-returned":
      return event.seat === view.duel?.seat ? "" : ofSeat(RETURNED, event.seat, view);
    case "player-resigned":
      if (!view.duel?.opponent) return ""; // an invitation was taken back
      return event.seat === view.duel.seat ? t("result.resigned") : ofSeat(RESIGNED, event.seat, view);
    case "game-ended":
      return endText(view);
    default:
      return "";
  }
}

/** Where everything lies again, after an undo. @param {import("./between.js").Deed | null} deed that was undone @param {import("./types.js").View} view */
function undoneTexts(deed, view) {
  if (!deed) return [];
  if (deed.type === "cards-drawn") return [t("said.back-stock", { card: cardNames(deed.cards) })];
  if (deed.type === "stock-recycled") return [t("said.back-waste", { n: view.waste.length })];
  const { cards, source, turned_up: turned } = deed;
  const back = t("said.back", { n: cards.length, card: cardName(cards[0]), pile: pileName(source) });
  return turned ? [t("said.turned-down", { card: cardName(turned) }), back] : [back];
}

/** @param {import("./between.js").Deed | null} deed that was made again @param {import("./types.js").View} view */
const redoneText = (deed, view) => [t("said.redone"), ...(deed ? [eventText(deed, view)] : [])].join(" ");

/**
 * What the other player did; who watches is told which of the two did it, the one at the large table (seat 0) or not.
 * @param {{other: string, large: string, small: string}} keys
 * @param {number} seat
 * @param {import("./types.js").View} view
 */
function ofSeat({ other, large, small }, seat, { duel }) {
  if (duel?.seat !== null) return t(other);
  return t(seat === 0 ? large : small);
}

/** What is said of a game that is shown from now on. @param {import("./types.js").View} view @param {boolean} live it was dealt just now */
export function openingText(view, live) {
  if (isOver(view)) return endText(view);
  if (isWatched(view)) return t("duel.watching");
  return t(live ? "said.started" : "said.resumed");
}

/** How a game ended, for whoever sees this view of it. @param {import("./types.js").View} view */
export function endText({ status, duel }) {
  if (duel?.seat === null) return t("duel.over");
  if (duel && !duel.opponent && status === "resigned") return t("duel.taken-back");
  return t(duel && status === "lost" ? "duel.lost" : `result.${status}`);
}

/** A move in words. @param {import("./moves.js").Move | null} move @param {string[]} cards those that move */
export function moveText(move, cards) {
  return move && cards.length ? t("hint.move", { card: cardName(cards[0]), pile: pileName(move.target) }) : "";
}
