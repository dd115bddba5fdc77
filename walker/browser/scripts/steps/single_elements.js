// Steps with one element: away with it, or wait for it.

import { findElement, isShown } from "./finding.js";
import { sleep, waitFor } from "./waiting.js";

const GOING_MS = 250;

/**
 * Presses what is in the way, and hides it where that does not take it away.
 * @param {[selector: string]} asked
 * @returns {Promise<{done: number}>} 0 where it is not there
 */
export async function dismiss([selector]) {
  const el = findElement(selector);
  if (!el || !isShown(el)) return { done: 0 };
  el.click();
  await sleep(GOING_MS);
  if (isShown(el)) el.style.setProperty("display", "none", "important");
  return { done: 1 };
}

/**
 * @param {[selector: string, seconds: number]} asked
 * @returns {Promise<{done: 1} | {missing: string}>}
 */
export async function waitUntilShown([selector, seconds]) {
  const shown = () => {
    const el = findElement(selector);
    return el && isShown(el) ? el : null;
  };
  return (await waitFor(shown, seconds * 1000)) ? { done: 1 } : { missing: selector };
}

/**
 * @param {Element} el
 * @returns {boolean} whether it is a list of options
 */
export function isSelect(el) {
  return el.localName === "select";
}
