// Words that only the style sheet says.

import { addRegion, isFull, isShown, placeOf } from "./regions.js";

const MOST_RULES = 6000;
const MOST_ELEMENTS = 30;
/** A word that is put before every note or link says nothing of its own. */
const MOST_ALIKE = 12;
const WORDS = /["'][^"']*[\p{L}\p{N}]|attr\(/u;
const BLOCKS = "p, li, td, th, dd, dt, div, h1, h2, h3, h4, section";
const LARGEST_BLOCK = 200;

/** @typedef {{rules: number, blocks: Set<Element>}} Progress rules that were read, blocks that were told of */

/** Finds elements before or after which the style sheets put words. */
export function findGeneratedText() {
  /** @type {Progress} */
  const progress = { rules: 0, blocks: new Set() };
  for (const sheet of document.styleSheets) {
    const rules = isForScreen(sheet.media) ? rulesOf(sheet) : null;
    if (rules) readRules(rules, progress);
  }
}

/**
 * @param {CSSStyleSheet} sheet
 * @returns {CSSRuleList | null} null where it is of another origin
 */
function rulesOf(sheet) {
  try {
    return sheet.cssRules;
  } catch {
    return null;
  }
}

/**
 * @param {CSSRuleList} rules
 * @param {Progress} progress
 */
function readRules(rules, progress) {
  for (const each of rules) {
    progress.rules += 1;
    if (progress.rules > MOST_RULES || isFull()) return;
    const rule = /** @type {CSSStyleRule} */ (each);
    if (rule.cssRules && rule.cssRules.length && !rule.selectorText) {
      if (isForScreen(/** @type {CSSMediaRule} */ (each).media)) readRules(rule.cssRules, progress);
    } else if (saysWords(rule)) addWords(rule, progress);
  }
}

/**
 * @param {MediaList | undefined} media undefined for rules that hold on any
 * @returns {boolean} whether the rules hold on the screen now: those for print put an address after every link
 */
function isForScreen(media) {
  return !media?.mediaText || matchMedia(media.mediaText).matches;
}

/**
 * @param {CSSStyleRule} rule
 * @returns {boolean}
 */
function saysWords({ selectorText, style }) {
  if (!selectorText || !/:(before|after)/.test(selectorText)) return false;
  const { content } = style;
  return WORDS.test(content) && !/counter|var\(/.test(content) && !/^["'][\ue000-\uf8ff]["']$/.test(content);
}

/**
 * @param {CSSStyleRule} rule
 * @param {Progress} progress
 */
function addWords({ selectorText, style }, { blocks }) {
  for (const selector of selectorText.split(",")) {
    if (!/::?(before|after)/.test(selector)) continue;
    const elements = elementsOf(selector.replace(/::?(before|after).*$/, "") || "*");
    if (elements.length > MOST_ALIKE && !/attr\(/.test(style.content)) continue;
    const side = /::?before/.test(selector) ? "::before" : "::after";
    for (const el of elements.slice(0, MOST_ELEMENTS)) if (showsWords(el, side)) addBlockOf(el, blocks);
  }
}

/**
 * @param {Element} el
 * @param {string} side
 * @returns {boolean} whether words stand there in the end: another rule may take them away
 */
function showsWords(el, side) {
  // Before code stands the name of its language, if anything.
  if (el.closest("pre, code")) return false;
  const { content, display, visibility } = getComputedStyle(el, side);
  return display !== "none" && visibility === "visible" && WORDS.test(content);
}

/**
 * @param {string} selector
 * @returns {Element[]} none where it is a part of one only
 */
function elementsOf(selector) {
  try {
    return [...document.body.querySelectorAll(selector)];
  } catch {
    return [];
  }
}

/**
 * The block around it is read whole: a digit alone tells nothing.
 * @param {Element} el
 * @param {Set<Element>} blocks that were told of
 */
function addBlockOf(el, blocks) {
  const box = placeOf(el);
  if (box.width < 2 || !isShown(el)) return;
  const block = el.closest(BLOCKS) ?? el;
  if (blocks.has(block)) return;
  blocks.add(block);
  const outer = placeOf(block);
  addRegion("generated", outer.height <= LARGEST_BLOCK ? outer : box, block);
}
