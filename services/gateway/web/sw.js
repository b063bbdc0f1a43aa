// @ts-check
/// <reference lib="webworker" />
/**
 * The service worker: with it the page opens without a server. It keeps the files of one version of the page, all or
 * none. The server comes first whenever it answers, so nobody stays with an old page; what is kept is for when it does
 * not. Of what is below `api/`, only the list of languages passes through here.
 */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const VERSION = new URL(location.href).searchParams.get("version") ?? "";
const CACHE = `klondike-${VERSION}`;
const PAGE = "./";
/** Kept beside the files. */
const LANGUAGES = "api/languages";
/** So long the server may take before what is kept is shown. */
const PATIENCE_MS = 3_000;
/** What the worker leaves alone, below its own folder. */
const LEFT_ALONE = /^(?:api\/(?!languages$)|healthz$|readyz$|metrics$|shell\.json$|sw\.js$)/;
/** The pages that were opened from what is kept: their parts come from there too, so that all are of one version. @type {Set<string>} */
const keptClients = new Set();

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  const folder = new URL("./", location.href);
  if (event.request.method !== "GET" || !url.href.startsWith(folder.href)) return;
  const path = url.pathname.slice(folder.pathname.length);
  if (LEFT_ALONE.test(path)) return;
  if (event.request.mode !== "navigate") event.respondWith(part(event));
  else if (path === "" || path === "index.html") event.respondWith(page(event));
});

/** Keep the whole page, if it is of one version from the first file to the last. */
async function install() {
  const { version, files } = await shell();
  if (version !== VERSION) throw new Error(`the server has version ${version} of the page, not ${VERSION}`);
  const cache = await caches.open(CACHE);
  try {
    await Promise.all([...files, LANGUAGES].map(async (/** @type {string} */ file) => cache.put(file, undated(await loaded(file, "no-cache")))));
    if ((await shell()).version !== VERSION) throw new Error("the page changed meanwhile");
  } catch (failure) {
    await caches.delete(CACHE);
    throw failure;
  }
  await worker.skipWaiting();
}

async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("klondike-") && name !== CACHE).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** @param {FetchEvent} event @returns {Promise<Response>} */
async function page(event) {
  const answer = fetch(event.request);
  const response = await inTime(answer);
  if (response) return response;
  const kept = await (await caches.open(CACHE)).match(PAGE);
  if (!kept) return answer;
  keptClients.add(event.resultingClientId);
  return kept;
}

/** @param {FetchEvent} event @returns {Promise<Response>} */
async function part(event) {
  const kept = async () => (await caches.open(CACHE)).match(event.request, { ignoreSearch: true });
  if (keptClients.has(event.clientId)) return (await kept()) ?? fetch(event.request);
  const answer = fetch(event.request);
  return (await inTime(answer)) ?? (await kept()) ?? answer;
}

/** An answer that comes soon and is no failure of the server. @param {Promise<Response>} answer @returns {Promise<Response | null>} */
async function inTime(answer) {
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, null));
  const response = await Promise.race([answer.catch(() => null), late]);
  return response && response.status < 500 ? response : null;
}

/** @returns {Promise<{version: string, files: string[]}>} */
async function shell() {
  return (await loaded("shell.json", "no-store")).json();
}

/** @param {string} file @param {RequestCache} cache @returns {Promise<Response>} */
async function loaded(file, cache) {
  const response = await fetch(file, { cache });
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
  return response;
}

/** An answer unpacked, and without its time, which the page would take for the server's clock. @param {Response} response */
function undated(response) {
  const headers = new Headers(response.headers);
  for (const name of ["date", "content-encoding", "content-length"]) headers.delete(name);
  return new Response(response.body, { status: response.status, headers });
}
