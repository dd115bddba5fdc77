// The stack beside the list of steps, like branches: which lines pass each row.

/** @import { Row } from "../types.d.ts" */

/**
 * @typedef {object} Lane
 * @property {number[]} through depths of the lines that pass it
 * @property {number} above depth of the page that it was opened from, 0 for none
 * @property {boolean} goesOn whether a line goes on from here
 * @property {number} deepest of all rows
 */

/**
 * By step; a line goes from every page down to the last page that was opened from it.
 * @param {readonly Row[]} rows
 */
export function lanesOf(rows) {
  const byStep = new Map(rows.map((row) => [row.step, row]));
  /** @type {Map<number, number>} */
  const lastOpened = new Map();
  for (const row of rows) if (byStep.has(row.parent)) lastOpened.set(row.parent, row.step);
  const deepest = rows.reduce((depth, row) => Math.max(depth, row.depth - 1), 0);
  /** @type {Map<number, Lane>} */
  const lanes = new Map();
  /** @type {{ depth: number; until: number }[]} */
  let open = [];
  for (const row of rows) {
    open = open.filter((line) => line.until > row.step);
    const until = lastOpened.get(row.step);
    lanes.set(row.step, {
      through: open.map((line) => line.depth),
      above: byStep.get(row.parent)?.depth ?? 0,
      goesOn: until !== undefined,
      deepest,
    });
    if (until !== undefined) open.push({ depth: row.depth, until });
  }
  return lanes;
}
