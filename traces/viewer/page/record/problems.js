// What went wrong in a run.

/** @import { Problem } from "../types.d.ts" */

const ORDER = { error: 0, warning: 1, note: 2 };

/**
 * Errors first, else as they came.
 * @param {readonly Problem[]} problems
 */
export function problemsInOrder(problems) {
  return problems.toSorted((one, other) => ORDER[one.weight] - ORDER[other.weight]);
}
