// The steps of a run as rows, and what is said of a row.

/** @import { Overview, Row } from "../types.d.ts" */

import { shortUrl } from "../elements/words.js";

/**
 * The rows of an overview by the names of their columns.
 * @param {Overview} overview
 * @returns {Row[]}
 */
export function rowsOf({ rows, columns }) {
  return rows.map((row) => {
    /** @type {any} */
    const named = Object.fromEntries(columns.map((name, at) => [name, row[at]]));
    return named;
  });
}

/**
 * Gives each row its title without what several titles end in: the name of the site.
 * @param {readonly Row[]} rows
 */
export function labelRows(rows) {
  /** @type {Map<string, number>} */
  const ends = new Map();
  for (const row of rows) ends.set(endOf(row.title), (ends.get(endOf(row.title)) ?? 0) + 1);
  for (const row of rows) {
    const end = endOf(row.title);
    const isShared = end !== "" && (ends.get(end) ?? 0) > 1;
    row.label = (isShared ? row.title.slice(0, -end.length) : row.title) || shortUrl(row.url) || "(no page)";
  }
}

/** @param {string} title */
function endOf(title) {
  return title.match(/\s+[·|–—-]\s+[^·|–—]+$/)?.[0] ?? "";
}

/**
 * What became of a step, as the colours know it.
 * @param {Row} row
 */
export function kindOf(row) {
  if (row.outcome === "failed" || row.outcome === "error") return "bad";
  if (row.outcome === "rejected") return "off";
  if (row.sufficient) return "good";
  if (row.choice === "look") return "look";
  if (row.choice === "glance") return "glance";
  return "read";
}

/**
 * A step in one sentence, for whoever listens.
 * @param {Row} row
 */
export function described(row) {
  const parts = [`Step ${row.step}`, row.label];
  if (row.outcome) parts.push(`${row.outcome}: ${row.why}`);
  else if (row.trust >= 0) parts.push(`${row.choice || "read"}, trust ${Math.round(row.trust)}`);
  if (row.findings) parts.push("found something");
  if (row.items) parts.push(`counted ${row.items}`);
  if (row.sufficient) parts.push(`answer: ${row.answer}`);
  if (row.refusals) parts.push(`${row.refusals} refused`);
  return parts.filter(Boolean).join(", ");
}
