// Tells text from its background: WCAG 2.1 contrast of what is drawn.

import { round2 } from "../geometry.js";

/**
 * The style of an element, with two of its properties that are asked for again and again: a style is computed anew with
 * each of its properties that is read.
 * @typedef {{style: CSSStyleDeclaration, position: string, image: string}} Look
 */
/** @typedef {number[]} Colour red, green and blue, 0..255, and alpha, 0..1, where it may be less than 1 */

/** @type {Map<Element, Look>} */
const looks = new Map();
/** @type {Map<string, Colour>} */
const colours = new Map();
/** @type {Map<Element, Colour | null>} */
const backgrounds = new Map();
/** @type {Map<Colour, Map<string, number>>} */
const contrasts = new Map();

/**
 * @param {Element} el
 * @returns {Look} worked out once
 */
export function lookOf(el) {
  let look = looks.get(el);
  if (!look) {
    const style = getComputedStyle(el);
    look = { style, position: style.position, image: style.backgroundImage };
    looks.set(el, look);
  }
  return look;
}

/**
 * @param {Look} look
 * @returns {boolean} whether it hides what is under it
 */
export function paints({ style, image }) {
  return colourOf(style.backgroundColor)[3] > 0.5 || image !== "none";
}

/**
 * @param {Element} el
 * @param {Look} look
 * @returns {number} 1..21, 0 on a picture
 */
export function contrastOf(el, { style }) {
  const background = backgroundOf(el);
  if (!background) return 0;
  // What letters are filled with: their colour, unless the page says otherwise.
  const fill = style.webkitTextFillColor;
  if (fill === "rgba(0, 0, 0, 0)") return 0;
  let known = contrasts.get(background);
  if (!known) contrasts.set(background, (known = new Map()));
  let contrast = known.get(fill);
  if (contrast === undefined) {
    contrast = contrastBetween(colourOf(fill), background);
    known.set(fill, contrast);
  }
  return contrast;
}

/**
 * @param {string} text as styles are computed
 * @returns {Colour} with its alpha
 */
function colourOf(text) {
  let colour = colours.get(text);
  if (colour === undefined) {
    const found = text.match(/[\d.]+/g);
    colour = found ? [Number(found[0]), Number(found[1]), Number(found[2]), Number(found[3] ?? 1)] : [0, 0, 0, 0];
    colours.set(text, colour);
  }
  return colour;
}

/**
 * @param {Element | null} el
 * @returns {Colour | null} the colour behind what stands in an element, null where it is a picture
 */
function backgroundOf(el) {
  if (!el) return [255, 255, 255];
  let background = backgrounds.get(el);
  if (background !== undefined) return background;
  const look = lookOf(el);
  if (look.image !== "none") background = null;
  else {
    const colour = colourOf(look.style.backgroundColor);
    background = colour[3] > 0.98 ? colour : over(colour, backgroundOf(aboveOf(el)));
  }
  backgrounds.set(el, background);
  return background;
}

/**
 * @param {Element} el
 * @returns {Element | null} what it stands in, out of a shadow root too
 */
function aboveOf(el) {
  return el.parentElement ?? /** @type {ShadowRoot} */ (el.getRootNode()).host ?? null;
}

/**
 * @param {Colour} colour
 * @param {Colour | null} under
 * @returns {Colour | null} a colour on what is under it
 */
function over(colour, under) {
  if (!under || !(colour[3] > 0)) return under;
  return mixed(colour, under);
}

/**
 * @param {Colour} colour
 * @param {Colour} under
 * @returns {Colour}
 */
function mixed(colour, under) {
  const alpha = colour[3];
  return colour.slice(0, 3).map((value, channel) => value * alpha + under[channel] * (1 - alpha));
}

/**
 * @param {Colour} colour
 * @returns {number} relative luminance, 0..1
 */
function luminance(colour) {
  const [red, green, blue] = colour.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * @param {Colour} colour
 * @param {Colour} background
 * @returns {number}
 */
function contrastBetween(colour, background) {
  const one = luminance(mixed(colour, background));
  const other = luminance(background);
  return round2((Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05));
}
