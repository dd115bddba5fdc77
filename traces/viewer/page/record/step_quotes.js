// What a step quotes of its page.

/** @import { Quote, StepDetail, StepEvent } from "../types.d.ts" */

import { squeezed } from "../elements/words.js";
import { list } from "./values.js";

/**
 * Each once; what an answer cites counts as cited wherever else it was found.
 * @param {StepDetail} detail
 * @returns {Quote[]}
 */
export function quotesOf(detail) {
  /** @type {Map<string, Quote["kind"]>} */
  const quotes = new Map();
  for (const event of detail.events) {
    const kind = event.k === "verdict" ? "cited" : "found";
    for (const quote of quotedBy(event)) {
      const words = typeof quote === "string" ? squeezed(quote) : "";
      if (words.length >= 2 && (!quotes.has(words) || kind === "cited")) quotes.set(words, kind);
    }
  }
  return [...quotes].map(([words, kind]) => ({ words, kind }));
}

/** @param {StepEvent} event */
function quotedBy(event) {
  if (event.k === "findings") return list(event.d.findings).map((finding) => finding.quote);
  if (event.k === "counter") return list(event.d.added).map((item) => item.quote || item.name);
  if (event.k === "verdict") return list(event.d.citations).map((citation) => citation.quote);
  return [];
}
