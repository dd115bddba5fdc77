// What would come of other thresholds: how many pages flip, what is saved, and which pages they are.

/** @import { Child, GateCase, Scenario } from "../types.d.ts" */

import { h } from "../elements/dom.js";
import { dim, empty, linkButton, pill, table } from "../elements/parts.js";
import { number, plural, shortUrl } from "../elements/words.js";

const MOST_FLIPS = 400;
const KINDS = { read: "", glance: "look", look: "look" };
/** Name of a column, and the class of its cells. */
const COLUMNS = [
  ["Step", ""],
  ["Page", ""],
  ["Decision", ""],
  ["Trust", "number"],
  ["Threshold", "number"],
];

/** @param {Scenario} found */
export function savedWords({ saved }) {
  if (saved > 0) return `${plural(saved, "picture")} saved`;
  return saved < 0 ? `${plural(-saved, "picture")} more` : "as many pictures as before";
}

/**
 * @param {Scenario} found
 * @param {(step: number) => void} onStep
 */
export function outcomeTiles(found, onStep) {
  const { flips, glances, glancesBefore, looks, looksBefore, leaves } = found;
  const leaving = leaves ? linkButton(`step ${leaves}`, () => onStep(leaves), "link huge") : "stays";
  return h(
    "div",
    { class: "tiles" },
    tile(number(flips.length), flips.length === 1 ? "page flips" : "pages flip"),
    tile(number(glances), `glances; ${number(glancesBefore)} as recorded`),
    tile(number(looks), `looks of a vision model; ${number(looksBefore)} as recorded`),
    savedTile(found),
    tile(leaving, leaves ? "is where the walk would leave its recording" : "the walk would not leave its recording"),
  );
}

/** @param {Scenario} found */
function savedTile({ saved }) {
  if (saved > 0) return tile(`−${number(saved)}`, "pictures saved", "good");
  if (saved < 0) return tile(`+${number(-saved)}`, "more pictures", "warn");
  return tile("0", "pictures more or less");
}

/**
 * @param {Child} value
 * @param {string} words
 */
function tile(value, words, kind = "") {
  return h("div", { class: `tile ${kind}` }, h("b", { class: "huge" }, value), dim(words));
}

/**
 * @param {Scenario} found
 * @param {(flip: GateCase) => number} limitOf
 * @param {(step: number) => void} onStep
 */
export function flipsTable({ flips, leaves }, limitOf, onStep) {
  if (!flips.length) return empty("No page flips.");
  const head = COLUMNS.map(([name, kind]) => h("th", { scope: "col", class: kind }, name));
  const body = flips.slice(0, MOST_FLIPS).map((flip) => flipRow(flip, limitOf(flip), flip.step === leaves, onStep));
  const left = flips.length - body.length;
  const listed = table("Pages that flip", { class: "plain flips", head, body });
  return h("div", { class: "wide" }, listed, left ? empty(`and ${number(left)} more`) : null);
}

/**
 * @param {Scenario["flips"][number]} flip
 * @param {number} limit
 * @param {boolean} leaves
 * @param {(step: number) => void} onStep
 */
function flipRow({ step, title, url, was, becomes, trust }, limit, leaves, onStep) {
  const leaving = leaves ? h("span", { class: "dim block small" }, "leaves the recording here") : null;
  return h(
    "tr",
    {},
    h(
      "td",
      {},
      linkButton(String(step), () => onStep(step)),
    ),
    h("th", { scope: "row" }, title || shortUrl(url), leaving),
    h("td", {}, pill(was, KINDS[was]), " → ", pill(becomes, KINDS[becomes])),
    h("td", { class: "number" }, trust.toFixed(1)),
    h("td", { class: "number" }, limit.toFixed(1)),
  );
}
