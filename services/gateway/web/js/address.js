// @ts-check
/**
 * What stays in the address, so that a reload or a copy of it leads here again: the sheet that is open, behind `#`, and
 * the game that is watched, behind `?`. All else is taken out of it once it was followed.
 */

/** Sheets that have an address: the history of a game that somebody shared, and the rules. */
const SHEETS = ["shared", "rules"];

/** What the address says of a sheet, such as the variant whose rules are wanted. @param {string} sheet @param {URL} url */
export const sheetInAddress = (sheet, url) => new URLSearchParams(url.hash.slice(1)).get(sheet);

/** @param {URL} url */
const hashOf = (url) => (SHEETS.some((sheet) => sheetInAddress(sheet, url) !== null) ? url.hash : "");

/** Take out of the address what was followed; who watches stays there. @param {string} [search] such as `?watch=…` */
export function keepSearch(search = "") {
  become(location.pathname + search + hashOf(new URL(location.href)));
}

/** Give the open sheet its address, or take it away when it has none. @param {string} [hash] such as `#rules=draw3` */
export function keepSheet(hash = "") {
  become(location.pathname + location.search + hash);
}

/** Browsers take long to replace an address, even by the same one. @param {string} wanted */
function become(wanted) {
  if (wanted !== location.pathname + location.search + location.hash) history.replaceState(null, "", wanted);
}

/** Take a sheet's address away as soon as it is closed. @param {HTMLDialogElement} sheet */
export function leaveWith(sheet) {
  sheet.addEventListener("close", () => {
    if (!sheet.open) keepSheet(); // one that was opened again meanwhile keeps its address
  });
}
