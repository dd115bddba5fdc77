/**
 * A walk has one page: what asks for a new window opens in this one.
 * @param {Element} el
 */
export function keepInWindow(el) {
  el.closest("a, form")?.removeAttribute("target");
}

/** Shows what comes next in the window. */
export function scrollByWindow() {
  window.scrollBy(0, innerHeight);
}
