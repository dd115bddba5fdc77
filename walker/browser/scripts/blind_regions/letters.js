// Letters that do not say what they show: placed out of order, under a picture, or drawn by a font of icons.

import { boxAround } from "../geometry.js";
import { addRegion, firstElements, isShown, placeOf, squeezed } from "./regions.js";

const THIRDS = "span:nth-child(3), i:nth-child(3), b:nth-child(3), em:nth-child(3), div:nth-child(3)";
const MOST_PARTS = 40;
const PART_CHARS = 3;
const POINTS = [0.3, 0.5, 0.7];
const LEAST_POINTS = 4;
const OVERLAY_CHARS = 40;
const READ_CHARS = 5000;
const MOST_GLYPHS = 20;
const GLYPHS = /[\ue000-\uf8ff]{2}|[\ue000-\uf8ff][\p{L}\p{N}.,:]|[\p{L}\p{N}.,:][\ue000-\uf8ff]/u;

/** Finds words whose letters are elements of their own, not placed in the order of the document. */
export function findScrambledText() {
  /** @type {Set<Element>} */
  const seen = new Set();
  for (const third of firstElements(THIRDS)) {
    const parent = third.parentElement;
    if (!parent || seen.has(parent)) continue;
    seen.add(parent);
    const parts = [...parent.children];
    if (parts.length > MOST_PARTS || parts.some(isMoreThanLetters)) continue;
    const boxes = parts.map(placeOf).filter((box) => box.width > 0);
    if (boxes.length < 3 || !boxes.some((box, i) => i > 0 && isLeftOf(box, boxes[i - 1]))) continue;
    if (getComputedStyle(parent).direction === "ltr") addRegion("scrambled", boxAround(boxes), parent);
  }
}

/**
 * @param {Element} part
 * @returns {boolean}
 */
function isMoreThanLetters(part) {
  return part.firstElementChild !== null || part.textContent.trim().length > PART_CHARS;
}

/**
 * @param {import("./regions.js").Box} box
 * @param {import("./regions.js").Box} before
 * @returns {boolean} whether it stands in the line of the one before it, to its left
 */
function isLeftOf(box, before) {
  return box.x < before.x - 1 && Math.abs(box.y - before.y) < box.height / 2;
}

/** Finds pictures that lie over the middle of the window, and over the text of the page. */
export function findOverlays() {
  for (const [layer, points] of layersInTheMiddle()) {
    if (points < LEAST_POINTS) continue;
    const chars = squeezed(layer.textContent).length;
    if (chars >= OVERLAY_CHARS || !isPicture(layer)) continue;
    if (squeezed(document.body.textContent.slice(0, READ_CHARS)).length > 2 * chars + 80)
      addRegion("overlay", placeOf(layer), layer);
  }
}

/** @returns {Map<Element, number>} what is placed over the page, with the points of the window at which it lies */
function layersInTheMiddle() {
  const layers = new Map();
  for (const across of POINTS)
    for (const down of POINTS) {
      const layer = layerAt(innerWidth * across, innerHeight * down);
      if (layer) layers.set(layer, (layers.get(layer) ?? 0) + 1);
    }
  return layers;
}

/**
 * @param {number} x
 * @param {number} y
 * @returns {Element | null} the innermost element at a point that is placed by itself
 */
function layerAt(x, y) {
  for (let at = document.elementFromPoint(x, y); at && at !== document.body; at = at.parentElement) {
    const { position } = getComputedStyle(at);
    if (position === "fixed" || position === "absolute") return at;
  }
  return null;
}

/**
 * @param {Element} layer
 * @returns {boolean} whether it is a picture, or holds one
 */
function isPicture(layer) {
  return /^(img|canvas)$/.test(layer.localName) || layer.querySelector("img, canvas, svg") !== null;
}

/** Finds characters that only the page's own font gives a meaning. */
export function findGlyphs() {
  if (!/[\ue000-\uf8ff]/.test(document.body.textContent)) return;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let left = MOST_GLYPHS;
  while (left && texts.nextNode()) {
    const node = /** @type {Text} */ (texts.currentNode);
    const el = node.parentElement;
    if (!GLYPHS.test(node.data) || !el || !isShown(el) || el.closest("button, a, [role=button]")) continue;
    addRegion("glyphs", placeOf(el), el.parentElement ?? el);
    left -= 1;
  }
}
