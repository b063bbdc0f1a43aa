// @ts-check
/**
 * Whether the cards of a game that is over are those that were committed to, worked out here from its history: nobody
 * is asked for a yes. The method is described in docs/fair-deals.md.
 */

/** @typedef {import("./history/story.js").History} History */
/** @typedef {import("./history/story.js").Board} Board */
/** @typedef {import("./history/story.js").Step} Step */
/** @typedef {{fault: "secret" | "promise" | "shuffle" | "cards" | null, deck: string[], seen: number}} Check */

const SHUFFLE = "sha256-fisher-yates-1";
const RANKS = "A23456789TJQK";
const SUITS = "CDHS";
const DECK_CARDS = 52;
/** Variants in which the second player has a deck of their own. */
const OWN_DECKS = ["double"];
const WORDS = 2n ** 64n;

/** Whether this browser can: it offers its hashes to secure pages only. */
export const canCheck = () => Boolean(crypto.subtle);

/** @param {History} history @param {string} [promised] the commitment that was shown when the game began @returns {Promise<Check>} */
export async function checkDeal(history, promised = history.commitment) {
  const unfit = (/** @type {Check["fault"]} */ fault) => ({ fault, deck: [], seen: 0 });
  if (history.shuffle !== SHUFFLE) return unfit("shuffle");
  if (history.commitment !== promised) return unfit("promise");
  const secret = bytesOf(history.secret);
  if (history.deal.type !== "number" && hexOf(await sha256(secret)) !== history.commitment) return unfit("secret");
  const checks = await Promise.all(sidesDealt(history).map((side) => checkSide(history, secret, side)));
  const deck = checks.flatMap((check) => check.deck);
  return { fault: checks.every(({ fits }) => fits) ? null : "cards", deck, seen: checks.reduce((sum, { seen }) => sum + seen, 0) };
}

/**
 * What was dealt, and the steps that show it: all of them, or of a game for two each side's own, dealt when both were there.
 * @param {History} history @returns {{board: Board, steps: Step[], suffix: string}[]}
 */
function sidesDealt({ variant, steps }) {
  const joined = steps.find(({ deed }) => deed === "join");
  if (!joined?.other) return [{ board: steps[0].board, steps, suffix: "" }];
  return [joined.other.board, joined.board].map((board, seat) => {
    const suffix = seat && OWN_DECKS.includes(variant) ? `-${seat + 1}` : "";
    return { board, steps: steps.filter((step) => step.seat === seat), suffix };
  });
}

/** @param {History} history @param {Uint8Array} secret @param {ReturnType<typeof sidesDealt>[number]} side */
async function checkSide(history, secret, { board, steps, suffix }) {
  const sizes = board.columns.map(({ down, up }) => down + up.length);
  const total = sizes.reduce((sum, size) => sum + size, board.stock);
  const deck = await deckOf(history.deal, secret, total / DECK_CARDS, suffix);
  const dealt = placesOf(deck, sizes);
  const seen = shown(board, steps, total);
  const fits = total > 0 && deck.length === total && seen.every(([place, card]) => dealt.get(place) === card);
  return { fits, deck, seen: new Set(seen.map(([place]) => place)).size };
}

/**
 * The deck in dealing order.
 * @param {import("./types.js").Deal} deal @param {Uint8Array} secret @param {number} decks @param {string} [suffix] of the second player's own
 */
export async function deckOf(deal, secret, decks, suffix = "") {
  const text = (/** @type {string} */ words) => new TextEncoder().encode(words);
  const word = text((deal.type === "number" ? "number" : "secret") + suffix);
  const origin = deal.type === "number" ? [word, text(String(deal.number))] : [word, secret, text(deal.player_seed ?? "")];
  const seed = await sha256(joined([text("klondike deal 1"), ...origin], 0));
  const one = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
  const deck = Array.from({ length: decks }, () => one).flat();
  const words = wordsOf(seed);
  for (let last = deck.length - 1; last > 0; last--) {
    const place = await below(BigInt(last + 1), words);
    [deck[last], deck[place]] = [deck[place], deck[last]];
  }
  return deck;
}

/** Numbers of 64 bits: SHA-256 of the seed and a counter, four a digest. @param {Uint8Array} seed */
async function* wordsOf(seed) {
  for (let counter = 0; ; counter++) {
    const block = new Uint8Array(seed.length + 8);
    block.set(seed);
    const view = new DataView(block.buffer);
    view.setUint32(seed.length + 4, counter);
    const digest = new DataView((await sha256(block)).buffer);
    for (const at of [0, 8, 16, 24]) yield digest.getBigUint64(at);
  }
}

/** Drawn evenly: what would favour low numbers is thrown away. @param {bigint} bound @param {AsyncGenerator<bigint>} words */
async function below(bound, words) {
  for (;;) {
    const { value } = await words.next();
    if (value < WORDS - (WORDS % bound)) return Number(value % bound);
  }
}

/** The card of each place: `row/column`, or the place in the deck of a card of the stock. @param {string[]} deck @param {number[]} sizes */
function placesOf(deck, sizes) {
  /** @type {string[]} */
  const places = [];
  for (let row = 0; row < Math.max(...sizes); row++) {
    sizes.forEach((size, column) => row < size && places.push(`${row}/${column}`));
  }
  return new Map(deck.map((card, index) => [places[index] ?? String(index), card]));
}

/** Every card that was shown where it was dealt. @param {Board} first @param {Step[]} steps @param {number} total @returns {[string, string][]} */
function shown(first, steps, total) {
  const faces = first.columns.flatMap(({ down, up }, column) => up.map((card, at) => [`${down + at}/${column}`, card]));
  const later = steps.flatMap(({ board, events }) => events.flatMap((event) => {
    if (event.type === "cards-moved" && event.turned_up) {
      const column = Number(event.source?.slice(1)) - 1;
      return [[`${board.columns[column]?.down}/${column}`, event.turned_up]];
    }
    if (event.type !== "cards-drawn" || board.pass_number !== 1) return [];
    const cards = /** @type {string[]} */ (event.cards);
    return cards.map((card, at) => [String(total - board.stock - cards.length + at), card]);
  }));
  return /** @type {[string, string][]} */ ([...faces, ...later]);
}

/** @param {Uint8Array} bytes */
const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", /** @type {BufferSource} */ (bytes)));

/** @param {string} hex */
const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @param {Uint8Array} bytes */
const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {Uint8Array[]} parts @param {number} between a byte */
function joined(parts, between) {
  return Uint8Array.from(parts.flatMap((part, index) => (index ? [between, ...part] : [...part])));
}
