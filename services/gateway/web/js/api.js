// @ts-check
/** Questions over HTTP: statistics, rankings, running games. */

const ANSWER_MS_MAX = 8_000;

/**
 * @param {string} path below /api/
 * @param {string | null} token
 * @returns {Promise<any>}
 */
export async function ask(path, token) {
  const headers = token ? { Authorization: `Bearer ${token}` } : undefined;
  const response = await fetch(`api/${path}`, { headers, signal: AbortSignal.timeout(ANSWER_MS_MAX) });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
}
