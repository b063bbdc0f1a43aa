// @ts-check
/** Small drawings of one value for each game, the oldest on the left. What they say is in their name as well. */

import { svg } from "../svg.js";

const HEIGHT = 128;
const [LEFT, RIGHT, TOP, BOTTOM] = [48, 8, 10, 10];

/**
 * @typedef {object} Drawing
 * @property {string} name what it shows, for who cannot see it
 * @property {"line" | "dots" | "bars"} kind bars stand on zero
 * @property {number[]} values
 * @property {[number, string][]} ticks values with a line across, and how they are written; first the least, last the greatest
 */

/** @param {Drawing} drawing @param {number} width pixels */
export function plot({ name, kind, values, ticks }, width) {
  const [least, most] = [ticks[0][0], ticks[ticks.length - 1][0]];
  const step = (width - LEFT - RIGHT) / Math.max(values.length, 1);
  const x = (/** @type {number} */ index) => LEFT + (index + 0.5) * step;
  const y = (/** @type {number} */ value) => HEIGHT - BOTTOM - ((value - least) / (most - least || 1)) * (HEIGHT - TOP - BOTTOM);
  const root = svg("svg", { class: `plot-drawing ${kind}`, role: "img", "aria-label": name, viewBox: `0 0 ${width} ${HEIGHT}` });
  root.append(...ticks.flatMap(([value, text]) => tick(y(value), text, width)), ...marks(kind, values, x, y, step));
  return root;
}

/** @param {number} y @param {string} text @param {number} width */
function tick(y, text, width) {
  const label = svg("text", { x: LEFT - 6, y: y + 4, "text-anchor": "end" });
  label.textContent = text;
  return [svg("line", { class: "tick", x1: LEFT, x2: width - RIGHT, y1: y, y2: y }), label];
}

/**
 * @param {Drawing["kind"]} kind @param {number[]} values
 * @param {(index: number) => number} x @param {(value: number) => number} y @param {number} step
 */
function marks(kind, values, x, y, step) {
  if (kind === "line" && values.length > 1) {
    return [svg("polyline", { class: "mark", points: values.map((value, index) => `${x(index)},${y(value)}`).join(" ") })];
  }
  if (kind !== "bars") return values.map((value, index) => svg("circle", { class: "mark", cx: x(index), cy: y(value), r: 3 }));
  const wide = Math.min(14, Math.max(1, step * 0.7));
  return values.map((value, index) => {
    const [top, bottom] = [Math.min(y(value), y(0)), Math.max(y(value), y(0))];
    return svg("rect", { class: value < 0 ? "mark below" : "mark", x: x(index) - wide / 2, y: top, width: wide, height: bottom - top });
  });
}
