// Where the time went: each call of an edge from its start to its end.

import { empty, h, put, seconds } from "./dom.js";

const NAMES = { browser: "Browser", reader: "Reader", critic: "Critic", explorer: "Explorer", vision: "Built-in eye", vision_model: "Vision model", chat: "Model", picture: "Picture" };

const EDGES = ["browser", "reader", "critic", "explorer", "vision", "vision_model", "picture"];

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
        h("span", { class: "lane", "aria-hidden": "true" }, h("span", { class: `span ${span.seam} ${span.failed ? "bad" : ""}`, style: { left: `${Math.min(99.4, ((span.from - start) / length) * 100)}%`, width: `${Math.max(0.4, (span.took / length) * 100)}%` } })),
        h("span", { class: "number" }, seconds(span.took)),
      ),
    ),
  );
}

// The whole run: one bar a step, as long as the step took, in the colours of what it was spent on.
export function timeView(place, run, { onStep }) {
  const rows = run.rows.filter((row) => row.ended > row.began);
  const most = Math.max(1, ...rows.map((row) => row.ended - row.began));
  const slowest = [...rows].sort((one, other) => other.ended - other.began - (one.ended - one.began)).slice(0, 200).sort((one, other) => one.step - other.step);
  const total = rows.reduce((sum, row) => sum + row.ended - row.began, 0);
  const spent = EDGES.map((edge) => [edge, rows.reduce((sum, row) => sum + (row.spent[edge] ?? 0), 0)]).filter(([, micros]) => micros > 0);
  put(
    place,
    h("div", { class: "legend" }, h("b", { class: "huge" }, seconds(total / 1e6)), h("ul", {}, spent.map(([edge, micros]) => h("li", {}, h("span", { class: `dot span ${edge}`, "aria-hidden": "true" }), NAMES[edge], h("b", {}, seconds(micros / 1e6)))))),
    rows.length > slowest.length ? h("p", { class: "hint" }, `The ${slowest.length} longest of ${rows.length} steps.`) : null,
    h("ol", { class: "waterfall run" }, slowest.map((row) => h("li", { title: spentWords(row) }, h("button", { type: "button", class: "name link", onclick: () => onStep(row.step) }, h("span", { class: "dim" }, `${row.step} `), row.label), h("span", { class: "lane", "aria-hidden": "true" }, stacked(row, most)), h("span", { class: "number" }, seconds((row.ended - row.began) / 1e6))))),
  );
}

function spentWords(row) {
  return EDGES.filter((edge) => row.spent[edge]).map((edge) => `${NAMES[edge]} ${seconds(row.spent[edge] / 1e6)}`).join(", ");
}

// Calls made side by side overlap: the parts are then drawn as shares of what the step took.
function stacked(row, most) {
  const took = row.ended - row.began;
  const parts = EDGES.map((edge) => [edge, row.spent[edge] ?? 0]).filter(([, micros]) => micros > 0);
  const sum = parts.reduce((total, [, micros]) => total + micros, 0);
  const scale = Math.min(1, took / Math.max(1, sum)) / most;
  let left = 0;
  const spans = [["rest", took / most], ...parts.map(([edge, micros]) => [edge, micros * scale])];
  return spans.map(([edge, share]) => {
    const span = h("span", { class: `span ${edge}`, style: { left: `${left * 100}%`, width: `${Math.max(0.15, share * 100)}%` } });
    if (edge !== "rest") left += share;
    return span;
  });
}
