// Pictures without words, and controls without a name.

import { addDescribed, addRegion, attributeName, firstElements, isShown, placeOf, squeezed } from "./regions.js";

/** @typedef {import("./regions.js").Picture} Picture */
/** @typedef {import("./regions.js").Box} Box */

const LEAST_AREA = 1500;
const LARGEST_ICON = 64;
const CONTROLS =
  "button, a[href], area, summary, [onclick], input[type=image], " +
  "[role=button], [role=link], [role=tab], [role=menuitem]";
const NAMED_INSIDE = 'img[alt]:not([alt=""]), [aria-label], [title], title';
const DECORATION = "[aria-hidden=true], [role=presentation], [role=none]";
/** Letters of a private plane are a font's icons, not words. */
const ICON_LETTERS = /[\ue000-\uf8ff]/g;

/** @param {Picture[]} pictures */
export function findPictures(pictures) {
  for (const picture of pictures) {
    const { el, box } = picture;
    if (box.width * box.height < LEAST_AREA || isIcon(el, box) || isBroken(el)) continue;
    const caption = squeezed(el.closest("figure")?.querySelector("figcaption")?.textContent ?? "");
    if (picture.name || caption) addDescribed(box, el, squeezed(`${picture.name} ${caption}`));
    else if (hasWords(el)) continue;
    else addRegion("media", box, el, el.getAttribute("alt") === "" || el.closest(DECORATION) !== null);
  }
}

/**
 * @param {Element} el
 * @param {Box} box
 * @returns {boolean} whether it is the icon of something to press
 */
function isIcon(el, box) {
  return box.width < LARGEST_ICON && box.height < LARGEST_ICON && el.closest("a, button, [role=button]") !== null;
}

/**
 * @param {Element} el
 * @returns {boolean} whether it is a picture whose file did not come, or is no picture: what stands for it
 *   shows nothing
 */
function isBroken(el) {
  return el instanceof HTMLImageElement && el.complete && el.currentSrc !== "" && el.naturalWidth === 0;
}

/**
 * @param {Element} el
 * @returns {boolean} whether words are drawn in it
 */
function hasWords(el) {
  if (el.localName === "svg" && el.querySelector("text")) return true;
  return el.localName === "canvas" && squeezed(el.textContent) !== "";
}

/** Finds what can be pressed and has no name. */
export function findNamelessControls() {
  for (const el of firstElements(CONTROLS)) {
    if (el.localName === "area" || isAnchor(el) || hasName(el) || el.querySelector(NAMED_INSIDE)) continue;
    const box = placeOf(el);
    if (box.width < 10 || box.height < 10 || !isShown(el) || hasGeneratedWords(el)) continue;
    // A button cut from a larger picture may hold words.
    const hasPicture = getComputedStyle(el).backgroundImage.includes("url(") && box.width >= 48 && box.height >= 24;
    addRegion(hasPicture ? "media" : "control", box, el);
  }
}

/**
 * @param {Element} el
 * @returns {boolean} whether it links to a place of this page, as the signs beside headings do
 */
function isAnchor(el) {
  return /^#./.test(el.getAttribute("href") ?? "");
}

/**
 * @param {Element} el
 * @returns {boolean}
 */
function hasName(el) {
  if (attributeName(el)) return true;
  const { value, alt } = /** @type {HTMLInputElement} */ (el);
  if (el.localName === "input" && (value || alt)) return true;
  return /\S/.test(el.textContent.replace(ICON_LETTERS, ""));
}

/**
 * @param {Element} el
 * @returns {boolean} whether the style sheet puts words before or after it
 */
function hasGeneratedWords(el) {
  return ["::before", "::after"].some((side) =>
    /["'][^"']*[\p{L}\p{N}]/u.test(getComputedStyle(el, side).content.replace(ICON_LETTERS, "")),
  );
}

/** Finds pictures with areas to press that have no name. */
export function findImageMaps() {
  if (!document.querySelector('map area:not([alt]), map area[alt=""]')) return;
  for (const picture of document.querySelectorAll("img[usemap]"))
    if (isShown(picture)) addRegion("control", placeOf(picture), picture);
}
