// Quotes within texts: found however the white space falls, and marked.

/** @import { Quote } from "../types.d.ts" */

import { h } from "./dom.js";

const MOST_PLACES = 20;

/** @typedef {[number, number, Quote["kind"]]} MarkedPlace start, end and kind */

/**
 * Places of the quotes in a text, in order, none within another.
 * @param {string} text
 * @param {readonly Quote[]} quotes
 */
export function placesOf(text, quotes) {
  const { squeezed, places } = squeeze(text);
  /** @type {MarkedPlace[]} */
  const found = [];
  for (const { words, kind } of quotes) {
    for (const part of partsOf(words, squeezed)) {
      let at = squeezed.indexOf(part);
      for (let times = 0; at >= 0 && times < MOST_PLACES; times += 1) {
        found.push([places[at], places[at + part.length - 1] + 1, kind]);
        at = squeezed.indexOf(part, at + part.length);
      }
    }
  }
  found.sort((one, other) => one[0] - other[0] || other[1] - one[1]);
  /** @type {MarkedPlace[]} */
  const apart = [];
  for (const place of found) if (place[0] >= (apart.at(-1)?.[1] ?? 0)) apart.push(place);
  return apart;
}

/**
 * A quote of a table's row may stand there cell by cell.
 * @param {string} words
 * @param {string} text
 */
function partsOf(words, text) {
  const cells = words.split(" | ");
  return (cells.length > 1 && !text.includes(words) ? cells : [words]).filter((part) => part.length >= 2);
}

/**
 * A text with its quotes marked.
 * @param {string} text
 * @param {readonly Quote[]} quotes
 */
export function marked(text, quotes) {
  const parts = [];
  let at = 0;
  for (const [start, end, kind] of placesOf(text, quotes)) {
    parts.push(text.slice(at, start), h("mark", { class: kind }, text.slice(start, end)));
    at = end;
  }
  parts.push(text.slice(at));
  return parts.filter((part) => part !== "");
}

/**
 * The text with each run of white space as one space, and where each of its characters stands in the text as it was.
 * @param {string} text
 */
function squeeze(text) {
  let squeezed = "";
  const places = [];
  let gap = true;
  for (let at = 0; at < text.length; at += 1) {
    const isSpace = /\s/.test(text[at]);
    if (isSpace && gap) continue;
    squeezed += isSpace ? " " : text[at];
    places.push(at);
    gap = isSpace;
  }
  return { squeezed, places };
}
