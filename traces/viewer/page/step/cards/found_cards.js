// What a step found, counted and judged.

/** @import { Citation, CountedItem, CounterMoved, Finding, Merge, StepActions, StepDetail } from "../../types.d.ts" */

import { h } from "../../elements/dom.js";
import { card, dim, linkButton, more, pill } from "../../elements/parts.js";
import { number, percent, plural, shortUrl } from "../../elements/words.js";
import { list } from "../../record/values.js";

const SHOW = "Show it in the page";
/** Merges that are shown without being asked for. */
const FEW_MERGES = 6;

/**
 * @param {StepDetail} detail
 * @param {StepActions} actions
 */
export function findingsCard(detail, { onQuote }) {
  const events = detail.events.filter((event) => event.k === "findings");
  const found = events.flatMap((event) => list(event.d.findings));
  const items = events.reduce((sum, event) => sum + (event.d.items || 0), 0);
  const isCounted = countsOf(detail).length > 0;
  if (!found.length && (!items || isCounted)) return null;
  const aside = [found.length ? plural(found.length, "finding") : "", items ? plural(items, "item") : ""];
  return card(
    "Found here",
    aside.filter(Boolean).join(", "),
    h(
      "ul",
      { class: "findings" },
      found.map((finding) => findingNode(finding, onQuote)),
    ),
  );
}

/**
 * @param {Finding} finding
 * @param {StepActions["onQuote"]} onQuote
 */
function findingNode({ text, quote, score }, onQuote) {
  const scored = score === undefined ? null : h("span", { class: "dim small" }, ` ${percent(score)}`);
  const shown = quote ? linkButton(quote, () => onQuote(quote), "quote", SHOW) : null;
  return h("li", {}, h("p", { class: "says" }, text || "…", scored), shown);
}

/**
 * @param {StepDetail} detail
 * @param {StepActions} actions
 */
export function verdictCard(detail, { onQuote }) {
  const event = detail.events.findLast((one) => one.k === "verdict");
  if (!event) return null;
  const { sufficient, answer, confidence, reason, citations, missing } = event.d;
  const sure = h("span", { class: "dim small" }, `  confidence ${Number(confidence).toFixed(2)}`);
  const wanted = list(missing).join("; ");
  return card(
    "Verdict",
    sufficient ? pill("enough", "good") : pill("not enough yet", ""),
    answer ? h("p", { class: "says large" }, answer, sure) : null,
    reason ? h("p", { class: "dim" }, reason) : null,
    list(citations).map((citation) => citationNode(citation, onQuote)),
    wanted ? h("p", { class: "small" }, dim("Still looking for: "), wanted) : null,
  );
}

/**
 * @param {Citation} citation
 * @param {StepActions["onQuote"]} onQuote
 */
function citationNode({ quote, url }, onQuote) {
  const button = linkButton(quote, () => onQuote(quote, url), "quote cited", SHOW);
  return h("div", { class: "citation" }, button, h("span", { class: "dim small" }, shortUrl(url ?? "")));
}

/** @param {StepDetail} detail */
function countsOf(detail) {
  const moved = detail.events.filter((event) => event.k === "counter").map((event) => event.d);
  return moved.filter((count) => count.mode !== "none");
}

/**
 * @param {StepDetail} detail
 * @param {StepActions} actions
 */
export function counterCard(detail, { onQuote, onView }) {
  const counts = countsOf(detail);
  const last = counts.at(-1);
  if (!last) return null;
  const added = counts.flatMap((count) => list(count.added));
  const merged = counts.flatMap((count) => list(count.merged));
  const { found, target } = last;
  const share = target ? Math.min(1, found / target) : 0;
  const bar = h("div", { class: "bar slim" }, h("div", { class: "full", style: { width: `${share * 100}%` } }));
  return card(
    "Counter",
    [h("b", { class: "big" }, number(found)), target ? dim(` of ${number(target)}`) : null],
    target ? bar : null,
    h("p", { class: "small dim" }, courseOf(last)),
    added.length
      ? h(
          "ul",
          { class: "items" },
          added.map((item) => itemNode(item, onQuote)),
        )
      : null,
    merged.length ? mergedNode(merged) : null,
    linkButton("All items of the walk", () => onView("counter"), "link small"),
  );
}

/** @param {CounterMoved} count */
function courseOf({ mode, done, complete }) {
  const end = complete ? "; complete" : "; done, a lower bound";
  const what = mode === "quota" ? "Looks for a number of distinct items" : "Counts a whole list";
  return `${what}${done ? end : ""}`;
}

/**
 * @param {CountedItem} item
 * @param {StepActions["onQuote"]} onQuote
 */
function itemNode({ name, quote }, onQuote) {
  return h(
    "li",
    {},
    linkButton(name, () => onQuote(quote || name), "quote found", SHOW),
  );
}

/** @param {readonly Merge[]} merged */
function mergedNode(merged) {
  const lines = merged.map(({ name, into, reason, similarity }) => {
    const alike = similarity < 1 ? ` (${percent(similarity)})` : "";
    return h("li", { class: "small" }, name, dim(` is ${into}: ${reason}${alike}`));
  });
  return more(`Merged (${merged.length})`, merged.length < FEW_MERGES, h("ul", {}, lines));
}
