// The list of what the text of a page does not carry, each with the words and the heading that it stands by.

import { wellFormed } from "../well_formed.js";
import { nameOfCard } from "./card_names.js";
import { evennessOf } from "./evenness.js";

/** @typedef {{x: number, y: number, width: number, height: number}} Box in CSS pixels of the page */
/** @typedef {{el: Element, box: Box, name: string}} Picture */
/**
 * As `perception.snapshot.BlindRegion`.
 * @typedef {object} Region
 * @property {string} kind
 * @property {Box} box
 * @property {string} near words that it stands by
 * @property {string} heading over it
 * @property {boolean} declared the page says that it is decoration
 * @property {number} value share of a bar's width
 * @property {number} detail pixels of a picture for one of its box
 * @property {string} source address of a picture's file
 * @property {string} name what the page calls a picture
 * @property {string} place part of the page that a picture or a control stands in
 * @property {string} marks class and id of a picture and of what is around it
 * @property {boolean} linked a picture leads to another page
 * @property {number} even share of equal pixels side by side in a picture
 */

const MOST_REGIONS = 80;
/** Elements of one kind that are looked at. */
const MOST_LOOKED_AT = 1500;
const MOST_HEADINGS = 300;
const HEADING_CHARS = 120;
const NEAR_CHARS = 160;
const NEAR_LEVELS = 5;
const FINE_DETAIL = 1.3;
const HEADINGS = "h1, h2, h3, h4, h5, h6, caption, legend";

