// @ts-check
/** The course of a game as a drawing: score, what was taken back, help, and until when it could be won. */

import { svg } from "../svg.js";
import { sidesOf, stepOfMove } from "./story.js";

/** @typedef {import("./story.js").History} History */

const [SCORE_TOP, SCORE_BOTTOM] = [22, 80];
const HELP_DEEDS = new Set(["hint", "chances"]);

export class Timeline {
  /** @param {Element} root an SVG element @param {(index: number) => void} choose */
  constructor(root, choose) {
    this.root = root;
    this.last = 1;
    this.bands = svg("g", {});
    this.course = svg("g", {});
    this.here = svg("line", { class: "here", y1: 0, y2: 100 });
    root.append(this.bands, this.course, this.here);
    root.addEventListener("click", (event) => {
      const box = root.getBoundingClientRect();
      choose(Math.round(((/** @type {MouseEvent} */ (event).clientX - box.left) / box.width) * this.last));
    });
  }

  /** @param {History} history */
  show({ steps }) {
    this.last = Math.max(1, steps.length - 1);
    this.root.setAttribute("viewBox", `0 0 ${this.last} 100`);
    const courses = [0, 1].map((seat) => steps.map((step) => sidesOf(step)[seat]?.points ?? 0));
    if (!steps.some((step) => step.other)) courses.pop();
    const points = courses.flat();
    const [least, most] = [Math.min(...points), Math.max(...points)];
    const height = (/** @type {number} */ score) => SCORE_BOTTOM - ((score - least) / (most - least || 1)) * (SCORE_BOTTOM - SCORE_TOP);
    const scores = courses.map((course, seat) => {
      const line = course.map((score, index) => `${index},${height(score)}`).join(" ");
      return svg("polyline", { class: seat ? "score small" : "score", points: line });
    });
    const marks = steps.flatMap((step, index) => {
      if (HELP_DEEDS.has(step.deed)) return [svg("line", { class: "help", x1: index, x2: index, y1: 0, y2: 16 })];
      return step.deed === "undo" ? [svg("line", { class: "undo", x1: index, x2: index, y1: 86, y2: 100 })] : [];
    });
    this.course.replaceChildren(...scores, ...marks);
    this.bands.replaceChildren();
  }

  /** @param {number} index */
  move(index) {
    this.here.setAttribute("x1", String(index));
    this.here.setAttribute("x2", String(index));
  }

  /** Mark until when the game could be won, and from when on not. @param {History} history @param {import("../dialogs/verdict.js").Verdict} verdict */
  judge(history, { moves, winnable_through: through, lost_from: lost }) {
    const end = through === moves ? this.last : stepOfMove(history, through ?? 0);
    const start = stepOfMove(history, lost ?? 0);
    if (through !== null) this.bands.append(svg("rect", { class: "winnable", x: 0, y: 0, width: end, height: 100 }));
    if (lost !== null) this.bands.append(svg("rect", { class: "lost", x: start, y: 0, width: this.last - start, height: 100 }));
  }
}
