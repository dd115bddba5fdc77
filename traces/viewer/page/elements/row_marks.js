// What a step's row says at its end: what was found, looked at, refused, left.

/** @import { Row } from "../types.d.ts" */

import { h } from "./dom.js";
import { number } from "./words.js";

const MOST_MARKS = 3;

/** @param {Row} row */
export function rowMarks(row) {
  return marksOf(row)
    .slice(0, MOST_MARKS)
    .map(([kind, words, title]) => h("span", { class: `mark ${kind}`, title }, words));
}

/** @param {Row} row */
function marksOf(row) {
  const isLook = row.choice === "look";
  return [
    ...when(row.errors, "bad", "!", `${row.errors} errors`),
    ...when(row.outcome === "rejected", "off", "left", row.why),
    ...when(isLook || row.choice === "glance", row.choice, isLook ? "looked" : "glanced", "The picture was looked at"),
    ...when(row.refusals, "warn", "refused", `${row.refusals} proposals were refused`),
    ...foundHere(row),
    ...when(row.sufficient, "good", "answer", row.answer),
  ];
}

/** @param {Row} row */
function foundHere(row) {
  if (row.items) return when(true, "good", `+${number(row.items)}`, `${row.items} items counted here`);
  const words = row.findings > 0 ? `${row.findings} found` : "found";
  return when(row.findings && !row.sufficient, "read", words, "Findings");
}

/**
 * @param {unknown} isSo
 * @param {...string} mark kind, words and title
 */
function when(isSo, ...mark) {
  return isSo ? [mark] : [];
}
