// @ts-check
/** The version of this page, and the service worker that keeps its files, so that it opens without a server. */

/** The version that the server wrote into this page's head. */
export const pageVersion = /** @type {HTMLMetaElement | null} */ (document.querySelector('meta[name="klondike-page"]'))?.content ?? "";

/** Keep this page for when there is no server. */
export async function keepShell() {
  try {
    await navigator.serviceWorker.register(`sw.js?version=${pageVersion}`, { updateViaCache: "none" });
  } catch {
    // Refused, or not there outside of https: then the page needs the server to open.
  }
}
