// The head of a run: its question and answer, what it took, and its errors.

/** @import { Run, Summary } from "../types.d.ts" */

import { h } from "../elements/dom.js";
import { dim, pill } from "../elements/parts.js";
import { day, money, number, plural, seconds } from "../elements/words.js";
import { problemsInOrder } from "../record/problems.js";
import { foundBy, stateKind, stateWord, tokensOf } from "../record/run_states.js";
import { hashOf } from "../route.js";

/** Seconds since the epoch below which a run was not made at a known time. */
const LEAST_TIME = 1e6;

/**
 * @typedef {object} HeadContext
 * @property {string} runId
 * @property {string | null} named the run, where there are several
 * @property {boolean} follows
 * @property {(follows: boolean) => void} onFollow
 * @property {() => void} onHelp
 */

/**
 * @param {Run} run
 * @param {HeadContext} context
 */
export function headParts(run, context) {
  const { summary } = run;
  const live = summary.state === "live";
  const words = foundBy(summary) || (live ? "The walk is still going on…" : "No answer was given.");
  return [
    context.named === null ? brand() : backLink(),
    h(
      "div",
      { class: "asked" },
      h("h1", {}, summary.question || context.runId),
      h("p", { class: words === summary.answer ? "answer" : "answer dim", title: words }, words),
    ),
    h("div", { class: "stats" }, statsOf(summary), live ? followBox(context) : null, helpButton(context)),
    alarm(run, context.named),
  ];
}

export function backLink() {
  return h("a", { class: "back", href: "#" }, "‹ Runs");
}

function brand() {
  return h("span", { class: "brand small" }, h("span", { class: "logo", "aria-hidden": "true" }), "Walker");
}

/** @param {Summary} summary */
function statsOf(summary) {
  const pulse = summary.state === "live" ? h("i", { class: "pulse", "aria-hidden": "true" }) : null;
  const used = tokensOf(summary);
  const sides = `${number(summary.prompt_tokens)} in, ${number(summary.completion_tokens)} out`;
  const prices = "By the prices that were set for the walk";
  return [
    pill([pulse, stateWord(summary)], stateKind(summary)),
    h("span", {}, plural(summary.pages, "page")),
    h("span", {}, seconds(summary.seconds)),
    summary.looks ? h("span", {}, plural(summary.looks, "look")) : null,
    used ? h("span", { title: sides }, `${number(used)} tokens`) : null,
    summary.cost ? h("span", { title: prices }, `cost ${money(summary.cost)}`) : null,
    dim(summary.model || "no model"),
    summary.created > LEAST_TIME ? dim(day(summary.created)) : null,
  ];
}

/** @param {HeadContext} context */
function followBox({ follows, onFollow }) {
  /** @type {HTMLInputElement} */
  const box = h("input", { type: "checkbox", checked: follows, onchange: () => onFollow(box.checked) });
  return h("label", { class: "check" }, box, " follow");
}

/** @param {HeadContext} context */
function helpButton({ onHelp }) {
  const attributes = { "aria-label": "Keyboard shortcuts", title: "Keyboard shortcuts (?)", onclick: onHelp };
  return h("button", { type: "button", class: "round", ...attributes }, "?");
}

/**
 * @param {Run} run
 * @param {string | null} named
 */
function alarm({ problems }, named) {
  const errors = problemsInOrder(problems).filter((problem) => problem.weight === "error");
  const first = errors.at(0);
  if (!first) return null;
  const { step, text } = first;
  return h(
    "div",
    { class: "alarm", role: "alert" },
    h("b", {}, plural(errors.length, "error")),
    h("span", { class: "text" }, text),
    h("a", { href: hashOf({ run: named, view: "problems" }) }, "show all"),
    step ? h("a", { href: hashOf({ run: named, step }) }, `go to step ${step}`) : null,
  );
}
