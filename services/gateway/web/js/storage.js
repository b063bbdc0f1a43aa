// @ts-check
/** What this browser remembers. Where it refuses to, everything works until the page is closed. */

const PREFIX = "klondike.";
/** @type {Map<string, string>} */
const memory = new Map();

/** @param {string} key @returns {string | null} */
export function remembered(key) {
  try {
    return localStorage.getItem(PREFIX + key) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}

/** Hear what other pages of this browser remember. @param {(key: string, value: string | null) => void} told */
export function hearOthers(told) {
  addEventListener("storage", ({ key, newValue }) => key?.startsWith(PREFIX) && told(key.slice(PREFIX.length), newValue));
}

/** Whether what is remembered outlasts the page. */
export function isKept() {
  try {
    localStorage.setItem(`${PREFIX}probe`, "1");
    localStorage.removeItem(`${PREFIX}probe`);
    return true;
  } catch {
    return false;
  }
}

/** Keep nothing of what was remembered. */
export function forgetAll() {
  memory.clear();
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  } catch {
    // Refused: then there is nothing.
  }
}

/** @param {string} key @param {string | null} value null forgets it */
export function remember(key, value) {
  if (value === null) memory.delete(key);
  else memory.set(key, value);
  try {
    if (value === null) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, value);
  } catch {
    // Refused or full: the copy in memory has to do.
  }
}
