// Pages that a page will open after a while, as the script in its own world (page_world/late_redirects.js) tells them.

/** @returns {number} timers of the page that will open another one; 0 where nothing is watched */
export function lateRedirects() {
  let told = 0;
  const hear = (/** @type {Event} */ event) => {
    told = Number(/** @type {CustomEvent} */ (event).detail) || 0;
  };
  document.addEventListener("walker-late-redirects", hear);
  document.dispatchEvent(new Event("walker-late-redirects?"));
  document.removeEventListener("walker-late-redirects", hear);
  return told;
}

/** Lets them run at once. */
export function runLateRedirects() {
  document.dispatchEvent(new Event("walker-late-redirects!"));
}
