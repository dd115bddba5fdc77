// Marks without text: bars whose width speaks, and groups whose members differ in colour alone.

import { boxAround } from "../geometry.js";
import { addRegion, attributeName, firstElements, isPainted, isShown, placeOf, wordsNear } from "./regions.js";

/** @typedef {import("./regions.js").Box} Box */
/** @typedef {{el: Element, box: Box, colour: string}} Mark */

const EMPTY = "span:empty, i:empty, b:empty, em:empty, div:empty, td:empty, li:empty, rect, circle, a:empty, p:empty";
const MOST_MARKS_ALONE = 30;
const CELLS = "td, [class*=cell], [class*=day], [class*=slot], [class*=seat]";
const MOST_CELLS = 600;
const LEAST_CELLS = 8;
const CELL_CHARS = 3;

/** Finds bars, groups of marks, and pictures behind empty elements. */
export function findMarks() {
  /** @type {Map<string, Mark[]>} */
  const groups = new Map();
  for (const el of firstElements(EMPTY)) {
    if (attributeName(el)) continue;
    const box = placeOf(el);
    if (box.width < 3 || box.height < 3 || box.height > 400) continue;
    if (/** @type {SVGElement} */ (el).ownerSVGElement) findShape(groups, /** @type {SVGElement} */ (el), box);
    else findBlock(groups, /** @type {HTMLElement} */ (el), box);
  }
  for (const marks of groups.values()) addGroup(marks);
}

/**
 * @param {Map<string, Mark[]>} groups
 * @param {SVGElement} el
 * @param {Box} box
 */
function findShape(groups, el, box) {
  if (!el.ownerSVGElement?.querySelector("text") && isShown(el))
    addMark(groups, { el, box, colour: getComputedStyle(el).fill });
}

/**
 * @param {Map<string, Mark[]>} groups
 * @param {HTMLElement} el
 * @param {Box} box
 */
function findBlock(groups, el, box) {
  const style = getComputedStyle(el);
  const isLarge = box.width >= 32 && box.height >= 16;
  if (style.backgroundImage.includes("url(") && isLarge && isShown(el) && !el.closest("a, button")) {
    addRegion("media", box, el, el.closest("[aria-hidden=true]") !== null);
    return;
  }
  if (!isPainted(style) || !isShown(el)) return;
  addMark(groups, { el, box, colour: style.backgroundColor });
  findBar(el, box);
}

/**
 * Marks are of one group that look alike in the markup: tag and class, of their own and of their parents.
 * @param {Map<string, Mark[]>} groups
 * @param {Mark} mark
 */
function addMark(groups, mark) {
  const { el } = mark;
  const parent = el.parentElement;
  const own = `${el.localName}.${el.classList[0] ?? ""}`;
  const key = `${own}/${parent?.localName ?? ""}.${parent?.classList?.[0] ?? ""}`;
  const group = groups.get(key);
  if (group) group.push(mark);
  else groups.set(key, [mark]);
}

/**
 * @param {HTMLElement} el
 * @param {Box} box
 */
function findBar(el, box) {
  const parent = el.parentElement;
  if (!parent || /\S/.test(parent.textContent)) return;
  const outer = placeOf(parent);
  const isPart = box.width < outer.width - 2 && box.height >= outer.height * 0.5;
  if (!isPart || outer.width > 600 || outer.height > 60) return;
  if (!/%/.test(el.style.width) && !isPainted(getComputedStyle(parent))) return;
  const share = Math.round((1000 * box.width) / outer.width) / 1000;
  addRegion("width", outer, parent.parentElement ?? parent, false, share);
}

/**
 * Marks side by side speak as a chart; each by itself where it has words of its own beside it.
 * @param {Mark[]} marks
 */
function addGroup(marks) {
  if (marks.length < 2 || new Set(marks.map((mark) => mark.colour)).size < 2) return;
  const words = marks.map((mark) => wordsNear(mark.el));
  if (words.every((each) => each.length > 0) && new Set(words).size > 1) {
    for (const { el, box } of marks.slice(0, MOST_MARKS_ALONE)) addRegion("colour", box, el);
  } else addRegion("colour", boxAround(marks.map((mark) => mark.box)), marks[0].el);
}

/** Finds cells that say next to nothing, in several colours. */
export function findColouredCells() {
  const cells = [...document.body.querySelectorAll(CELLS)]
    .slice(0, MOST_CELLS)
    .filter((el) => !el.firstElementChild && el.textContent.trim().length <= CELL_CHARS);
  if (cells.length < LEAST_CELLS) return;
  const colours = cells.map((el) => getComputedStyle(el).backgroundColor);
  const rows = cells.map((el) => el.parentElement);
  const isStriped = rows.every((row, i) => i === 0 || row !== rows[i - 1] || colours[i] === colours[i - 1]);
  if (new Set(colours).size < 2 || isStriped) return;
  addRegion("colour", boxAround(cells.map(placeOf)), cells[0].closest("table, div, ul") ?? cells[0]);
}
