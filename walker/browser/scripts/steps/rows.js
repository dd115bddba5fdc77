// The links and rows that a page holds, and held: which are new, and which the page took away again.

import { allRoots } from "../shadow_roots.js";

const ITEMS = "li, tr, article, div, a[href], [role=listitem], [role=row]";
const UNITS = "a[href], li, tr, article, [role=listitem], [role=row], [role=article]";
const MOST_CHILDREN = 60;
const MOST_CHARS = 4000;
const MARK_CHARS = 300;

/** @typedef {Map<string, {isTableRow: boolean, html: string}>} Kept rows by their marks */

/**
 * A list that only repeats itself brings no new mark.
 * @param {Element} el
 * @returns {string} what it leads to and says
 */
function markOf(el) {
  return `${el.getAttribute("href") ?? ""}|${el.textContent.trim().replace(/\s+/g, " ").slice(0, MARK_CHARS)}`;
}

/**
 * @param {Element} el
 * @returns {boolean} whether it is a link or a row of a list, and no part of the page as a whole
 */
function isUnit(el) {
  if (el.childElementCount > MOST_CHILDREN) return false;
  if (el.matches(UNITS)) return true;
  const { parentElement } = el;
  if (!parentElement || parentElement.childElementCount <= 2 || el.localName !== "div") return false;
  return el.textContent.trim().length > 0;
}

/** @returns {Element[]} what may be links and rows, in shadow roots too */
function allItems() {
  return allRoots().flatMap((root) => [...root.querySelectorAll(ITEMS)]);
}

/**
 * @param {Set<string>} seen marks; gets those of the page
 * @returns {number} links and rows that were not seen before
 */
export function countNew(seen) {
  const before = seen.size;
  for (const el of allItems()) if (isUnit(el)) seen.add(markOf(el));
  return seen.size - before;
}

/**
 * Keeps the rows that are there. Virtual lists take rows away, or write other words into them: what was shown is kept
 * by what it said.
 * @param {Kept} kept
 */
export function keepRows(kept) {
  for (const el of allItems()) {
    if (!isUnit(el) || el.textContent.length > MOST_CHARS) continue;
    const mark = markOf(el);
    if (mark.length >= 2 && !kept.has(mark)) kept.set(mark, { isTableRow: el.localName === "tr", html: el.outerHTML });
  }
}

/**
 * Puts rows that left meanwhile at the end of the body.
 * @param {Kept} kept
 * @returns {number} how many there were
 */
export function putBack(kept) {
  const present = new Set();
  for (const el of allItems()) present.add(markOf(el));
  const lost = [...kept].filter(([mark]) => !present.has(mark)).map(([, row]) => row);
  if (!lost.length) return 0;
  const box = document.createElement("div");
  box.setAttribute("data-walker-scrolled", String(lost.length));
  const table = document.createElement("table");
  for (const { isTableRow, html } of lost) {
    // An outer row that is kept brings its inner ones along.
    if (lost.some((other) => other.html.length > html.length && other.html.includes(html))) continue;
    const holder = document.createElement("template");
    holder.innerHTML = html;
    (isTableRow ? table : box).append(holder.content);
  }
  if (table.childNodes.length) box.append(table);
  document.body.append(box);
  return lost.length;
}
