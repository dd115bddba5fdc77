// Runs by what became of them, and the words that they are searched by.

/** @import { Summary } from "../types.d.ts" */

import { wordsOf } from "../elements/words.js";
import { stateKind, stateWord } from "../record/run_states.js";

/** @type {readonly { name: string; label: string; keeps: (run: Summary) => boolean }[]} */
const GROUPS = [
  { name: "all", label: "All", keeps: () => true },
  { name: "answered", label: "Answered", keeps: (run) => stateKind(run) === "good" },
  { name: "open", label: "Not answered", keeps: (run) => run.state === "ended" && stateKind(run) !== "good" },
  {
    name: "broken",
    label: "Failed or cut off",
    keeps: (run) => ["failed", "cut off", "unreadable"].includes(run.state),
  },
  { name: "live", label: "Live", keeps: (run) => run.state === "live" },
];

/**
 * Groups that hold a run.
 * @param {readonly Summary[]} runs
 */
export function groupsOf(runs) {
  return GROUPS.filter(({ name, keeps }) => name === "all" || runs.some(keeps));
}

/**
 * Runs that hold every word.
 * @param {readonly Summary[]} runs
 * @param {string} text
 */
export function runsWith(runs, text) {
  const words = wordsOf(text);
  return runs.filter((run) => words.every((word) => textOf(run).includes(word)));
}

/** @param {Summary} run */
function textOf(run) {
  return `${run.question} ${run.answer} ${run.root_url} ${run.id} ${run.model} ${stateWord(run)}`.toLowerCase();
}
