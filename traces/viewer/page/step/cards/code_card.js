// Code that was run over values that were found: the code, what went in, and what came out.

/** @import { OfKind, StepDetail } from "../../types.d.ts" */

import { h } from "../../elements/dom.js";
import { card, dim, pill } from "../../elements/parts.js";
import { list } from "../../record/values.js";

/** @param {StepDetail} detail */
export function codeCard(detail) {
  const runs = detail.events.filter((event) => event.k === "code");
  return runs.length ? card("Code", null, runs.map(runNode)) : null;
}

/** @param {OfKind<"code">} event */
function runNode({ d }) {
  const inputs = list(d.inputs).map((input) => h("li", {}, input));
  return h(
    "div",
    { class: "run" },
    h("pre", {}, d.code),
    inputs.length
      ? h("ul", { class: "small" }, inputs)
      : h("p", { class: "small" }, dim("a sum of the answer, computed again")),
    d.failure ? failureNode(d) : outputNode(d),
  );
}

/** @param {OfKind<"code">["d"]} d */
function failureNode(d) {
  const place = d.line ? `line ${d.line}, column ${d.column}: ` : "";
  return h("p", {}, pill(d.failure, "bad"), ` ${place}${d.message}`);
}

/** @param {OfKind<"code">["d"]} d */
function outputNode(d) {
  const printed = d.printed ? h("pre", { class: "small" }, d.printed) : null;
  const cut = d.is_cut ? dim(" (cut)") : null;
  return h("div", {}, h("p", {}, pill("gave", "good"), " ", d.value, cut, dim(` in ${d.seconds} s`)), printed);
}
