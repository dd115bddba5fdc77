// Talks to page_world/press_guard.js, where it watches.

/**
 * Holds back all that the page would send from now on.
 * @returns {boolean} whether somebody does: without, nothing may be pressed
 */
export function holdRequests() {
  document.dispatchEvent(new Event("walker-hold!"));
  return !document.dispatchEvent(new Event("walker-holds?", { cancelable: true }));
}

/** @returns {Element[]} that hear presses */
export function hearingElements() {
  /** @type {Element[]} */
  const found = [];
  const hear = (/** @type {Event} */ event) => {
    for (const { target } of /** @type {TouchEvent} */ (event).changedTouches)
      found.push(/** @type {Element} */ (target));
  };
  document.addEventListener("walker-hearing", hear);
  document.dispatchEvent(new Event("walker-hearing?"));
  document.removeEventListener("walker-hearing", hear);
  return found;
}
