// What was known of a page, laid over its picture: elements, marks, rectangles that text does not carry, what was read there, and the
// crops that were looked at.

/** @import { Box, Observation, Picture, StepDetail, View, ViewElement } from "../types.d.ts" */

import { h, put, s } from "../elements/dom.js";
import { dim } from "../elements/parts.js";
import { percent, squeezed } from "../elements/words.js";
import { cropsOf, looksOf } from "../record/step_pages.js";
import { quotesOf } from "../record/step_quotes.js";
import { list } from "../record/values.js";

/** @typedef {"elements" | "marks" | "blind" | "regions" | "seen" | "quotes" | "answer"} LayerName */

/** @type {readonly { name: LayerName; label: string; title: string }[]} */
const LAYERS = [
  { name: "elements", label: "Elements", title: "Everything to press or read" },
  { name: "marks", label: "Numbers", title: "The number of each element, as a model is shown it" },
  { name: "blind", label: "Not in the text", title: "Rectangles that carry meaning which the text does not" },
  { name: "regions", label: "Crops", title: "Rectangles that were looked at" },
  { name: "seen", label: "Read there", title: "What was read, and where" },
  { name: "quotes", label: "Quotes", title: "Where the findings of this step stand" },
  { name: "answer", label: "Answer", title: "Where the answer stands" },
];
/** Characters that a text has at least for a quote that holds it to stand there. */
const LEAST_SHARED = 12;
/** Place of an element's fields. */
const FIELDS = { text: 4, x: 5, y: 6, width: 7, height: 8, unseen: 16 };

/** @type {Set<LayerName>} */
const shownLayers = new Set(["blind", "seen", "quotes", "answer"]);

/** @typedef {{ detail: StepDetail; observation: Observation | null; picture: Picture }} Known */
/** @typedef {{ box: Box; words: string; kind?: string }} Labelled */
/** @typedef {{ stage: HTMLElement; tip: HTMLElement; toggles: HTMLElement }} Nodes */

/**
 * @param {Nodes} nodes
 * @param {View} view
 * @param {Box} shown
 * @param {Known} known
 */
export function layOver({ stage, tip, toggles }, view, shown, known) {
  const layers = layersOf(view, shown, known);
  const overlay = s(
    "svg",
    {
      class: "overlay",
      viewBox: `${shown.x} ${shown.y} ${shown.width} ${shown.height}`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    },
    ...layers.values(),
  );
  overlay.addEventListener("pointermove", ({ target }) => {
    const words = target instanceof SVGElement ? target.dataset.words : "";
    if (words) tip.textContent = words;
  });
  put(
    toggles,
    LAYERS.map((layer) => layerToggle(layer, layers.get(layer.name))),
  );
  stage.append(overlay);
}

/**
 * @param {(typeof LAYERS)[number]} layer
 * @param {SVGGElement | undefined} node
 */
function layerToggle({ name, label, title }, node) {
  if (!node?.childElementCount) return null;
  const turn = () => {
    button.setAttribute("aria-pressed", String(shownLayers.has(name)));
    node.classList.toggle("off", !shownLayers.has(name));
  };
  const onclick = () => {
    if (!shownLayers.delete(name)) shownLayers.add(name);
    turn();
  };
  const swatch = h("span", { class: "swatch", "aria-hidden": "true" });
  const attributes = { type: "button", class: `chip layer-${name}`, title, onclick };
  const button = h("button", attributes, swatch, label, dim(String(node.childElementCount)));
  turn();
  return button;
}

/**
 * @param {View} view
 * @param {Box} shown
 * @param {Known} known
 * @returns {Map<LayerName, SVGGElement>}
 */
function layersOf(view, shown, { detail, observation, picture }) {
  const elements = list(view.map?.elements);
  /** @type {Record<LayerName, SVGElement[]>} */
  const drawn = {
    elements: rectangles(elements.map(elementBox)),
    marks: elements.flatMap((element) => numberMark(element, shown)),
    blind: rectangles(blindBoxes(observation)),
    regions: rectangles([...regionBoxes(detail), ...cropBoxes(detail, picture)]),
    seen: rectangles(seenBoxes(detail)),
    quotes: rectangles(quoteBoxes(detail, elements)),
    answer: rectangles(answerBoxes(detail)),
  };
  return new Map(LAYERS.map(({ name }) => [name, s("g", { class: `layer ${name}` }, drawn[name])]));
}

