// @ts-check
/** Where cards are on their way: each flies by its own two properties, which the style sheet turns into a transition. */

/** @param {HTMLElement} element @param {number} x @param {number} y */
export function moveTo(element, x, y) {
  element.style.setProperty("--x", `${x}px`);
  element.style.setProperty("--y", `${y}px`);
}

/** Where a card is seen first, as long as it is `entering`. @param {HTMLElement} element @param {number} x @param {number} y */
export function enterFrom(element, x, y) {
  element.style.setProperty("--from-x", `${x}px`);
  element.style.setProperty("--from-y", `${y}px`);
}

/** Run when what there is now has been a frame on the screen. @param {() => void} run */
export function afterFrame(run) {
  requestAnimationFrame(() => requestAnimationFrame(run));
}

/** @param {HTMLElement} element @param {number} milliseconds */
export function setDelay(element, milliseconds) {
  element.style.setProperty("--delay", `${milliseconds}ms`);
}

/** @param {HTMLElement} element */
export const delayOf = (element) => parseFloat(element.style.getPropertyValue("--delay")) || 0;

/**
 * Where the backs of drawn cards that the server has not told yet are in flight, by their index in the waste.
 * @param {HTMLElement} root
 * @param {Map<string, HTMLElement>} cards by the key of their spot
 * @returns {Map<number, {x: number, y: number}>}
 */
export function backsOnWaste(root, cards) {
  const backs = [...cards].filter(([key]) => key.startsWith("W."));
  const box = backs.length ? root.getBoundingClientRect() : { left: 0, top: 0 };
  return new Map(backs.map(([, element]) => {
    const { left, top } = element.getBoundingClientRect();
    return [Number(element.dataset.position), { x: left - box.left, y: top - box.top }];
  }));
}
