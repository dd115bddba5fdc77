// The whole run: one bar a step, as long as the step took, in the colours of what it was spent on.

/** @import { Row } from "../types.d.ts" */

import { h, put } from "../elements/dom.js";
import { dim, linkButton } from "../elements/parts.js";
import { EDGE_NAMES } from "../elements/waterfall.js";
import { seconds } from "../elements/words.js";

const EDGES = ["browser", "reader", "analyst", "critic", "explorer", "vision", "vision_model", "picture"];
const MOST_DRAWN = 200;

/**
 * @param {Element} place
 * @param {readonly Row[]} all
 * @param {(step: number) => void} onStep
 */
export function timeView(place, all, onStep) {
  const rows = all.filter((row) => took(row) > 0);
  const longest = Math.max(1, ...rows.map(took));
  const slowest = rows
    .toSorted((one, other) => took(other) - took(one))
    .slice(0, MOST_DRAWN)
    .sort((one, other) => one.step - other.step);
  const left = rows.length > slowest.length;
  put(
    place,
    legend(rows),
    left ? h("p", { class: "hint" }, `The ${slowest.length} longest of ${rows.length} steps.`) : null,
    h(
      "ol",
      { class: "waterfall run" },
      slowest.map((row) => rowNode(row, longest, onStep)),
    ),
  );
}

/**
 * Microseconds.
 * @param {Row} row
 */
function took(row) {
  return row.ended - row.began;
}

/**
 * Edges that took any time, and how much.
 * @param {readonly Row[]} rows
 */
function spentOn(rows) {
  return EDGES.map((edge) => ({ edge, micros: rows.reduce((sum, row) => sum + (row.spent[edge] ?? 0), 0) })).filter(
    ({ micros }) => micros > 0,
  );
}

/** @param {readonly Row[]} rows */
function legend(rows) {
  const total = rows.reduce((sum, row) => sum + took(row), 0);
  const edges = spentOn(rows).map(({ edge, micros }) => {
    const dot = h("span", { class: `dot span ${edge}`, "aria-hidden": "true" });
    return h("li", {}, dot, EDGE_NAMES[edge], h("b", {}, seconds(micros / 1e6)));
  });
  return h("div", { class: "legend" }, h("b", { class: "huge" }, seconds(total / 1e6)), h("ul", {}, edges));
}

/**
 * @param {Row} row
 * @param {number} longest
 * @param {(step: number) => void} onStep
 */
function rowNode(row, longest, onStep) {
  const words = spentOn([row]).map(({ edge, micros }) => `${EDGE_NAMES[edge]} ${seconds(micros / 1e6)}`);
  return h(
    "li",
    { title: words.join(", ") },
    linkButton([dim(`${row.step} `), row.label], () => onStep(row.step), "name link"),
    h("span", { class: "lane", "aria-hidden": "true" }, stackedSpans(row, longest)),
    h("span", { class: "number" }, seconds(took(row) / 1e6)),
  );
}

/**
 * Calls made side by side overlap: the parts are then drawn as shares of what the step took.
 * @param {Row} row
 * @param {number} longest
 */
function stackedSpans(row, longest) {
  const parts = spentOn([row]);
  const sum = parts.reduce((total, { micros }) => total + micros, 0);
  const scale = Math.min(1, took(row) / Math.max(1, sum)) / longest;
  let left = 0;
  const spans = parts.map(({ edge, micros }) => {
    const span = spanNode(edge, left, micros * scale);
    left += micros * scale;
    return span;
  });
  return [spanNode("rest", 0, took(row) / longest), ...spans];
}

/**
 * @param {string} edge
 * @param {number} left
 * @param {number} share
 */
function spanNode(edge, left, share) {
  return h("span", {
    class: `span ${edge}`,
    style: { left: `${left * 100}%`, width: `${Math.max(0.15, share * 100)}%` },
  });
}
