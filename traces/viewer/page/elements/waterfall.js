// Calls of edges beside each other: each from its start to its end.

/** @import { Span, StepEvent } from "../types.d.ts" */

import { h } from "./dom.js";
import { empty } from "./parts.js";
import { seconds } from "./words.js";

/** @type {Record<string, string>} */
export const EDGE_NAMES = {
  browser: "Browser",
  reader: "Reader",
  analyst: "Analyst",
  critic: "Critic",
  explorer: "Explorer",
  vision: "Built-in vision",
  vision_model: "Vision model",
  chat: "Model",
  picture: "Picture",
};

/**
 * @param {readonly StepEvent[]} events
 * @returns {Span[]}
 */
export function spansOf(events) {
  return events
    .filter((event) => event.k === "call")
    .map(({ d, seq, step, t }) => ({
      seq,
      step,
      seam: d.seam,
      name: `${EDGE_NAMES[d.seam] ?? d.seam} · ${d.method}`,
      from: t / 1e6 - d.seconds,
      to: t / 1e6,
      took: d.seconds,
      failed: Boolean(d.error),
    }))
    .sort((one, other) => one.from - other.from);
}

/**
 * @param {readonly Span[]} spans
 * @param {{ from: number; to: number }} around seconds since the run started
 */
export function waterfall(spans, { from, to }) {
  if (!spans.length) return empty("Nothing was asked of an edge here.");
  const start = Math.min(from, ...spans.map((span) => span.from));
  const length = Math.max(to - start, 1e-6);
  return h(
    "ol",
    { class: "waterfall" },
    spans.map((span) => spanNode(span, (span.from - start) / length, span.took / length)),
  );
}

/**
 * @param {Span} span
 * @param {number} left share of the whole
 * @param {number} width share of the whole
 */
function spanNode(span, left, width) {
  const style = { left: `${Math.min(99.4, left * 100)}%`, width: `${Math.max(0.4, width * 100)}%` };
  const bar = h("span", { class: `span ${span.seam} ${span.failed ? "bad" : ""}`, style });
  return h(
    "li",
    { title: `${span.name}: ${seconds(span.took)}` },
    h("span", { class: "name" }, span.name),
    h("span", { class: "lane", "aria-hidden": "true" }, bar),
    h("span", { class: "number" }, seconds(span.took)),
  );
}
