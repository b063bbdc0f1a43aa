// @ts-check
/** Points as they are written: dollars where a scoring counts in them. */

import { dollars, number } from "./i18n.js";

const IN_DOLLARS = ["vegas"];

/** @param {number} points @param {string} scoring */
export const score = (points, scoring) => (IN_DOLLARS.includes(scoring) ? dollars(points) : number(points));
