// Goes through the elements of a page, its shadow roots and frames, in the order of the document.

import { documentOf, isFrame } from "../frames.js";
import { addBackground, addControl, addFigure, addFrame, addText } from "./element_rows.js";
import { isOutsideWindow } from "../geometry.js";
import { SILENT_TAGS, PHRASING_TAGS } from "./naming.js";
import { isAllOutsideWindow } from "./off_screen.js";
import { measure, visitOf } from "./visit.js";

/** @typedef {import("./rows.js").ElementMap} ElementMap */
/** @typedef {import("./visit.js").Place} Place */
/** @typedef {import("./visit.js").Above} Above */
/** @typedef {import("./visit.js").Visit} Visit */

/**
 * Elements that are still to be gone through, and of each what is above it.
 * @typedef {{els: Element[], aboves: Above[]}} Stack
 */

/**
 * @param {ElementMap} map
 * @param {Element} root
 * @param {Place} place
 * @param {number} z how many layers it lies above the page
 */
export function walk(map, root, place, z) {
  /** @type {Stack} */
  const stack = { els: [], aboves: [] };
  pushChildren(stack, root, { z, inRun: false, inControl: false, isPointer: false });
  while (stack.els.length) {
    const el = /** @type {Element} */ (stack.els.pop());
    const above = /** @type {Above} */ (stack.aboves.pop());
    if (!map.whole && !place.frame && isOutsideWindow(el.getBoundingClientRect())) passOver(stack, el, above);
    else if (isRendered(el)) enter(map, stack, visitOf(map, place, el, above));
  }
}

/**
 * @param {Stack} stack
 * @param {Element | ShadowRoot} parent
 * @param {Above} above
 */
function pushChildren(stack, parent, above) {
  for (let child = parent.lastElementChild; child; child = child.previousElementSibling) {
    stack.els.push(child);
    stack.aboves.push(above);
  }
}

/**
 * Goes on under an element that is not in the window: what is placed in it may hang in what is not.
 * @param {Stack} stack
 * @param {Element} el
 * @param {Above} above
 */
function passOver(stack, el, above) {
  if (el.firstElementChild && isAllOutsideWindow(el)) return;
  const outOfRun = above.inRun ? { ...above, inRun: false } : above;
  pushChildren(stack, el, PHRASING_TAGS.has(el.localName) ? above : outOfRun);
  if (el.shadowRoot) pushChildren(stack, el.shadowRoot, outOfRun);
}

/**
 * @param {Element} el
 * @returns {boolean} whether it, or what is in it, can be drawn
 */
function isRendered(el) {
  const tag = el.localName;
  if (SILENT_TAGS.has(tag)) return false;
  return el.checkVisibility() || tag === "area" || getComputedStyle(el).display === "contents";
}

/**
 * Tells of an element, and goes on under it.
 * @param {ElementMap} map
 * @param {Stack} stack
 * @param {Visit} visit
 */
function enter(map, stack, visit) {
  const { el, z, isPointer } = visit;
  const inControl = addControl(map, visit) || visit.inControl;
  if (visit.figure) {
    addFigure(map, visit, inControl);
    return;
  }
  if (isFrame(el)) {
    enterFrame(map, visit);
    return;
  }
  addBackground(map, visit);
  let inRun = visit.inRun && visit.isPhrase;
  if (visit.hasText && !inRun && !inControl) {
    addText(map, visit);
    inRun = true;
  }
  if (el.firstElementChild) pushChildren(stack, el, { z, inRun, inControl, isPointer });
  if (el.shadowRoot) pushChildren(stack, el.shadowRoot, { z, inRun: false, inControl, isPointer });
}

/**
 * @param {ElementMap} map
 * @param {Visit} visit
 */
function enterFrame(map, visit) {
  if (!measure(map, visit)) return;
  const frame = /** @type {HTMLIFrameElement} */ (visit.el);
  addFrame(map, visit);
  const inner = documentOf(frame);
  if (!inner || !inner.documentElement) return;
  const { box } = visit;
  const place = { frame: inner.location.href, dx: box.x + frame.clientLeft, dy: box.y + frame.clientTop };
  walk(map, inner.documentElement, place, visit.z);
}
