// @ts-check
/** Questions over HTTP: statistics, rankings, lists of games, histories. */

import { make } from "./dom.js";

const ANSWER_MS_MAX = 8_000;

/** The server gave an error instead of an answer. */
export class RefusedError extends Error {
  /** @param {string} path @param {import("./types.js").ServerError} reason */
  constructor(path, reason) {
    super(`${path}: ${reason.code}`);
    this.reason = reason;
  }
}

/**
 * @param {string} path below /api/
 * @param {string | null} token
 * @param {RequestInit} [how] another method than GET, and what is sent with it
 * @returns {Promise<any>}
 */
export async function ask(path, token, how) {
  return (await answer(path, token, how)).json();
}

/** The same where there is nothing to be answered. @param {string} path below /api/ @param {string | null} token @param {RequestInit} how */
export async function tell(path, token, how) {
  await answer(path, token, how);
}

/** Save an answer as the file that it names. @param {string} path below /api/ @param {string | null} token @param {RequestInit} [how] */
export async function download(path, token, how) {
  const response = await answer(path, token, how);
  const name = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? "klondike";
  const address = URL.createObjectURL(await response.blob());
  make("a", { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}

/** @param {string} path @param {string | null} token @param {RequestInit} [how] */
async function answer(path, token, how) {
  const headers = token ? { Authorization: `Bearer ${token}` } : undefined;
  const response = await fetch(`api/${path}`, { ...how, headers, signal: AbortSignal.timeout(ANSWER_MS_MAX) });
  if (response.ok) return response;
  const reason = await response.json().catch(() => null);
  throw reason?.code ? new RefusedError(path, reason) : new Error(`${path}: ${response.status}`);
}
