// What the map of a page is made of while its elements are gone through.

/** @typedef {import("../geometry.js").Box} Box */

/**
 * One element, in the order of the fields of `perception.element_map.PageElement`; what most lack stands at its end,
 * and is left out.
 * @typedef {any[]} Row
 */

/**
 * @typedef {object} ElementMap
 * @property {boolean} whole all of the page, not the window alone
 * @property {number} most rows
 * @property {Row[]} rows
 * @property {Element[]} elements of the rows
 * @property {[id: number, step: number][]} paths of rows, with the last step of their selectors
 * @property {Layer[]} layers
 * @property {Box[]} pictures
 * @property {number} cutOff elements that were left out, for there were too many
 */

/**
 * What is painted over other elements: placed by itself, with a ground of its own.
 * @typedef {{el: Element, z: number, box: DOMRect}} Layer
 */

/**
 * What is told of an element besides its frame.
 * @typedef {object} Found
 * @property {string} kind
 * @property {string} role
 * @property {string} name
 * @property {string} text
 * @property {Box} box
 * @property {number} z
 * @property {number} [font] size of its letters
 * @property {number} [contrast]
 * @property {string} [unseen] why nobody sees it
 * @property {string} [figure]
 * @property {string} [source] address of a picture or frame
 * @property {boolean} [described] a caption or a name says what a picture shows
 * @property {number} [step] last step of its selector
 */

/** Places of columns in a row. */
export const COLUMN = {
  kind: 1,
  name: 3,
  x: 5,
  y: 6,
  width: 7,
  height: 8,
  z: 9,
  covered: 10,
  coveredBy: 11,
  frame: 12,
  contrast: 15,
  unseen: 16,
};

/**
 * @param {boolean} whole
 * @param {number} most
 * @returns {ElementMap}
 */
export function emptyMap(whole, most) {
  return { whole, most, rows: [], elements: [], paths: [], layers: [], pictures: [], cutOff: 0 };
}

/**
 * @param {ElementMap} map
 * @param {Element} el
 * @param {string} frame address of its frame, "" for the page itself
 * @param {Found} found
 */
export function addRow(map, el, frame, found) {
  const { rows } = map;
  if (rows.length >= map.most) {
    map.cutOff += 1;
    return;
  }
  const { kind, role, name, text, box, z, figure, font, contrast, unseen, source, described } = found;
  /** @type {Row} */
  const row = [
    rows.length + 1,
    kind,
    role,
    name,
    text,
    tenths(box.x),
    tenths(box.y),
    tenths(box.width),
    tenths(box.height),
    z,
    0,
    0,
    frame,
    figure ?? "",
    font ?? 0,
    contrast ?? 0,
  ];
  if (unseen || source || described) row.push(unseen ?? "");
  if (source || described) row.push("", source ?? "", described ?? false);
  rows.push(row);
  map.elements.push(el);
  if (found.step !== undefined) map.paths.push([rows.length, found.step]);
}

/**
 * @param {number} value
 * @returns {number} with one decimal
 */
function tenths(value) {
  return Math.round(value * 10) / 10;
}
