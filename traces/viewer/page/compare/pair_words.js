// A pair of steps in words, and two values beside each other.

/** @import { Child, StepPair } from "../types.d.ts" */

import { h } from "../elements/dom.js";

/**
 * @param {number} one
 * @param {number} other
 */
export function numbersOf(one, other) {
  return one === other || !one || !other ? String(one || other) : `${one} | ${other}`;
}

/**
 * @param {number} one
 * @param {number} other
 */
export function idOf(one, other) {
  return `pair-${one}-${other}`;
}

/**
 * Whether anything about the two is otherwise, or one of them is not there.
 * @param {StepPair} pair
 */
export function differs(pair) {
  return !pair.one || !pair.other || pair.differences.length > 0;
}

/**
 * @param {Child} left
 * @param {Child} right
 */
export function valuePair(left, right) {
  return h("div", { class: "values" }, valueOf("A", left), valueOf("B", right));
}

/**
 * @param {"A" | "B"} letter
 * @param {Child} value
 */
function valueOf(letter, value) {
  const mark = h("span", { class: `letter side-${letter.toLowerCase()}` }, letter);
  return h("div", {}, mark, h("span", { class: "value" }, value));
}
