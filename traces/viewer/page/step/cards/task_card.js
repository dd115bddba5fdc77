// What the question asks for, as it was said at the start of the walk.

/** @import { StepDetail, TaskAnalysed } from "../../types.d.ts" */

import { h } from "../../elements/dom.js";
import { card, dim, facts, pill } from "../../elements/parts.js";
import { list } from "../../record/values.js";

/** Operations that join nothing, so that one part says it all. */
const JOINING_NOTHING = ["none", "yes/no"];

/** @param {StepDetail} detail */
export function taskCard(detail) {
  const event = detail.events.find((one) => one.k === "task");
  if (!event) return null;
  const { d } = event;
  return card(
    "What is asked",
    ["by ", pill(d.by, d.by === "model" ? "good" : "")],
    facts([
      ["Answer", d.unit ? `${d.kind} (${d.unit})` : d.kind],
      ["Parts", partsNode(d)],
      ["Joined by", JOINING_NOTHING.includes(d.operation) ? "" : d.operation],
      ["Names", namesNode(d)],
      ["Counted", countedWords(d)],
      ["Picture", d.picture],
      ["Proof", d.proof],
    ]),
    d.note ? h("p", { class: "dim small" }, d.note) : null,
  );
}

/** @param {TaskAnalysed} analysis */
function partsNode({ parts }) {
  const nodes = list(parts).map(({ text, needs }) =>
    h("li", {}, text, needs ? dim(` needs the answer of part ${needs}`) : null),
  );
  return nodes.length > 1 ? h("ol", { class: "task-parts" }, nodes) : null;
}

/** @param {TaskAnalysed} analysis */
function namesNode({ names }) {
  const nodes = list(names).map(({ name, spellings = [] }) =>
    h("li", {}, name, spellings.length ? dim(` also ${spellings.join(", ")}`) : null),
  );
  return nodes.length ? h("ul", { class: "task-names" }, nodes) : null;
}

/** @param {TaskAnalysed} analysis */
function countedWords({ requirement, constraint }) {
  const { mode = "none", target = 0, noun = "" } = requirement ?? {};
  if (mode === "none") return "";
  const things = [mode === "quota" ? String(target) : "all", noun].filter(Boolean).join(" ");
  return constraint ? `${things}, ${constraint}` : things;
}
