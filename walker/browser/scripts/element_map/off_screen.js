// Parts of the page that can be left out as a whole, for nothing of them is in the window.

import { isOutsideWindow } from "../geometry.js";

// What is seen without letters is not in the box of a range.
const LETTERLESS =
  "img, canvas, svg, video, object, embed, iframe, frame, input, select, textarea, :empty:not(br, wbr)";
const range = document.createRange();
/** @type {Element[] | null} */
let shadowHosts = null;

/**
 * A range's box is that of the children and of all letters under them: asked once for a part of the page, instead of
 * for each element of it. What hangs in shadow roots is not in it.
 * @param {Element} el
 * @returns {boolean} whether nothing under it can be in the window
 */
export function isAllOutsideWindow(el) {
  if (el.querySelector(LETTERLESS) || el.getRootNode() !== document) return false;
  shadowHosts ??= [...document.getElementsByTagName("*")].filter((host) => host.shadowRoot);
  range.selectNodeContents(el);
  return isOutsideWindow(range.getBoundingClientRect()) && !shadowHosts.some((host) => el.contains(host));
}

/**
 * @param {Element} el
 * @param {string} frame address of its frame, "" for the page itself
 * @returns {DOMRect} where its letters and children stand
 */
export function contentsBox(el, frame) {
  const own = frame ? el.ownerDocument.createRange() : range;
  own.selectNodeContents(el);
  return own.getBoundingClientRect();
}
