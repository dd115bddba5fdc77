// What a page still has to do, as the script in its own world (page_world/pending_work.js) tells it.

/**
 * @typedef {object} PendingWork
 * @property {boolean} requests whether requests are under way
 * @property {number} due when the last timer set while the page loaded will be over, by `performance.now`
 * @property {boolean} scrolls whether scrolling is heard
 */

/**
 * What the page says of itself is believed within bounds of time only.
 * @returns {PendingWork}
 */
export function pendingWork() {
  /** @type {any} */
  let told = null;
  const hear = (/** @type {Event} */ event) => {
    try {
      told = JSON.parse(String(/** @type {CustomEvent} */ (event).detail));
    } catch {
      told = null;
    }
  };
  document.addEventListener("walker-pending-work", hear);
  document.dispatchEvent(new Event("walker-pending-work?"));
  document.removeEventListener("walker-pending-work", hear);
  return { requests: told?.requests > 0, due: Number(told?.due) || 0, scrolls: told?.scrolls === true };
}

/** @returns {number} what is about to come, as page_world/coming_work.js tells it; 0 where nothing is watched */
export function comingWork() {
  let told = 0;
  const hear = (/** @type {Event} */ event) => {
    told = Number(/** @type {CustomEvent} */ (event).detail) || 0;
  };
  document.addEventListener("walker-coming-work", hear);
  document.dispatchEvent(new Event("walker-coming-work?"));
  document.removeEventListener("walker-coming-work", hear);
  return told;
}

/** Counts what the page sets off from now on, as while it was loaded: it is about to be operated. */
export function expectWork() {
  document.dispatchEvent(new Event("walker-operation"));
}
