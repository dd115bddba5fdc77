// Plain values in few words, and two of them so that what differs is seen.

/** @import { Child } from "../types.d.ts" */

import { h } from "./dom.js";
import { dim } from "./parts.js";
import { plural } from "./words.js";

const SHOWN = 240;
const LEAD = 40;
const MOST = 20_000;
const LEAST_SHARED = 0.4;

/**
 * A value in one line; a long one unfolds.
 * @param {unknown} value
 */
export function brief(value) {
  return long(said(value));
}

/**
 * Two values that differ, each with the part that the other has otherwise marked.
 * @param {unknown} one
 * @param {unknown} other
 * @returns {[Child, Child]}
 */
export function apart(one, other) {
  if (typeof one !== "string" || typeof other !== "string") return [brief(one), brief(other)];
  const [start, end] = sharedEnds(one, other);
  const hasNothingInCommon = start + end < LEAST_SHARED * Math.min(one.length, other.length);
  if (hasNothingInCommon) return [brief(one), brief(other)];
  return [differing(one, start, one.length - end), differing(other, start, other.length - end)];
}

/**
 * How many characters two texts share at their beginning, and behind that at their end.
 * @param {string} one
 * @param {string} other
 */
function sharedEnds(one, other) {
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1;
  const left = Math.min(one.length, other.length) - start;
  let end = 0;
  while (end < left && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  return [start, end];
}

/** @param {unknown} value */
function said(value) {
  if (value === null || value === undefined) return "nothing";
  if (value === "") return "(empty)";
  if (typeof value === "string") return value;
  if (typeof value === "object" && "count" in value && Object.keys(value).length === 1) {
    if (Number.isInteger(value.count)) return plural(Number(value.count), "entry", "entries");
  }
  return JSON.stringify(value);
}

/** @param {string} text */
function long(text) {
  return text.length <= SHOWN ? text : unfolding(`${text.slice(0, SHOWN)}…`, text);
}

/**
 * @param {Child} summary
 * @param {string} text
 */
function unfolding(summary, text) {
  const whole = h("pre", { tabindex: "0" }, text.slice(0, MOST));
  return h("details", { class: "long" }, h("summary", {}, summary), whole);
}

/**
 * @param {string} text
 * @param {number} start
 * @param {number} end
 * @returns {Child}
 */
function differing(text, start, end) {
  if (!text) return dim("(empty)");
  const from = start > 2 * LEAD ? start - LEAD : 0;
  const to = text.length - end > 2 * LEAD ? end + LEAD : text.length;
  const middle = text.slice(start, end);
  const parts = [
    from ? "…" : "",
    text.slice(from, start),
    middle ? h("mark", {}, middle.length > SHOWN ? `${middle.slice(0, SHOWN)}…` : middle) : null,
    text.slice(end, to),
    to < text.length ? "…" : "",
  ];
  const isWhole = !from && to === text.length && middle.length <= SHOWN;
  return isWhole ? parts : unfolding(parts, text);
}
