// Slide shows, clocks, and what comes up when a page has been open for a while: a page would be read as it happens to
// be when somebody looks, which on a busy machine is later. While a page with text is read its long timers do nothing.

import { isBusy } from "../snapshot/settling.js";

// Fewer visible characters, and the page waits for its text.
const SHELL_CHARS = 200;

const state = { isHolding: false };
// As they were before the page could change them.
const { apply } = Reflect;
const { setTimeout: startTimer } = window;

/** Holds timers from now on, but for the time in which the page answers an operation, and for those set then. */
export function holdLongTimers() {
  state.isHolding = true;
  const hold = (/** @type {Event} */ { type }) => {
    state.isHolding = type === "walker-rest";
  };
  for (const type of ["walker-operation", "walker-rest"])
    apply(EventTarget.prototype.addEventListener, document, [type, hold]);
}

/**
 * @param {any} handler of a long timer that the page sets
 * @returns {any} what is to be called instead of it
 */
export function held(handler) {
  if (!state.isHolding) return handler;
  return (/** @type {any[]} */ ...given) => {
    if (state.isHolding && !isFilling()) return;
    if (typeof handler === "function") apply(handler, window, given);
    else startTimer(handler, 0);
  };
}

/** @returns {boolean} whether a timer may be what brings the page's text */
function isFilling() {
  return !document.body || isBusy() || document.body.innerText.trim().length < SHELL_CHARS;
}
