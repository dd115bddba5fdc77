// Where the pages of a site map stand: as many columns from the root as they are links away.

/** @import { MapPage, SiteMap, Spot } from "../types.d.ts" */

export const WIDE = 200;
export const DOWN = 34;
const ACROSS = 250;
const EDGE = 14;

/**
 * A tidy tree over the shortest ways from the root: leaves take a row each, a page stands in the middle of those below it.
 * @param {readonly MapPage[]} pages
 * @param {SiteMap["links"]} links
 * @returns {Map<number, Spot>} by step
 */
export function laidOut(pages, links) {
  const { children, roots } = shortestWays(pages, links);
  /** @type {Map<number, Spot>} */
  const spots = new Map();
  const yOf = (/** @type {number | undefined} */ step) => spots.get(step ?? 0)?.y ?? 0;
  let row = 0;
  const stack = roots.toReversed().map((step) => ({ step, depth: 0, isDone: false }));
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { step, depth, isDone } = next;
    const below = children.get(step) ?? [];
    if (below.length && !isDone) {
      const later = below.map((child) => ({ step: child, depth: depth + 1, isDone: false }));
      stack.push({ step, depth, isDone: true }, ...later.reverse());
      continue;
    }
    const y = below.length ? (yOf(below[0]) + yOf(below.at(-1))) / 2 : EDGE + DOWN * row;
    if (!below.length) row += 1;
    spots.set(step, { x: EDGE + depth * ACROSS, y });
  }
  return spots;
}

/**
 * @param {readonly MapPage[]} pages
 * @param {SiteMap["links"]} links
 */
function shortestWays(pages, links) {
  const ways = waysOf(pages, links);
  /** @type {Map<number, number[]>} */
  const children = new Map();
  const roots = [];
  /** @type {Set<number>} */
  const met = new Set();
  for (const page of pages) {
    if (met.has(page.step)) continue;
    met.add(page.step);
    roots.push(page.step);
    const queue = [page.step];
    for (let at = 0; at < queue.length; at += 1) {
      const below = [...new Set(ways.get(queue[at]))].filter((next) => !met.has(next));
      for (const next of below) met.add(next);
      if (below.length) children.set(queue[at], below);
      queue.push(...below);
    }
  }
  return { children, roots };
}

/**
 * Where each page leads: to those that were opened from it, then along its links.
 * @param {readonly MapPage[]} pages
 * @param {SiteMap["links"]} links
 */
function waysOf(pages, links) {
  /** @type {Map<number, number[]>} */
  const ways = new Map(pages.map((page) => [page.step, []]));
  for (const page of pages) ways.get(page.parent)?.push(page.step);
  for (const [from, to] of links) if (ways.has(to)) ways.get(from)?.push(to);
  return ways;
}
