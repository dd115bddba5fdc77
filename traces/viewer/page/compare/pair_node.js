// A step of one walk beside the same step of the other.

/** @import { Row, Side, StepPair } from "../types.d.ts" */

import { apart } from "../elements/brief.js";
import { h } from "../elements/dom.js";
import { dim, pill, thumbnail } from "../elements/parts.js";
import { rowMarks } from "../elements/row_marks.js";
import { number, shortUrl } from "../elements/words.js";
import { hashOf } from "../route.js";
import { differs, idOf, numbersOf, valuePair } from "./pair_words.js";

/** @type {Record<string, string>} */
const CHOICES = { read: "read", glance: "glanced", look: "looked" };

/**
 * @param {StepPair} pair
 * @param {[Side, Side]} sides
 * @param {boolean} isFirst of those that differ
 */
export function pairNode(pair, sides, isFirst) {
  const isAlone = !pair.one || !pair.other;
  const isOther = differs(pair);
  const attributes = {
    class: `pair-of ${isOther ? "differs" : ""} ${isAlone ? "alone" : ""}`,
    id: idOf(pair.one, pair.other),
    tabindex: isOther ? "-1" : null,
    "aria-label": isOther ? nameOf(pair) : null,
  };
  return h(
    "li",
    attributes,
    isFirst ? pill("first difference", "bad") : null,
    h("div", { class: "sides" }, sideNode(pair.one, sides[0], isAlone), sideNode(pair.other, sides[1], isAlone)),
    pair.differences.length ? h("ul", { class: "differences" }, pair.differences.map(differenceNode)) : null,
  );
}

/** @param {StepPair} pair */
function nameOf(pair) {
  const stages = pair.differences.map((one) => one.stage).join(", ");
  const both = stages ? `differs in ${stages}` : "equal";
  const how = !pair.other ? "only in A" : !pair.one ? "only in B" : both;
  return `Step ${numbersOf(pair.one, pair.other)}, ${pair.title || shortUrl(pair.url)}: ${how}`;
}

/** @param {StepPair["differences"][number]} difference */
function differenceNode({ stage, field, one, other }) {
  const [left, right] = apart(one, other);
  return h("li", {}, h("p", {}, h("b", {}, stage), dim(` ${field.replaceAll("_", " ")}`)), valuePair(left, right));
}

/**
 * @param {number} step 0 where this walk has no such step
 * @param {Side} side
 * @param {boolean} isAlone
 */
function sideNode(step, { name, letter, rows, pictureUrl }, isAlone) {
  const head = h("span", { class: `letter side-${letter.toLowerCase()}` }, letter);
  if (!step) return h("div", { class: "side-of none" }, head, dim(`no such step in ${letter}`));
  const row = rows.get(step);
  if (!row) return h("div", { class: "side-of" }, head, `step ${step}`);
  const link = h("a", { href: hashOf({ run: name, step }) }, dim(`${step} `), row.label);
  return h(
    "div",
    { class: `side-of ${isAlone ? "only" : ""}` },
    head,
    row.picture ? thumbnail(pictureUrl(row.picture)) : null,
    h("div", { class: "what" }, link, h("p", { class: "dim small" }, scoresOf(row))),
    h("div", { class: "marks" }, rowMarks(row)),
  );
}

/** @param {Row} row */
function scoresOf(row) {
  const parts = [
    row.score >= 0 ? `understood ${row.score.toFixed(0)}` : "",
    row.trust >= 0 ? `trust ${row.trust.toFixed(1)} of ${number(row.threshold)}` : "",
    CHOICES[row.choice] ?? row.outcome,
    row.move ? `then ${row.move.toLowerCase()}` : "",
  ];
  return parts.filter(Boolean).join(" · ");
}
