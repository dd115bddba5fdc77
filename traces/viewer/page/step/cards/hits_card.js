// A page of hits: what was searched for, who found what, and which hits the walk opened.

/** @import { ShownHit, StepContext, StepDetail } from "../../types.d.ts" */

import { h, put } from "../../elements/dom.js";
import { card, dim, empty, linkButton, pill } from "../../elements/parts.js";
import { messageOf, plural } from "../../elements/words.js";
import { openedAt, queriesOf, shownHits, textSearches } from "../../record/searches.js";
import { readingOf } from "../../record/step_pages.js";
import { digestOf } from "../../record/values.js";

/**
 * @param {StepDetail} detail
 * @param {StepContext} context
 */
export function hitsCard(detail, context) {
  const queries = queriesOf(detail);
  const searches = textSearches(detail);
  // A search that made no page of hits found passages, which have a card of their own.
  const isOfPassages = !digestOf(readingOf(detail)) && detail.events.some(({ k }) => k === "passages");
  if (!searches.length && (!queries.length || isOfPassages)) return null;
  const asked = [...new Set([...queries, ...searches.map(({ query }) => query)])];
  const place = h("div", {});
  const told = h("span", {});
  showHits(place, told, detail, context);
  return card(
    "Hits",
    told,
    h(
      "ul",
      { class: "queries", "aria-label": "Queries" },
      asked.map((query) => h("li", {}, "“", h("b", {}, query), "”")),
    ),
    searches
      .filter(({ failure }) => failure)
      .map(({ query, failure }) => h("p", { class: "small" }, pill("failed", "bad"), ` “${query}”: ${failure}`)),
    place,
  );
}

/**
 * @param {Element} place
 * @param {Element} told
 * @param {StepDetail} detail
 * @param {StepContext} context
 */
async function showHits(place, told, detail, context) {
  try {
    const hits = shownHits(detail, await observationOf(detail, context));
    const nodes = hits.map((hit) => hitNode(hit, detail.step, context));
    const taken = hits.filter(({ url }) => openedAt(context.steps, detail.step, url).after).length;
    put(told, `${plural(hits.length, "hit")}, ${taken} taken`);
    put(place, nodes.length ? h("ol", { class: "hits" }, nodes) : empty("Nothing was found."));
  } catch (error) {
    put(place, empty(`The hits cannot be shown: ${messageOf(error)}`));
  }
}

/**
 * @param {StepDetail} detail
 * @param {StepContext} context
 */
async function observationOf(detail, { source, runId }) {
  const digest = digestOf(readingOf(detail));
  return digest ? JSON.parse(await source.text(runId, digest)) : null;
}

/**
 * @param {ShownHit} hit
 * @param {number} step
 * @param {StepContext} context
 */
function hitNode({ url, title, snippet, sources, isLinked }, step, context) {
  return h(
    "li",
    {},
    h("b", {}, title || url),
    h("span", { class: "url block" }, url),
    snippet ? h("span", { class: "dim block small" }, snippet) : null,
    h(
      "p",
      {},
      sources.map((source) => pill(source, "look", "Who found it")),
      " ",
      takenNode(url, step, context),
      isLinked ? null : dim(" not a link on the page of hits"),
    ),
  );
}

/**
 * Whether the walk took a hit, with the way to where it did.
 * @param {string} url
 * @param {number} step
 * @param {StepContext} context
 */
export function takenNode(url, step, { steps, onStep }) {
  const { before, after } = openedAt(steps, step, url);
  if (after) return h("span", { class: "taken" }, pill("taken", "good"), " ", openedLink(after));
  return h("span", {}, pill("left", "off"), before ? [dim(" opened before, at "), openedLink(before)] : null);

  function openedLink(/** @type {number} */ at) {
    return linkButton(`step ${at}`, () => onStep(at), "link", "Go there");
  }
}