const NAME_CHARS = 200;
const SOURCE_CHARS = 500;
const MARKS_CHARS = 80;
const MARKS_LEVELS = 2;
const PLACES = {
  nav: "nav, [role=navigation]",
  footer: "footer, [role=contentinfo]",
  aside: "aside, [role=complementary]",
  header: "header, [role=banner]",
};
/** A header or footer in one of these is a part of the text. */
const PARTS_OF_TEXT = "article, main, section, blockquote, [role=main]";
const PICTURE_FILE = /\.(png|jpe?g|gif|webp|svg|avif|bmp)([?#]|$)/i;

/** @type {Region[]} */
export const regions = [];
/** @type {Region[]} pictures that the page has words for */
export const described = [];
/** @type {[y: number, text: string][] | null} */
let headings = null;

/**
 * @param {string} kind
 * @param {Box} box
 * @param {Element} el whose words it stands by
 * @param {boolean} [declared]
 * @param {number} [value]
 */
export function addRegion(kind, box, el, declared = false, value = 0) {
  if (isFull() || !(box.width > 0 && box.height > 0)) return;
  regions.push({ ...factsOf(kind, box, el), declared, value });
}

/**
 * @param {Box} box
 * @param {Element} el
 * @param {string} name
 */
export function addDescribed(box, el, name) {
  if (described.length >= MOST_REGIONS || !(box.width > 0 && box.height > 0)) return;
  const called = wellFormed(name.slice(0, NAME_CHARS));
  described.push({ ...factsOf("media", box, el), name: called, declared: false, value: 0 });
}

/**
 * @param {string} kind
 * @param {Box} box
 * @param {Element} el
 * @returns {Omit<Region, "declared" | "value">}
 */
function factsOf(kind, box, el) {
  const near = kind === "media" ? wordsBeside(el) : wordsNear(el);
  // Of cards side by side the last heading above is that of another card.
  const heading = (kind === "media" ? nameOfCard(el) : null) ?? headingOver(box);
  const words = { near: wellFormed(near), heading: wellFormed(heading) };
  const place = kind === "media" || kind === "control" ? partOf(el) : "main";
  const facts = { kind, box, ...words, place, name: "" };
  if (kind !== "media") return { ...facts, detail: 0, source: "", marks: "", linked: false, even: 0 };
  return {
    ...facts,
    detail: detailOf(/** @type {HTMLImageElement} */ (el)),
    source: wellFormed(sourceOf(el)),
    marks: wellFormed(marksOf(el)),
    linked: leadsElsewhere(el),
    even: evennessOf(/** @type {HTMLImageElement} */ (el), box),
  };
}

/**
 * @param {Element} el
 * @returns {string} the address of its file, "" for what is drawn in the page
 */
function sourceOf(el) {
  const { currentSrc, src, data } = /** @type {any} */ (el);
  const background = /url\("([^"]+)"\)/.exec(getComputedStyle(el).backgroundImage)?.[1];
  const source = [currentSrc, src, data, background].find((each) => typeof each === "string" && each) ?? "";
  return /^(data|blob):/.test(source) || source.length > SOURCE_CHARS ? "" : source;
}

/**
 * @param {Element} el
 * @returns {string} the part of the page that it stands in
 */
function partOf(el) {
  for (const [place, selector] of Object.entries(PLACES)) {
    const part = el.closest(selector);
    if (part && (place === "nav" || place === "aside" || !part.parentElement?.closest(PARTS_OF_TEXT))) return place;
  }
  return "main";
}

/**
 * @param {Element} el
 * @returns {string} class and id of it and of what is close around it
 */
function marksOf(el) {
  const words = [];
  /** @type {Element | null} */
  let at = el;
  for (let up = 0; at && at !== document.body && up <= MARKS_LEVELS; up += 1, at = at.parentElement)
    words.push(at.getAttribute("class") ?? "", at.id);
  return squeezed(words.join(" ")).slice(0, MARKS_CHARS);
}

/**
 * @param {Element} el
 * @returns {boolean} whether it stands in a link to a page, and not to the same picture
 */
function leadsElsewhere(el) {
  const href = el.parentElement?.closest("a[href]")?.getAttribute("href") ?? "";
  return href !== "" && !href.startsWith("#") && !PICTURE_FILE.test(href);
}

/** @returns {boolean} whether no more regions are taken */
export function isFull() {
  return regions.length >= MOST_REGIONS;
}

/**
 * @param {string} selector
 * @returns {Element[]} the first of the body's elements that it finds, as many as are looked at
 */
export function firstElements(selector) {
  return Array.prototype.slice.call(document.body.querySelectorAll(selector), 0, MOST_LOOKED_AT);
}

/**
 * @param {string} text
 * @returns {string}
 */
export function squeezed(text) {
  return text.replace(/\s+/g, " ").trim();
}

/**
 * @param {Element} el
 * @returns {Box}
 */
export function placeOf(el) {
  const { x, y, width, height } = el.getBoundingClientRect();
  return { x: x + scrollX, y: y + scrollY, width, height };
}

/**
 * @param {Element} el
 * @returns {boolean}
 */
export function isShown(el) {
  return el.checkVisibility({ visibilityProperty: true, opacityProperty: true });
}

/**
 * @param {CSSStyleDeclaration} style
 * @returns {boolean}
 */
export function isPainted(style) {
  return style.backgroundImage !== "none" || !/rgba\(.*, 0\)|transparent/.test(style.backgroundColor);
}

/**
 * @param {Element} el
 * @returns {string} what its attributes call it
 */
export function attributeName(el) {
  const written = el.getAttribute("aria-label") || el.getAttribute("title") || el.getAttribute("alt");
  if (written) return written;
  const ids = (el.getAttribute("aria-labelledby") ?? "").split(/\s+/);
  return ids.map((id) => (id && document.getElementById(id)?.textContent) || "").join(" ");
}

/**
 * @param {Element} el
 * @returns {string} the words of the nearest element around it that has any
 */
export function wordsNear(el) {
  /** @type {Element | null} */
  let at = el;
  for (let up = 0; at && at !== document.body && up < NEAR_LEVELS; up += 1) {
    if (/\S/.test(at.textContent)) {
      const text = squeezed(/** @type {HTMLElement} */ (at).innerText ?? "");
      if (/[\p{L}\p{N}]{2}/u.test(text)) return text.slice(0, NEAR_CHARS);
    }
    at = at.parentElement;
  }
  return "";
}

/**
 * A picture that stands by itself in a text belongs to the words beside it, not to the first ones of the text.
 * @param {Element} el
 * @returns {string} the words of the nearest element around a picture; of a long one those beside the picture
 */
function wordsBeside(el) {
  let inner = el;
  for (let up = 0; up < NEAR_LEVELS; up += 1) {
    const around = inner.parentElement;
    if (!around || around === document.body || /[\p{L}\p{N}]{2}/u.test(around.textContent)) break;
    inner = around;
  }
  if (squeezed(inner.parentElement?.textContent ?? "").length <= NEAR_CHARS) return wordsNear(el);
  const half = NEAR_CHARS / 2;
  const before = textOf(inner.previousElementSibling).slice(-half);
  const after = textOf(inner.nextElementSibling).slice(0, half);
  return squeezed(`${before} ${after}`) || wordsNear(el);
}

/**
 * @param {Element | null} el
 * @returns {string} its text where it is shown
 */
function textOf(el) {
  return el && isShown(el) ? squeezed(/** @type {HTMLElement} */ (el).innerText ?? "") : "";
}

/**
 * @param {Box} box
 * @returns {string} the last heading in the document that is not below it, of those before one that is
 */
function headingOver(box) {
  headings ??= [...document.querySelectorAll(HEADINGS)]
    .slice(0, MOST_HEADINGS)
    .map((el) => [placeOf(el).y, squeezed(el.textContent).slice(0, HEADING_CHARS)]);
  let best = "";
  for (const [y, text] of headings) {
    if (y > box.y + 4) break;
    best = text;
  }
  return best;
}

/**
 * @param {HTMLImageElement} el
 * @returns {number} pixels of a picture for one of its box, 0 where that is nothing to speak of
 */
function detailOf(el) {
  const detail = el.localName === "img" && el.clientWidth ? el.naturalWidth / el.clientWidth : 0;
  return detail >= FINE_DETAIL ? Math.round(10 * detail) / 10 : 0;
}
