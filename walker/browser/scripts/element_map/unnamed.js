// Controls without a name, kept in our world for the accessibility tree to be asked about.

import { COLUMN } from "./rows.js";

/** @typedef {import("./rows.js").ElementMap} ElementMap */

/**
 * @param {ElementMap} map
 * @param {number} most
 */
export function keepUnnamed(map, most) {
  const isUnnamedControl = (/** @type {import("./rows.js").Row} */ row) =>
    (row[COLUMN.kind] === "control" || row[COLUMN.kind] === "link") && !row[COLUMN.name];
  globalThis.walkerUnnamed = map.elements.filter((_, i) => isUnnamedControl(map.rows[i])).slice(0, most);
}

/** @returns {Element[]} in the order of the map */
export function unnamedControls() {
  return globalThis.walkerUnnamed ?? [];
}
