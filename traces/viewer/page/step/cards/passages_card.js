// What a workflow's search found: the passages with what they were weighed at, kept or left; and pages summarised for a goal.

/** @import { OfKind, StepContext, StepDetail, WeighedPassage } from "../../types.d.ts" */

import { h } from "../../elements/dom.js";
import { card, dim, more, pill } from "../../elements/parts.js";
import { percent, plural, shortUrl } from "../../elements/words.js";
import { openedAt } from "../../record/searches.js";
import { list } from "../../record/values.js";
import { takenNode } from "./hits_card.js";

/** Characters of a passage that are shown without being asked for. */
const BRIEF = 220;

/**
 * @param {StepDetail} detail
 * @param {StepContext} context
 */
export function passagesCard(detail, context) {
  const events = detail.events.filter((event) => event.k === "passages");
  if (!events.length) return null;
  const passages = events.flatMap(({ d }) => list(d.passages));
  const kept = passages.filter((passage) => passage.kept).length;
  return card(
    "Passages",
    `${kept} of ${plural(passages.length, "passage")} kept`,
    events.map((event) => foundNode(event, context)),
  );
}

/**
 * @param {OfKind<"passages">} event
 * @param {StepContext} context
 */
function foundNode({ d, step }, context) {
  const queries = list(d.queries).map((query) => h("li", {}, "“", h("b", {}, query), "”"));
  return h(
    "div",
    {},
    queries.length ? h("ul", { class: "queries", "aria-label": "Queries" }, queries) : null,
    d.note ? h("p", { class: "dim small" }, `weighed ${d.note}`) : null,
    h(
      "ol",
      { class: "hits passages" },
      list(d.passages).map((passage) => passageNode(passage, step, context)),
    ),
  );
}

/**
 * @param {WeighedPassage} passage
 * @param {number} step
 * @param {StepContext} context
 */
function passageNode({ url, title, heading, text, kept, chance }, step, context) {
  const isLong = text.length > BRIEF;
  return h(
    "li",
    { class: kept ? "kept" : "left" },
    h("b", {}, title || shortUrl(url)),
    heading ? dim(` ${heading}`) : null,
    h("span", { class: "url block" }, url),
    h("p", {}, kept ? pill("kept", "good") : pill("left", "off"), " ", chanceNode(chance), " ", openedNode()),
    isLong
      ? more(`${text.slice(0, BRIEF)}…`, false, h("p", { class: "small" }, text))
      : h("p", { class: "small" }, text),
  );

  function openedNode() {
    const isOpened = Object.values(openedAt(context.steps, step, url)).some(Boolean);
    return isOpened ? h("span", { class: "small" }, dim("its page "), takenNode(url, step, context)) : null;
  }
}

/** @param {number | undefined} chance */
function chanceNode(chance) {
  if (chance === undefined) return dim("not weighed");
  const full = h("div", { class: "full", style: { width: `${Math.min(1, Math.max(0, chance)) * 100}%` } });
  // Rounded down: 9.99 % is less than the 10 % that a passage is kept from.
  const words = `chance ${chance < 0.1 ? `${(Math.floor(chance * 1000) / 10).toFixed(1)} %` : percent(chance)}`;
  return h("span", { class: "chance" }, h("span", { class: "bar slim" }, full), h("span", { class: "number" }, words));
}

/** @param {StepDetail} detail */
export function summariesCard(detail) {
  const events = detail.events.filter((event) => event.k === "summary");
  return events.length ? card("Summaries", null, events.map(summaryNode)) : null;
}

/** @param {OfKind<"summary">} event */
function summaryNode({ d }) {
  const urls = list(d.urls);
  const quotes = list(d.evidence).map((quote) => h("li", {}, h("q", {}, quote)));
  return h(
    "div",
    { class: "run" },
    h("p", { class: "small" }, pill(`by ${d.by}`, "look"), dim(" for "), `“${d.goal}”`),
    h("p", { class: "says" }, d.summary || dim("It says nothing about that.")),
    d.rationale ? h("p", { class: "dim small" }, d.rationale) : null,
    quotes.length ? more(plural(quotes.length, "quote"), false, h("ul", {}, quotes)) : null,
    h("p", { class: "dim small" }, `${urls.length > 1 ? "of all pages: " : ""}${urls.map(shortUrl).join(", ")}`),
    d.note ? h("p", { class: "dim small" }, d.note) : null,
  );
}
