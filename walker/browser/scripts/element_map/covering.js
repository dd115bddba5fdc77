// What lies on top of what: in the window the renderer is asked, elsewhere the layers are compared.

import { lookOf, paints } from "./contrast.js";
import { intersection, round2, WINDOW } from "../geometry.js";
import { COLUMN } from "./rows.js";
import { figureOf } from "./visit.js";

/** @typedef {import("../geometry.js").Box} Box */
/** @typedef {import("./rows.js").ElementMap} ElementMap */
/** @typedef {import("./rows.js").Row} Row */
/** @typedef {{hits: number, tried: number, by: Element | null}} Cover of the points that were tried */

/** Points of an element, as shares of its width and height. */
const POINTS = [
  [0.5, 0.5],
  [0.15, 0.2],
  [0.85, 0.2],
  [0.15, 0.8],
  [0.85, 0.8],
];
const NO_COVER = { hits: 0, tried: 0, by: null };
const SAME_COLOUR = 1.25;

/**
 * Fills in what covers the rows of the page itself, and which of them are of the colour behind them.
 * @param {ElementMap} map
 */
export function markCovered(map) {
  /** @type {Map<Element, number>} */
  const ids = new Map();
  map.elements.forEach((el, i) => {
    if (!ids.has(el)) ids.set(el, i + 1);
  });
  map.rows.forEach((row, i) => {
    if (row[COLUMN.frame]) return;
    const el = map.elements[i];
    const box = {
      x: row[COLUMN.x] - WINDOW.x,
      y: row[COLUMN.y] - WINDOW.y,
      width: row[COLUMN.width],
      height: row[COLUMN.height],
    };
    if (isCentreInWindow(box)) markCover(row, coverInWindow(el, box), ids);
    else if (map.layers.length) markCover(row, coverByLayers(map, el, box, row[COLUMN.z]), ids);
    if (row[COLUMN.contrast] > 0 && row[COLUMN.contrast] < SAME_COLOUR) markSameColour(map, row);
  });
}

/**
 * @param {Box} box from the window's corner
 * @returns {boolean}
 */
function isCentreInWindow({ x, y, width, height }) {
  const centreX = x + width / 2;
  const centreY = y + height / 2;
  return centreX >= 0 && centreX < WINDOW.width && centreY >= 0 && centreY < WINDOW.height;
}

/**
 * @param {Element} el
 * @param {Box} box from the window's corner
 * @returns {Cover} what lies over it where it is drawn; the centre alone is tried where nothing does
 */
function coverInWindow(el, box) {
  let hits = 0;
  let tried = 0;
  /** @type {Element | null} */
  let by = null;
  for (const [across, down] of POINTS) {
    const x = box.x + box.width * across;
    const y = box.y + box.height * down;
    if (x < 0 || y < 0 || x >= WINDOW.width || y >= WINDOW.height) continue;
    tried += 1;
    const over = innermostAt(x, y);
    const cover = !over || holds(el, over) || holds(over, el) ? null : paintedUpTo(over, el);
    if (cover) {
      hits += 1;
      by ??= cover;
    } else if (tried === 1) break;
  }
  return hits ? { hits, tried, by } : NO_COVER;
}

/**
 * @param {number} x
 * @param {number} y
 * @returns {Element | null} what is drawn at a point of the window, in shadow roots too
 */
function innermostAt(x, y) {
  let over = document.elementFromPoint(x, y);
  while (over && over.shadowRoot) {
    const inner = over.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === over) break;
    over = inner;
  }
  return over;
}

/**
 * @param {ElementMap} map
 * @param {Element} el
 * @param {Box} box from the window's corner
 * @param {number} z
 * @returns {Cover} the layer that lies over most of its points
 */
function coverByLayers(map, el, box, z) {
  let hits = 0;
  /** @type {Element | null} */
  let by = null;
  for (const layer of map.layers) {
    if (layer.z < z || holds(layer.el, el) || holds(el, layer.el)) continue;
    if (layer.z === z && !comesAfter(layer.el, el)) continue;
    const inside = pointsWithin(box, layer.box);
    if (inside > hits) {
      hits = inside;
      by = layer.el;
    }
  }
  return hits ? { hits, tried: POINTS.length, by } : NO_COVER;
}

/**
 * @param {Element} el
 * @param {Element} other
 * @returns {boolean} whether an element is later in the document than another: of one order, it is painted over it
 */
function comesAfter(el, other) {
  return Boolean(el.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_PRECEDING);
}

/**
 * @param {Box} box
 * @param {Box} layer
 * @returns {number}
 */
function pointsWithin(box, layer) {
  let inside = 0;
  for (const [across, down] of POINTS) {
    const x = box.x + box.width * across;
    const y = box.y + box.height * down;
    if (x >= layer.x && x < layer.x + layer.width && y >= layer.y && y < layer.y + layer.height) inside += 1;
  }
  return inside;
}

/**
 * @param {Node} one
 * @param {Node} other
 * @returns {boolean} whether one is the other or above it, through shadow roots
 */
function holds(one, other) {
  /** @type {Node | null | undefined} */
  let at = other;
  while (at) {
    if (at === one) return true;
    at = at.parentNode ?? /** @type {ShadowRoot} */ (at).host;
  }
  return false;
}

/**
 * @param {Element} node
 * @param {Element} el
 * @returns {Element | null} what hides what is under it: the node, or what is above it and not above the element
 */
function paintedUpTo(node, el) {
  /** @type {Element | null} */
  let at = node;
  while (at && at.nodeType === Node.ELEMENT_NODE && !holds(at, el)) {
    if (figureOf(at.localName) || at.localName === "iframe") return at;
    const look = lookOf(at);
    if (paints(look) && Number(look.style.opacity) > 0.5) return at;
    at = at.parentElement ?? /** @type {ShadowRoot} */ (at.getRootNode()).host;
  }
  return null;
}

/**
 * @param {Row} row
 * @param {Cover} cover
 * @param {Map<Element, number>} ids of rows
 */
function markCover(row, { hits, tried, by }, ids) {
  if (!hits) return;
  row[COLUMN.covered] = round2(hits / tried);
  for (let at = by; at && !row[COLUMN.coveredBy]; at = at.parentElement) row[COLUMN.coveredBy] = ids.get(at) ?? 0;
  if (hits === tried && !row[COLUMN.unseen]) row[COLUMN.unseen] = "covered";
}

/**
 * White on white, unless a picture stands between.
 * @param {ElementMap} map
 * @param {Row} row
 */
function markSameColour(map, row) {
  const box = { x: row[COLUMN.x], y: row[COLUMN.y], width: row[COLUMN.width], height: row[COLUMN.height] };
  const isOnPicture = map.pictures.some((picture) => {
    const common = intersection(picture, box);
    return common.width * common.height > 0.3 * box.width * box.height;
  });
  if (isOnPicture) row[COLUMN.contrast] = 0;
  else if (!row[COLUMN.unseen]) row[COLUMN.unseen] = "same colour";
}
