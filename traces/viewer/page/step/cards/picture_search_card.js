// Searches by a picture: what was searched for beside what was found, and what speaks for it.

/** @import { PictureHit, PictureSearched, StepContext, StepDetail } from "../../types.d.ts" */

import { h, put } from "../../elements/dom.js";
import { card, dim, empty, more, pill, thumbnail } from "../../elements/parts.js";
import { percent, plural } from "../../elements/words.js";
import { pictureSearches } from "../../record/searches.js";
import { digestOf, list } from "../../record/values.js";
import { takenNode } from "./hits_card.js";
import { pictureOf, pictureParts } from "./matched_pictures.js";

/** Hits that are shown without being asked for. */
const FEW = 3;
/** What a hit was found by, in words. */
const FOUND_BY = {
  hash: "perceptual hash",
  features: "local features",
  words: "words of the page",
  encoder: "an encoder",
  service: "a service",
};

/**
 * @param {StepDetail} detail
 * @param {StepContext} context
 */
export function pictureSearchCard(detail, context) {
  const searches = pictureSearches(detail);
  if (!searches.length) return null;
  const nodes = searches.map((search) => searchNode(search, detail.step, context));
  return card("Picture search", plural(searches.length, "search", "searches"), nodes);
}

/**
 * @param {PictureSearched} search
 * @param {number} step
 * @param {StepContext} context
 */
function searchNode({ picture, words, hits, failure }, step, context) {
  const { source, runId } = context;
  const nodes = hits.map((hit) => hitNode(hit, picture, step, context));
  const told = words ? [`${plural(hits.length, "picture")} found for this part, and “`, words, "”"] : null;
  return h(
    "section",
    { class: "picture-search", "aria-label": "Search by a picture" },
    h(
      "div",
      { class: "searched" },
      thumbnail(source.pictureUrl(runId, picture)),
      h("p", { class: "small" }, told ?? `${plural(hits.length, "picture")} found for this part`),
    ),
    failure ? h("p", { class: "small" }, pill("failed", "bad"), " ", failure) : null,
    nodes.length ? h("ol", { class: "hits" }, nodes.slice(0, FEW)) : null,
    nodes.length > FEW
      ? more(`${nodes.length - FEW} more`, false, h("ol", { class: "hits", start: FEW + 1 }, nodes.slice(FEW)))
      : null,
    nodes.length || failure ? null : empty("Nothing is like it."),
  );
}

/**
 * @param {PictureHit} hit
 * @param {string} searched digest
 * @param {number} step
 * @param {StepContext} context
 */
function hitNode(hit, searched, step, context) {
  const { url, title, words, picture, score = 0, found_by: by = "features" } = hit;
  const matches = list(hit.matches);
  return h(
    "li",
    {},
    h("b", {}, title || url),
    h("span", { class: "url block" }, url),
    words ? h("span", { class: "dim block small" }, words) : null,
    h(
      "p",
      {},
      pill(percent(score), score >= 0.5 ? "good" : "", "Chance that it shows what was searched for"),
      " ",
      pill(`by ${FOUND_BY[by] ?? by}`, "look"),
      " ",
      takenNode(url, step, context),
    ),
    pairNode(hit, searched, context),
    matches.length ? h("p", { class: "small dim" }, plural(matches.length, "matched point")) : null,
    picture ? h("span", { class: "url block" }, dim("picture "), picture) : null,
  );
}

/**
 * Both pictures side by side where their bytes are in the run. Without those of the found one the lines lead into an empty frame; a
 * hit that nothing but words or a service speaks for has no frame at all.
 * @param {PictureHit} hit
 * @param {string} searched
 * @param {StepContext} context
 */
function pairNode(hit, searched, { source, runId }) {
  const place = h("div", { class: "pair" });
  const digests = [digestOf(hit.preview), hit.digest ?? ""].filter(Boolean);
  Promise.all([pictureOf(source, runId, [searched]), pictureOf(source, runId, digests)]).then(([here, there]) => {
    if (there.src || list(hit.matches).length) put(place, pictureParts(hit, here, there));
  });
  return place;
}
