// What came of two walks, what it cost, how they were set, and why they differ.

/** @import { Cause, Child, WalkDiff } from "../types.d.ts" */

import { apart, brief } from "../elements/brief.js";
import { h } from "../elements/dom.js";
import { card, dim, linkButton, table } from "../elements/parts.js";
import { money, number, plural, seconds } from "../elements/words.js";
import { numbersOf, valuePair } from "./pair_words.js";

/** @type {Record<string, { label: string; said: (value: number) => string }>} */
const COSTS = {
  pages: { label: "Pages", said: number },
  looks: { label: "Looks", said: number },
  model_calls: { label: "Model calls", said: number },
  prompt_tokens: { label: "Tokens in", said: number },
  completion_tokens: { label: "Tokens out", said: number },
  seconds: { label: "Time", said: seconds },
};

/** @param {WalkDiff} diff */
export function outcomeCard(diff) {
  const end = diff.end.map((one) => {
    const [left, right] = apart(one.expected, one.got);
    return line(one.field.replaceAll("_", " "), left, right, true);
  });
  const costs = Object.entries(diff.cost)
    .filter(([, [left, right]]) => left || right)
    .map(([name, [left, right]]) => {
      const { label, said } = COSTS[name] ?? { label: name, said: money };
      return line(label, said(left) || "0", said(right) || "0", left !== right && name !== "seconds");
    });
  const aside = diff.end.length ? plural(diff.end.length, "difference") : "the same outcome";
  return card("Outcome and cost", aside, sideTable("Outcome and cost", [...end, ...costs]));
}

/** @param {WalkDiff} diff */
export function settingsCard(diff) {
  if (!diff.settings.length) return null;
  const lines = diff.settings.map((one) => line(one.field, brief(one.expected), brief(one.got), true));
  return card("Set otherwise", plural(diff.settings.length, "setting"), sideTable("Set otherwise", lines));
}

/**
 * @param {string} name
 * @param {Child} left
 * @param {Child} right
 * @param {boolean} isOther
 */
function line(name, left, right, isOther) {
  return h(
    "tr",
    { class: isOther ? "differs" : "" },
    h("th", { scope: "row" }, name),
    h("td", { "data-label": "A" }, left),
    h("td", { "data-label": "B" }, right),
  );
}

/**
 * @param {string} name
 * @param {Child} body
 */
function sideTable(name, body) {
  const what = h("th", { scope: "col" }, h("span", { class: "unseen" }, "What"));
  return table(name, {
    class: "plain versus",
    head: [what, h("th", { scope: "col" }, "A"), h("th", { scope: "col" }, "B")],
    body,
  });
}

/**
 * From what was decided otherwise first back to what it came from.
 * @param {WalkDiff} diff
 * @param {(one: number, other: number) => void} show
 */
export function causesCard(diff, show) {
  if (diff.is_equal) {
    const words = `Equal: ${plural(diff.pairs.length, "step")}, the same decisions, findings and answer.`;
    return h("p", { class: "verdict good" }, words);
  }
  const { chain, first } = diff;
  if (!chain.length && !first) return null;
  const nothing = h("p", { class: "dim" }, "Nothing was decided otherwise on a page that both walks read.");
  return card(
    "Why they differ",
    first &&
      linkButton(`first difference: step ${numbersOf(first.one, first.other)}`, () => show(first.one, first.other)),
    chain.length
      ? h(
          "ol",
          { class: "chain" },
          chain.map((cause, at) => causeNode(cause, at, show)),
        )
      : nothing,
  );
}

/**
 * @param {Cause} cause
 * @param {number} at
 * @param {(one: number, other: number) => void} show
 */
function causeNode(cause, at, show) {
  const { stage, field, one_step: one, other_step: other } = cause;
  const [left, right] = apart(cause.one, cause.other);
  const words = `${stage} ${field}`.trim().replaceAll("_", " ");
  const where = one || other ? linkButton(`step ${numbersOf(one, other)}`, () => show(one, other)) : null;
  return h("li", {}, h("p", {}, at ? dim("because ") : null, h("b", {}, words), " ", where), valuePair(left, right));
}
