// @ts-check
/** A game is won: the cards leap off the foundations. Any key or press ends it. */

const LEAP_MS = 1_500;
const LEAP_EVERY_MS = 75;
const BOUNCES = 3;

/**
 * @param {import("./table.js").Table} table
 * @returns {Promise<void>} when it is over
 */
export async function celebrate(table) {
  const { view, layout, root } = table;
  if (!view || !layout || !table.settings.moves) return;
  const floor = root.clientHeight - layout.card.height;
  const order = Array.from({ length: 13 }, (_, rank) => view.foundations.map((pile) => pile[12 - rank]));
  /** @type {Animation[]} */
  const leaps = [];
  order.flat().forEach((card, turn) => {
    const element = card && table.cards.get(card);
    const spot = layout.spots.find((one) => one.card === card);
    if (!element || !spot) return;
    const frames = leapFrames(spot, floor, root.clientWidth, turn);
    leaps.push(element.animate(frames, { duration: LEAP_MS, delay: turn * LEAP_EVERY_MS, fill: "forwards", easing: "linear" }));
    element.style.zIndex = String(3_000 + turn);
  });
  root.classList.add("leaping"); // faces that others cover are not painted; now each of them comes out
  const stop = new AbortController();
  const stopped = new Promise((resolve) => {
    for (const type of ["pointerdown", "keydown"]) addEventListener(type, resolve, { signal: stop.signal, capture: true });
  });
  await Promise.race([Promise.allSettled(leaps.map((leap) => leap.finished)), stopped]);
  stop.abort();
  // The key that ended it must not reach what is shown next.
  await new Promise((resolve) => setTimeout(resolve));
  for (const leap of leaps) leap.cancel();
  root.classList.remove("leaping");
  table.redraw();
}

/**
 * A ball's way over the edge of the table: each bounce lower than the last.
 * @param {{x: number, y: number}} from
 * @param {number} floor
 * @param {number} width
 * @param {number} turn
 * @returns {Keyframe[]}
 */
function leapFrames(from, floor, width, turn) {
  const leftwards = turn % 3 !== 0;
  const far = (leftwards ? -from.x - width * 0.2 : width - from.x + width * 0.2) * (0.75 + ((turn * 7) % 5) / 10);
  const parts = 30;
  return Array.from({ length: parts + 1 }, (_, part) => {
    const share = part / parts;
    const bounce = share * (BOUNCES + 0.5) - 0.5;
    const height = bounce < 0 ? 1 - (2 * (bounce + 0.5)) ** 2 : 4 * (bounce % 1) * (1 - (bounce % 1)) * 0.6 ** (Math.floor(bounce) + 1);
    const y = floor - (floor - from.y) * Math.max(0, height);
    return { transform: `translate(${from.x + far * share}px, ${y}px) rotate(${(leftwards ? -1 : 1) * share * 70}deg)` };
  });
}
