// The list of runs as a table: its columns, its order, a row for each run.

/** @import { Summary } from "../types.d.ts" */

import { h } from "../elements/dom.js";
import { day, money, number, seconds } from "../elements/words.js";
import { foundBy, stateKind, stateWord, tokensOf } from "../record/run_states.js";
import { hashOf } from "../route.js";

/**
 * @typedef {object} Column
 * @property {string} name
 * @property {(run: Summary) => string | number} key what it is sorted by
 * @property {boolean} [isNumber]
 */

/** @type {readonly Column[]} */
const COLUMNS = [
  { name: "Question", key: (run) => run.question.toLowerCase() },
  { name: "Ended", key: (run) => run.stop_reason || run.state },
  { name: "Pages", key: (run) => run.pages, isNumber: true },
  { name: "Time", key: (run) => run.seconds, isNumber: true },
  { name: "Tokens", key: tokensOf, isNumber: true },
  { name: "Cost", key: (run) => run.cost, isNumber: true },
  { name: "When", key: (run) => run.created, isNumber: true },
];

/** Number of a column, and whether its largest comes first. @typedef {{ column: number; isDown: boolean }} Order */

/** @type {Order} */
export const LATEST_FIRST = { column: COLUMNS.length - 1, isDown: true };

/**
 * @param {readonly Summary[]} runs
 * @param {Order} order
 */
export function inOrder(runs, { column, isDown }) {
  const { key } = COLUMNS[column];
  const upwards = (/** @type {Summary} */ one, /** @type {Summary} */ other) => {
    if (key(one) < key(other)) return -1;
    return key(one) > key(other) ? 1 : 0;
  };
  return runs.toSorted((one, other) => (isDown ? -upwards(one, other) : upwards(one, other)));
}

/**
 * @param {Order} order
 * @param {boolean} canCompare
 * @param {(order: Order) => void} onOrder
 */
export function headCells(order, canCompare, onOrder) {
  const pick = canCompare ? h("th", { scope: "col", class: "pick" }, h("span", { class: "unseen" }, "Compare")) : null;
  return [pick, ...COLUMNS.map((_column, place) => headCell(place, order, onOrder))];
}

/**
 * @param {number} place
 * @param {Order} order
 * @param {(order: Order) => void} onOrder
 */
function headCell(place, { column, isDown }, onOrder) {
  const { name, isNumber = false } = COLUMNS[place];
  const isSorted = column === place;
  const turned = { column: place, isDown: isSorted ? !isDown : isNumber };
  const arrow = isSorted ? (isDown ? "↓" : "↑") : "";
  const sorted = isSorted ? (isDown ? "descending" : "ascending") : null;
  return h(
    "th",
    { scope: "col", class: isNumber ? "number" : "", "aria-sort": sorted },
    h(
      "button",
      { type: "button", onclick: () => onOrder(turned) },
      name,
      h("span", { class: "arrow", "aria-hidden": "true" }, arrow),
    ),
  );
}

/**
 * @param {Summary} run
 * @param {{ isChosen: boolean; onPick: (run: Summary, isChosen: boolean) => void } | null} pick null where there is nothing to
 *   compare it with
 */
export function runRow(run, pick) {
  const link = h("a", { href: hashOf({ run: run.id }), class: "question" }, run.question || run.id);
  const tokens = tokensOf(run);
  return h(
    "tr",
    { onclick: (event) => isOnNothingElse(event) && link.click() },
    pick ? h("td", { class: "pick" }, h("label", {}, pickBox(run, pick))) : null,
    h(
      "th",
      { scope: "row" },
      link,
      h("div", { class: "answer" }, foundBy(run) || "no answer"),
      h("div", { class: "dim small site" }, run.root_url),
    ),
    h("td", { "data-label": "Ended" }, h("span", { class: `pill ${stateKind(run)}` }, stateWord(run))),
    h("td", { class: "number", "data-label": "Pages" }, number(run.pages)),
    h("td", { class: "number", "data-label": "Time" }, seconds(run.seconds)),
    h("td", { class: "number", "data-label": "Tokens" }, tokens ? number(tokens) : "–"),
    h("td", { class: "number", "data-label": "Cost" }, money(run.cost) || "–"),
    h("td", { class: "number dim", "data-label": "When" }, day(run.created)),
  );
}

/** @param {MouseEvent} event */
function isOnNothingElse({ target }) {
  return !(target instanceof Element && target.closest("a, .pick")) && !getSelection()?.toString();
}

/**
 * @param {Summary} run
 * @param {{ isChosen: boolean; onPick: (run: Summary, isChosen: boolean) => void }} pick
 */
function pickBox(run, { isChosen, onPick }) {
  /** @type {HTMLInputElement} */
  const box = h("input", {
    type: "checkbox",
    value: run.id,
    checked: isChosen,
    disabled: run.state === "unreadable",
    "aria-label": `Compare: ${run.question || run.id}`,
    onchange: () => onPick(run, box.checked),
  });
  return box;
}
