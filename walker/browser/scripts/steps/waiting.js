// Waiting for an element, for time, and for the page to rest.

import { pendingWork } from "../pending_work.js";
import { allRoots } from "../shadow_roots.js";

const POLL_MS = 30;
const BUSY = '[aria-busy="true"], .spinner:not([hidden]), .loading:not([hidden])';

/**
 * @param {number} ms
 * @returns {Promise<void>}
 */
export function sleep(ms) {
  return new Promise((done) => {
    setTimeout(done, ms);
  });
}

/**
 * @template T
 * @param {() => T | null} find
 * @param {number} ms
 * @returns {Promise<T | null>} what was found, null where it was not within the time
 */
export async function waitFor(find, ms) {
  const end = performance.now() + ms;
  for (;;) {
    const found = find();
    if (found) return found;
    if (performance.now() > end) return null;
    await sleep(POLL_MS);
  }
}

/**
 * Rest: nothing changed for a moment, nothing says that it is loading, and no request is under way.
 * @param {number} quietMs
 * @param {number} mostMs
 */
export async function rest(quietMs, mostMs) {
  const started = performance.now();
  let last = started;
  const watcher = new MutationObserver(() => {
    last = performance.now();
  });
  for (const root of allRoots())
    watcher.observe(root, { childList: true, subtree: true, characterData: true, attributes: true });
  const isResting = () =>
    performance.now() - last >= quietMs && document.querySelector(BUSY) === null && !pendingWork().requests;
  while (performance.now() - started < mostMs && !isResting()) await sleep(POLL_MS);
  watcher.disconnect();
}

/**
 * @param {[quietMs: number, mostMs: number]} asked
 * @returns {Promise<{done: number}>}
 */
export async function restPage([quietMs, mostMs]) {
  await rest(quietMs, mostMs);
  return { done: 1 };
}
