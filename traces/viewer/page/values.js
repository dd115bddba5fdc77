// Plain values in few words, and two of them so that what differs is seen.

import { h, number } from "./dom.js";

const SHOWN = 240;
const LEAD = 40;
const MOST = 20_000;
const LEAST_SHARED = 0.4;

// A value in one line; a long one unfolds.
export function brief(value) {
  return long(said(value));
}

// Two values that differ, each with the part that the other has otherwise marked.
export function apart(one, other) {
  const texts = [said(one), said(other)];
  if (typeof one !== "string" || typeof other !== "string") return texts.map((text) => long(text));
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  if (start + end < LEAST_SHARED * Math.min(one.length, other.length)) return texts.map((text) => long(text)); // nothing in common to stand out from
  return [one, other].map((text) => differing(text, start, text.length - end));
}

function said(value) {
  if (value === null || value === undefined) return "nothing";
  if (value === "") return "(empty)";
  if (typeof value === "string") return value;
  if (typeof value === "object" && Object.keys(value).length === 1 && Number.isInteger(value.count)) return `${number(value.count)} ${value.count === 1 ? "entry" : "entries"}`;
  return JSON.stringify(value);
}

function long(text) {
  if (text.length <= SHOWN) return text;
  return h("details", { class: "long" }, h("summary", {}, `${text.slice(0, SHOWN)}…`), h("pre", { tabindex: "0" }, text.slice(0, MOST)));
}

function differing(text, start, end) {
  if (!text) return h("span", { class: "dim" }, "(empty)");
  const from = start > 2 * LEAD ? start - LEAD : 0;
  const to = text.length - end > 2 * LEAD ? end + LEAD : text.length;
  const middle = text.slice(start, end);
  const parts = [from ? "…" : "", text.slice(from, start), middle ? h("mark", {}, middle.length > SHOWN ? `${middle.slice(0, SHOWN)}…` : middle) : null, text.slice(end, to), to < text.length ? "…" : ""];
  if (!from && to === text.length && middle.length <= SHOWN) return parts;
  return h("details", { class: "long" }, h("summary", {}, parts), h("pre", { tabindex: "0" }, text.slice(0, MOST)));
}
