// What keys do on the page of a run.

/** @import { Row } from "../types.d.ts" */

import { h } from "../elements/dom.js";

/** Keys, and what they do. @type {readonly [string[], string][]} */
const HELP = [
  [["j", "↓"], "next step"],
  [["k", "↑"], "previous step"],
  [["←"], "the page below on the stack"],
  [["→"], "the first page opened from here"],
  [["Home", "End"], "first and last step"],
  [["e"], "next error"],
  [["1", "2", "3", "4"], "picture, page, text, state"],
  [["/"], "search the steps"],
  [["s"], "search all texts"],
  [["g"], "back to the runs"],
  [["?"], "this"],
];

/**
 * @typedef {object} Around
 * @property {readonly Row[]} rows of the run
 * @property {readonly Row[]} listed those that are gone through
 * @property {number | null} chosen
 */

/** The row that a key leads to. @type {Record<string, (around: Around) => Row | undefined>} */
const LEADS_TO = {
  j: (around) => neighbour(around, 1),
  ArrowDown: (around) => neighbour(around, 1),
  k: (around) => neighbour(around, -1),
  ArrowUp: (around) => neighbour(around, -1),
  Home: ({ listed }) => listed.at(0),
  End: ({ listed }) => listed.at(-1),
  ArrowLeft: ({ rows, chosen }) => {
    const parent = rows.find((row) => row.step === chosen)?.parent;
    return rows.find((row) => row.step === parent);
  },
  ArrowRight: ({ rows, chosen }) => rows.find((row) => row.parent === chosen),
  e: nextError,
};

/**
 * Whether the key goes to another step, and to which, if there is one.
 * @param {string} key
 * @param {Around} around
 */
export function stepOfKey(key, around) {
  return Object.hasOwn(LEADS_TO, key) ? { row: LEADS_TO[key](around) } : null;
}

/**
 * @param {Around} around
 * @param {1 | -1} by
 */
function neighbour({ listed, chosen }, by) {
  const at = listed.findIndex((row) => row.step === chosen);
  return at < 0 ? listed[0] : listed[at + by];
}

/** @param {Around} around */
function nextError({ rows, chosen }) {
  const at = rows.findIndex((row) => row.step === chosen);
  const inOrder = [...rows.slice(at + 1), ...rows];
  return inOrder.find((row) => row.errors || row.outcome === "failed" || row.outcome === "error");
}

export function showHelp() {
  const button = h("button", { class: "plain" }, "Close");
  const keys = HELP.map(([names, words]) => {
    const caps = names.map((name) => h("kbd", {}, name));
    return [h("dt", {}, caps), h("dd", {}, words)];
  });
  const dialog = h(
    "dialog",
    { class: "help", "aria-label": "Keyboard shortcuts" },
    h("h2", {}, "Keyboard"),
    h("dl", { class: "facts" }, keys),
    h("form", { method: "dialog" }, button),
  );
  dialog.addEventListener("close", () => dialog.remove());
  button.addEventListener("click", (event) => {
    event.preventDefault();
    dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
}
