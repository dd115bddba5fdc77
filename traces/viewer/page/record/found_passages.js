// Passages that hold certain words, found as the server finds them: every word within a text, the whole phrase shown where it stands
// there.

/** @import { Hit, Hits, Passage } from "../types.d.ts" */

import { wordsOf } from "../elements/words.js";

const MOST_HITS = 300;
/** Characters that are shown on each side of a hit. */
export const LEAD = 60;

/** @type {WeakMap<Passage, string>} */
const kept = new WeakMap();

/**
 * @param {readonly Passage[]} passages
 * @param {string} text
 * @returns {Hits}
 */
export function found(passages, text) {
  const words = wordsOf(text);
  const phrase = words.join(" ");
  const all = words.length ? passages.filter((one) => words.every((word) => lowered(one).includes(word))) : [];
  const hits = all
    .slice(0, MOST_HITS)
    .map((passage) => hitIn(passage, lowered(passage).includes(phrase) ? phrase : words[0]));
  return { hits, found: all.length, read_steps: 0, is_done: true, is_cut: false };
}

/** @param {Passage} passage */
function lowered(passage) {
  const text = kept.get(passage) ?? passage[3].toLowerCase();
  kept.set(passage, text);
  return text;
}

/**
 * @param {Passage} passage
 * @param {string} words
 * @returns {Hit}
 */
function hitIn(passage, words) {
  const [step, kind, seq, text] = passage;
  const start = Math.min(lowered(passage).indexOf(words), text.length);
  const end = start + words.length;
  return [
    step,
    kind,
    seq,
    text.slice(Math.max(0, start - LEAD), start),
    text.slice(start, end),
    text.slice(end, end + LEAD),
  ];
}
