// Where the time went: each call of an edge from its start to its end.

import { empty, h, put, seconds } from "./dom.js";

const NAMES = { browser: "Browser", reader: "Reader", critic: "Critic", explorer: "Explorer", vision: "Built-in eye", vision_model: "Vision model", chat: "Model" };

export function spansOf(events) {
  return events
    .filter((event) => event.k === "call")
    .map((event) => ({ seq: event.seq, step: event.step, seam: event.d.seam, name: `${NAMES[event.d.seam] ?? event.d.seam} · ${event.d.method}`, from: event.t / 1e6 - event.d.seconds, to: event.t / 1e6, took: event.d.seconds, failed: Boolean(event.d.error) }))
    .sort((one, other) => one.from - other.from);
}

export function waterfall(spans, { from, to }) {
  if (!spans.length) return empty("Nothing was asked of an edge here.");
  const start = Math.min(from, ...spans.map((span) => span.from));
  const length = Math.max(to - start, 1e-6);
  return h(
    "ol",
    { class: "waterfall" },
    spans.map((span) =>
      h(
        "li",
        { title: `${span.name}: ${seconds(span.took)}` },
        h("span", { class: "name" }, span.name),
        h("span", { class: "lane", "aria-hidden": "true" }, h("span", { class: `span ${span.seam} ${span.failed ? "bad" : ""}`, style: { left: `${((span.from - start) / length) * 100}%`, width: `${Math.max(0.4, (span.took / length) * 100)}%` } })),
        h("span", { class: "number" }, seconds(span.took)),
      ),
    ),
  );
}

// The whole run: one bar a step, as long as the step took, and what it was spent on where that is known.
export function timeView(place, run, { onStep }) {
  const rows = run.rows.filter((row) => row.ended > row.began);
  const most = Math.max(1, ...rows.map((row) => row.ended - row.began));
  const slowest = [...rows].sort((one, other) => other.ended - other.began - (one.ended - one.began)).slice(0, 200).sort((one, other) => one.step - other.step);
  const total = rows.reduce((sum, row) => sum + row.ended - row.began, 0);
  put(
    place,
    h("p", { class: "hint" }, `${seconds(total / 1e6)} in all${rows.length > slowest.length ? `; the ${slowest.length} longest of ${rows.length} steps` : ""}. A step opens its own calls.`),
    h("ol", { class: "waterfall run" }, slowest.map((row) => h("li", {}, h("button", { type: "button", class: "name link", onclick: () => onStep(row.step) }, h("span", { class: "dim" }, `${row.step} `), row.title || row.url), h("span", { class: "lane", "aria-hidden": "true" }, h("span", { class: "span browser", style: { left: "0", width: `${Math.max(0.4, ((row.ended - row.began) / most) * 100)}%` } })), h("span", { class: "number" }, seconds((row.ended - row.began) / 1e6))))),
  );
}
