// Why nobody sees an element that is drawn.

import { lookOf } from "./contrast.js";
import { WINDOW } from "../geometry.js";

/** @typedef {import("../geometry.js").Box} Box */
/** @typedef {import("./contrast.js").Look} Look */

const FAR_ASIDE = 500;
const CLIPPED_PATHS = new Set(["inset(50%)", "inset(100%)"]);
const CLIPPED_RECTANGLES = new Set(["rect(0px, 0px, 0px, 0px)", "rect(1px, 1px, 1px, 1px)"]);
/** @type {Map<Element, boolean>} */
const cutting = new Map();

/**
 * @param {Element} el
 * @param {Look} look
 * @param {Box} box
 * @param {string} text that it shows
 * @param {number} font size of its letters
 * @param {Box} [letters] where they stand
 * @returns {string} the reason, "" where it is seen as far as its own style goes
 */
export function whyUnseen(el, look, box, text, font, letters) {
  if (isTransparent(el, look)) return isFading(look) ? "" : "transparent";
  if (box.x + box.width <= 0 || box.y + box.height <= 0) return "off-screen";
  return (text && whyUnread(look, box, font, letters)) || (isClipped(look) || (text && isCutAway(el)) ? "clipped" : "");
}

/**
 * @param {Look} look
 * @param {Box} box
 * @param {number} font
 * @param {Box} [letters]
 * @returns {string} why nobody reads the text of an element, "" where its size and its place let it be read
 */
function whyUnread({ style }, box, font, letters) {
  if (box.height <= 2 || box.width <= 1 || font < 3) return "tiny";
  const isIndented = (!letters || isFarAside(letters)) && parseFloat(style.textIndent) <= -999;
  return isIndented ? "off-screen" : "";
}

/**
 * @param {Element} el
 * @param {Look} look
 * @returns {boolean}
 */
function isTransparent(el, { style }) {
  return !el.checkVisibility({ opacityProperty: true }) || Number(style.opacity) < 0.05;
}

/**
 * @param {Look} look
 * @returns {boolean} whether it may be seen at another time
 */
function isFading({ style }) {
  return style.transitionDuration !== "0s" || style.animationName !== "none";
}

/**
 * @param {Box} letters
 * @returns {boolean}
 */
function isFarAside(letters) {
  return letters.x < -FAR_ASIDE || letters.x + letters.width > WINDOW.x + WINDOW.width + FAR_ASIDE;
}

/**
 * @param {Look} look
 * @returns {boolean} whether it is clipped to nothing
 */
function isClipped({ style, position }) {
  if (CLIPPED_PATHS.has(style.clipPath)) return true;
  return (position === "absolute" || position === "fixed") && CLIPPED_RECTANGLES.has(style.clip);
}

/**
 * @param {Element} el
 * @returns {boolean} whether it flows over an ancestor of no height, which hides what does
 */
function isCutAway(el) {
  let up = 0;
  for (let at = el.parentElement; at && up < 4; at = at.parentElement) {
    if (cuts(at)) return true;
    up += 1;
  }
  return false;
}

/**
 * @param {HTMLElement} el
 * @returns {boolean}
 */
function cuts(el) {
  let known = cutting.get(el);
  if (known === undefined) {
    known = lookOf(el).style.overflow !== "visible" && el.clientHeight <= 1 && el.offsetHeight <= 1;
    cutting.set(el, known);
  }
  return known;
}
