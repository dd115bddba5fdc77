// Why this number: every item that was counted, where it stands, and what was taken for the same.

/** @import { CountedItem, CounterMoved, Merge, OfKind } from "../types.d.ts" */

import { h, put } from "../elements/dom.js";
import { dim, empty, linkButton, table } from "../elements/parts.js";
import { number, percent, plural, shortUrl } from "../elements/words.js";
import { list } from "../record/values.js";

const MOST_DRAWN = 2000;
const MOST_QUOTE = 240;
const COLUMNS = ["#", "Item", "Quote", "Step", "Taken for the same"];

/** @typedef {CountedItem & { place: number; step: number }} Placed */
/** @typedef {Merge & { step: number }} PlacedMerge */

/**
 * @param {Element} place
 * @param {readonly OfKind<"counter">[]} events
 * @param {(step: number) => void} onStep
 */
export function counterView(place, events, onStep) {
  const counted = events.filter((event) => event.d.mode !== "none");
  const last = counted.at(-1);
  if (!last) {
    put(place, empty("Nothing was counted in this walk: the question asks for no number of things."));
    return;
  }
  const items = itemsOf(counted);
  const merges = counted.flatMap(({ d, step }) => list(d.merged).map((merge) => ({ ...merge, step })));
  const into = byTarget(merges);
  const oninput = () => draw();
  const search = h("input", { type: "search", placeholder: "Search items", "aria-label": "Search items", oninput });
  const head = COLUMNS.map((name) => h("th", { scope: "col" }, name));
  const listed = table("", { class: "plain items-table", head, body: null });
  const draw = () => {
    const shown = items.filter((item) => textOf(item).includes(search.value.toLowerCase())).slice(0, MOST_DRAWN);
    put(
      listed.tBodies[0],
      shown.map((item) => itemRow(item, into.get(item.name) ?? [], onStep)),
    );
  };
  put(place, countHead(last.d, items, merges.length, search), h("div", { class: "wide" }, listed));
  draw();
}

/**
 * @param {readonly OfKind<"counter">[]} counted
 * @returns {Placed[]}
 */
function itemsOf(counted) {
  const items = counted.flatMap(({ d, step }) => list(d.added).map((item) => ({ ...item, step })));
  return items.map((item, place) => ({ ...item, place }));
}

/** @param {Placed} item */
function textOf({ name, quote, page_url: url }) {
  return `${name} ${quote} ${url}`.toLowerCase();
}

/** @param {readonly PlacedMerge[]} merges */
function byTarget(merges) {
  /** @type {Map<string, PlacedMerge[]>} */
  const groups = new Map();
  for (const merge of merges) {
    const group = groups.get(merge.into);
    if (group) group.push(merge);
    else groups.set(merge.into, [merge]);
  }
  return groups;
}

/**
 * @param {CounterMoved} count
 * @param {readonly Placed[]} items
 * @param {number} merges
 * @param {Node} search
 */
function countHead({ found, target, complete, done }, items, merges, search) {
  const verdict = complete ? "complete" : done ? "done; a lower bound" : "not finished";
  const pages = new Set(items.map((item) => item.step)).size;
  const words = `${plural(items.length, "item")} on ${plural(pages, "page")}, ${plural(merges, "candidate")} merged`;
  return h(
    "div",
    { class: "count-head" },
    h("b", { class: "huge" }, number(found)),
    h(
      "div",
      {},
      h("p", {}, target ? `of ${number(target)} wanted, ${verdict}` : `counted, ${verdict}`),
      h("p", { class: "dim small" }, words),
    ),
    search,
  );
}

/**
 * @param {Placed} item
 * @param {readonly PlacedMerge[]} merges
 * @param {(step: number) => void} onStep
 */
function itemRow({ place, name, key, quote, step }, merges, onStep) {
  return h(
    "tr",
    {},
    h("td", { class: "number dim" }, number(place + 1)),
    h("th", { scope: "row" }, name, key ? h("span", { class: "dim block small" }, shortUrl(key)) : null),
    h("td", {}, quote && quote !== name ? h("q", {}, quote.slice(0, MOST_QUOTE)) : null),
    h(
      "td",
      {},
      linkButton(String(step), () => onStep(step)),
    ),
    h("td", { class: "small" }, merges.map(mergeNode)),
  );
}

/** @param {PlacedMerge} merge */
function mergeNode({ name, reason, similarity, step }) {
  const alike = similarity < 1 ? ` ${percent(similarity)}` : "";
  return h("span", { class: "block" }, name, dim(` ${reason}${alike}, step ${step}`));
}
