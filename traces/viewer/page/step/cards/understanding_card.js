// How well the text was understood, and what the gate made of it.

/** @import { GateDecided, PartOfScore, StepDetail, Understood } from "../../types.d.ts" */

import { h } from "../../elements/dom.js";
import { card, dim, more } from "../../elements/parts.js";
import { number } from "../../elements/words.js";

/** @type {readonly { name: PartOfScore; label: string; most: number }[]} */
const PARTS = [
  { name: "text_quality", label: "Text", most: 25 },
  { name: "relevance", label: "Relevance", most: 40 },
  { name: "clarity", label: "Clarity", most: 20 },
  { name: "special", label: "Special", most: 15 },
];
/** @type {Record<string, string>} */
const GATE_WORDS = {
  intercept: "to begin with",
  understanding: "how well the text is understood",
  answered: "the text answers the question",
  blind: "meaning outside the text",
  gap: "what is asked for is not spoken of",
};
const CHOICES = { read: "read the text", glance: "glance at the picture", look: "ask the vision model" };

/** @param {StepDetail} detail */
export function understandingCard(detail) {
  const scores = detail.events.filter((event) => event.k === "us").map((event) => event.d);
  const gates = detail.events.filter((event) => event.k === "gate").map((event) => event.d);
  if (!scores.length && !gates.length) return null;
  const last = scores.at(-1);
  return card(
    "Understanding and gate",
    last ? h("b", { class: "big" }, last.score.toFixed(0), dim(" / 100")) : null,
    scores.map((score, place) => scoreNode(score, place, scores.length)),
    gates.map((gate, place) => gateNode(gate, gates.length > 1 ? `Gate, round ${place + 1}: ` : "Gate: ")),
  );
}

/**
 * @param {Understood} score
 * @param {number} place
 * @param {number} count
 */
function scoreNode(score, place, count) {
  const name = place === 0 ? "The text alone" : "With what was seen";
  return h(
    "div",
    { class: "scored" },
    count > 1 ? h("p", { class: "dim small" }, name) : null,
    scoreBar(score),
    place === count - 1 ? everyTerm(score) : null,
  );
}

/** @param {Understood} score */
function scoreBar(score) {
  const words = PARTS.map(({ name, label, most }) => `${label} ${score[name].toFixed(0)} of ${most}`).join(", ");
  const rooms = PARTS.map(({ name, most }) => {
    const full = h("div", {
      class: "full",
      style: { width: `${Math.max(0, Math.min(1, score[name] / most)) * 100}%` },
    });
    return h("div", { class: `room ${name}`, style: { "flex-grow": String(most) } }, full);
  });
  const labels = PARTS.map(({ name, label, most }) =>
    h("div", { class: name }, h("span", {}, label), h("b", {}, score[name].toFixed(0)), dim(`/${most}`)),
  );
  return h(
    "div",
    { class: "score", role: "img", "aria-label": `Understanding ${score.score.toFixed(0)} of 100: ${words}` },
    h("div", { class: "bar parts" }, rooms),
    h("div", { class: "labels" }, labels),
  );
}

/** @param {Understood} score */
function everyTerm({ terms = {} }) {
  const rows = Object.entries(terms).map(([name, value]) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, name),
      h("td", { class: value < 0 ? "number bad" : "number" }, value.toFixed(1)),
    ),
  );
  return more("Every term", false, h("table", { class: "terms" }, h("tbody", {}, rows)));
}

/**
 * @param {GateDecided} gate
 * @param {string} name
 */
function gateNode(gate, name) {
  const terms = Object.entries(gate.terms ?? {});
  const strongest = Math.max(1, ...terms.map(([, value]) => Math.abs(value)));
  const forces = terms.map(([term, value]) => forceNode(GATE_WORDS[term] ?? term, value, Math.abs(value) / strongest));
  return h(
    "div",
    { class: "gate" },
    h(
      "div",
      { class: "gate-head" },
      h("span", {}, name, h("b", {}, CHOICES[gate.choice] ?? gate.choice)),
      dim(gate.reason),
    ),
    trustBar(gate),
    more("What each input adds", false, h("ul", { class: "forces" }, forces)),
  );
}

/** @param {GateDecided} gate */
function trustBar({ score, threshold }) {
  const mark = h(
    "div",
    { class: "threshold", style: { left: `${threshold}%` } },
    h("span", {}, `threshold ${number(threshold)}`),
  );
  const words = `Trust in the text ${score.toFixed(1)} of 100, threshold ${threshold}`;
  return h(
    "div",
    { class: `trust ${score >= threshold ? "good" : "warn"}`, role: "img", "aria-label": words },
    h("div", { class: "bar" }, h("div", { class: "full", style: { width: `${score}%` } }), mark),
    h("div", { class: "trust-words" }, `trust ${score.toFixed(1)}`),
  );
}

/**
 * @param {string} name
 * @param {number} value
 * @param {number} strength share of the strongest
 */
function forceNode(name, value, strength) {
  const bar = h("span", { class: value < 0 ? "against" : "for", style: { width: `${strength * 50}%` } });
  return h(
    "li",
    {},
    h("span", { class: "name" }, name),
    h("span", { class: "force", "aria-hidden": "true" }, bar),
    h("span", { class: "number" }, `${value > 0 ? "+" : ""}${value.toFixed(2)}`),
  );
}
