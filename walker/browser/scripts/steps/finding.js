// Finds elements by a CSS selector or an XPath.

import { allRoots } from "../shadow_roots.js";
import { keepInWindow } from "./window.js";

/** @typedef {HTMLElement & {disabled?: boolean}} Control */

const XPATH = /^(\/|\.\/|\()/;

/**
 * @param {string} selector
 * @returns {Control | null} the first that it finds; by a CSS selector in shadow roots too
 */
export function findElement(selector) {
  if (XPATH.test(selector)) {
    const found = document.evaluate(selector, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE, null);
    return /** @type {Control | null} */ (found.singleNodeValue);
  }
  const found = document.querySelector(selector);
  if (found) return /** @type {Control} */ (found);
  for (const root of allRoots()) {
    const inner = root.querySelector(selector);
    if (inner) return /** @type {Control} */ (inner);
  }
  return null;
}

/**
 * @param {string} selector
 * @returns {Control[]} all that it finds, by a CSS selector in shadow roots too
 */
export function findElements(selector) {
  if (!XPATH.test(selector))
    return allRoots().flatMap((root) => [.../** @type {NodeListOf<Control>} */ (root.querySelectorAll(selector))]);
  const found = document.evaluate(selector, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
  return Array.from({ length: found.snapshotLength }, (_, i) => /** @type {Control} */ (found.snapshotItem(i)));
}

/**
 * @param {string} selector of CSS
 * @param {Document | ShadowRoot} [root]
 * @returns {Element | null} the first that it finds, what hangs in a shadow root before what comes after it
 */
function findInDepth(selector, root = document) {
  let found = root.querySelector(selector);
  if (found) return found;
  for (const el of root.querySelectorAll("*")) {
    found = el.shadowRoot && findInDepth(selector, el.shadowRoot);
    if (found) return found;
  }
  return null;
}

/**
 * @param {string} selector of CSS
 * @returns {Element | null} what is to be operated; what it leads to opens in this window
 */
export function findToOperate(selector) {
  const found = findInDepth(selector);
  if (found) keepInWindow(found);
  return found;
}

/**
 * What is chosen from is shown where its list is, though it is drawn only while somebody chooses.
 * @param {Element} el
 * @returns {boolean}
 */
export function isShown(el) {
  if (!el.isConnected) return false;
  const drawn = (el.localName === "option" && el.closest("select")) || el;
  return !el.checkVisibility || drawn.checkVisibility({ visibilityProperty: true });
}

/**
 * @param {Control} el
 * @returns {boolean} whether it can be pressed now
 */
export function isUsable(el) {
  return isShown(el) && !el.disabled && el.getAttribute("aria-disabled") !== "true";
}