/** @param {readonly (Labelled | { box: Box | null | undefined; words: string; kind?: string })[]} boxes */
function rectangles(boxes) {
  return boxes.flatMap(({ box, words, kind = "" }) => {
    if (!box || !(box.width > 0) || !(box.height > 0)) return [];
    const { x, y, width, height } = box;
    return [s("rect", { x, y, width, height, rx: 2, class: kind, "data-words": words })];
  });
}

/** @param {ViewElement} element */
function boxOf(element) {
  const [x, y, width, height] = element.slice(FIELDS.x, FIELDS.height + 1).map(Number);
  return { x, y, width, height };
}

/** @param {ViewElement} element */
function elementBox(element) {
  const [id, kind, role, name, text] = element;
  const unseen = element[FIELDS.unseen];
  return {
    box: boxOf(element),
    words: `${id}  ${role}  ${name || text}${unseen ? `  (nobody sees it: ${unseen})` : ""}`,
    kind: `${kind}${unseen ? " hidden" : ""}`,
  };
}

/**
 * @param {ViewElement} element
 * @param {Box} shown
 */
function numberMark(element, shown) {
  const [id, kind] = element;
  if (kind !== "control" && kind !== "link") return [];
  const { x, y } = boxOf(element);
  const size = Math.max(9, Math.min(15, shown.width / 95));
  const top = Math.max(shown.y, y - size);
  const width = size * (0.75 + 0.6 * String(id).length);
  return [
    s(
      "g",
      {},
      s("rect", { x, y: top, width, height: size * 1.15, rx: 2 }),
      s("text", { x: x + size * 0.35, y: top + size * 0.92, "font-size": size }, String(id)),
    ),
  ];
}

/**
 * @param {StepDetail} detail
 * @param {readonly ViewElement[]} elements
 */
function quoteBoxes(detail, elements) {
  return quotesOf(detail).flatMap(({ words }) => {
    const isQuoted = (/** @type {string} */ text) =>
      text.includes(words) || (text.length >= LEAST_SHARED && words.includes(text));
    return elements
      .filter((element) => isQuoted(squeezed(String(element[FIELDS.text] || ""))))
      .map((element) => ({ box: boxOf(element), words: `quoted: ${words}` }));
  });
}

/** @param {Observation | null} observation */
function blindBoxes(observation) {
  return list(observation?.blind).map(({ box, kind, heading, near }) => ({
    box,
    words: `${kind} that the text does not carry  ${heading || near || ""}`,
  }));
}

/** @param {StepDetail} detail */
function regionBoxes(detail) {
  return looksOf(detail).flatMap(({ d }) =>
    list(d.request?.regions).map((box) => ({ box, words: `looked at by ${d.outcome?.model ?? d.seam}` })),
  );
}

/**
 * Parts that were drawn larger; not the one that is the picture itself.
 * @param {StepDetail} detail
 * @param {Picture} picture
 */
function cropBoxes(detail, picture) {
  return cropsOf(detail)
    .filter((event) => event !== picture.event)
    .map(({ d }) => ({ box: d.request?.box, words: `drawn anew at ${d.request?.scale} times its size`, kind: "crop" }));
}

/** @param {StepDetail} detail */
function seenBoxes(detail) {
  const seen = looksOf(detail).flatMap(({ d }) => list(d.outcome?.seen));
  return seen.map(({ box, source, text, confidence = 1 }) => ({
    box,
    words: `${source}: ${text}${confidence < 1 ? `  (${percent(confidence)})` : ""}`,
    kind: source,
  }));
}

/** @param {StepDetail} detail */
function answerBoxes(detail) {
  return looksOf(detail).map(({ d }) => ({ box: d.outcome?.answer_box, words: `answer: ${d.outcome?.answer}` }));
}
