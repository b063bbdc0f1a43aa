// @ts-check
/** Days as the server names them, and the weeks of a month. Pure: no clock, no place. */

/** The first day that has a deal. */
export const FIRST_DAY = "2020-01-01";

/** @typedef {{day: string, number: number}} Cell */

/** A day as the middle of it in UTC. @param {string} day */
const noon = (day) => new Date(`${day}T12:00:00Z`);

/** @param {Date} date */
const named = (date) => date.toISOString().slice(0, 10);

/** @param {string} day @param {number} days */
export function later(day, days) {
  const date = noon(day);
  date.setUTCDate(date.getUTCDate() + days);
  return named(date);
}

/** @param {string} month `YYYY-MM` @param {number} months */
export function laterMonth(month, months) {
  const date = noon(`${month}-01`);
  date.setUTCMonth(date.getUTCMonth() + months);
  return named(date).slice(0, 7);
}

/** @param {string} day */
export const monthOf = (day) => day.slice(0, 7);

/** The weeks of a month, from Monday on; null where another month is. @param {string} month @returns {(Cell | null)[][]} */
export function weeksOf(month) {
  const first = `${month}-01`;
  const before = (noon(first).getUTCDay() + 6) % 7;
  const length = Number(later(`${laterMonth(month, 1)}-01`, -1).slice(8));
  const weeks = Math.ceil((before + length) / 7);
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => {
      const number = week * 7 + weekday - before + 1;
      return number >= 1 && number <= length ? { day: later(first, number - 1), number } : null;
    }),
  );
}

/** Whether a day has a deal. @param {string} day @param {string} today */
export const hasDeal = (day, today) => day >= FIRST_DAY && day <= today;

/** The nearest day that has a deal. @param {string} day @param {string} today */
export const nearest = (day, today) => (day > today ? today : day < FIRST_DAY ? FIRST_DAY : day);
