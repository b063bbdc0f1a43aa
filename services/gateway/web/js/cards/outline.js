// @ts-check
/** Outlines made larger or smaller, turned round and put elsewhere: many of them in one path cost a browser what one does. */

/** What the numbers of a command are: across, down, a radius, or none of them (angle and flags of an arc). @type {Record<string, string>} */
const NUMBERS = { M: "xy", L: "xy", H: "x", V: "y", C: "xyxyxy", S: "xyxy", Q: "xyxy", T: "xy", A: "rr---xy", Z: "" };
const COMMAND = /([a-z])([^a-z]*)/gi;
const NUMBER = /-?(?:\d+\.?\d*|\.\d+)/g;
const DIGITS = 3;

/**
 * @param {string} d of a path that begins with `M`
 * @param {{x: number, y: number, scale?: number}} place where the origin of the outline comes to lie; a scale below 0 turns it round
 * @returns {string}
 */
export function placed(d, { x, y, scale = 1 }) {
  return d.replace(COMMAND, (_, /** @type {string} */ command, /** @type {string} */ given) => {
    const kinds = NUMBERS[command.toUpperCase()];
    const [across, down] = command === command.toUpperCase() ? [x, y] : [0, 0];
    const numbers = (given.match(NUMBER) ?? []).map((text, index) => {
      const [kind, number] = [kinds[index % kinds.length], Number(text)];
      if (kind === "-") return number;
      const sized = kind === "r" ? number * Math.abs(scale) : number * scale + (kind === "x" ? across : down);
      return Number(sized.toFixed(DIGITS));
    });
    return command + numbers.join(" ");
  });
}

/** The same at the other end of a card of 100 x 140. @param {string} d @returns {string} */
export const turned = (d) => placed(d, { x: 100, y: 140, scale: -1 });
