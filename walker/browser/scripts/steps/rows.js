// The links and rows that a page holds, and held: which are new, and which the page took away again.

import { allRoots } from "../shadow_roots.js";
import { containersOf, newHoldings, watchHoldings } from "./row_containers.js";

const ITEMS = "li, tr, article, div, a[href], [role=listitem], [role=row]";
const UNITS = "a[href], li, tr, article, [role=listitem], [role=row], [role=article]";
const MOST_CHILDREN = 60;
const MOST_CHARS = 4000;
const MARK_CHARS = 300;

/**
 * @typedef {object} Row
 * @property {Element} el
 * @property {string} html as it was when it was kept
 * @property {Set<Row>} outers whose html holds this row's
 * @property {boolean} isOutgrown whether the element held more later, and all of this
 */

/**
 * @typedef {object} Kept
 * @property {Map<string, Row>} rows by their marks
 * @property {import("./row_containers.js").Holdings} holdings
 */

/** @returns {Kept} */
export function newKept() {
  return { rows: new Map(), holdings: newHoldings() };
}

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
  const parent = /** @type {(Node & ParentNode) | null} */ (el.parentNode);
  if (!parent || parent.childElementCount <= 2 || el.localName !== "div") return false;
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
export function keepRows({ rows, holdings }) {
  /** @type {Map<Element, string>} */
  const units = new Map();
  for (const el of allItems()) if (isUnit(el)) units.set(el, markOf(el));
  /** @type {Map<Element, Row>} */
  const fresh = new Map();
  for (const [el, mark] of units) {
    if (mark.length < 2 || el.textContent.length > MOST_CHARS) continue;
    let row = rows.get(mark);
    if (!row) {
      row = { el, html: el.outerHTML, outers: new Set(), isOutgrown: false };
      rows.set(mark, row);
      fresh.set(el, row);
    }
    if (fresh.size) addOuters(row, el, fresh);
  }
  for (const mark of watchHoldings(holdings, units)) {
    const row = rows.get(mark);
    if (row) row.isOutgrown = true;
  }
}

/**
 * @param {Row} row
 * @param {Element} el where it stands now
 * @param {Map<Element, Row>} fresh rows whose html is that of now
 */
function addOuters(row, el, fresh) {
  for (let outer = el.parentElement; outer; outer = outer.parentElement) {
    const holder = fresh.get(outer);
    if (holder && holder !== row) row.outers.add(holder);
  }
}

/**
 * Puts rows that left meanwhile at the end of the body. Of what rows slid through only words of its own come back, and
 * its rows one by one; what only grew comes back where it said more than it says now.
 * @param {Kept} kept
 * @returns {number} how many were put back
 */
export function putBack(kept) {
  if (!kept.rows.size) return 0;
  // What is there now tells what only grew.
  keepRows(kept);
  const { rows, holdings } = kept;
  const present = new Set();
  for (const el of allItems()) present.add(markOf(el));
  const lost = [...rows].filter(([mark]) => !present.has(mark)).map(([, row]) => row);
  if (!lost.length) return 0;
  const containers = containersOf(holdings);
  const said = [document.body.textContent];
  /** @type {Map<Row, DocumentFragment>} */
  const pieces = new Map();
  /** @type {Set<Row>} */
  const whole = new Set();
  for (const row of lost) {
    const isContainer = containers.has(row.el);
    const own = isContainer || row.isOutgrown ? newWordsOf(row, said) : null;
    if (own && isContainer) pieces.set(row, own);
    else if (own || !(isContainer || row.isOutgrown)) {
      whole.add(row);
      pieces.set(row, parsed(row));
    }
  }
  // An outer row that is put back brings its inner ones along.
  for (const row of [...pieces.keys()]) if ([...row.outers].some((outer) => whole.has(outer))) pieces.delete(row);
  return append(pieces);
}

/**
 * @param {Map<Row, DocumentFragment>} pieces
 * @returns {number}
 */
function append(pieces) {
  if (!pieces.size) return 0;
  const box = document.createElement("div");
  box.setAttribute("data-walker-scrolled", String(pieces.size));
  const table = document.createElement("table");
  for (const [{ el }, piece] of pieces) (el.localName === "tr" ? table : box).append(piece);
  if (table.childNodes.length) box.append(table);
  document.body.append(box);
  return pieces.size;
}

/**
 * @param {Row} row
 * @returns {DocumentFragment}
 */
function parsed({ html }) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  return holder.content;
}

/**
 * @param {Row} row
 * @param {string[]} said texts; gets the new words
 * @returns {DocumentFragment | null} it without its inner rows, where it says what nothing said yet
 */
function newWordsOf(row, said) {
  const piece = parsed(row);
  const outer = piece.firstElementChild;
  for (const el of [...piece.querySelectorAll(ITEMS)].filter((one) => one !== outer && isUnit(one))) el.remove();
  for (const el of piece.querySelectorAll("script, style")) el.remove();
  let isNew = false;
  const texts = document.createTreeWalker(piece, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode.textContent?.trim() ?? "";
    if (!text || said.some((other) => other.includes(text))) continue;
    said.push(text);
    isNew = true;
  }
  return isNew ? piece : null;
}
