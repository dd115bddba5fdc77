// The sliders of a what-if: a threshold with the decisions that it moves, and a weight.

/** @import { GateCase } from "../types.d.ts" */

import { h, put, s } from "../elements/dom.js";
import { plural } from "../elements/words.js";

const BARS = 50;
const CHART_HEIGHT = 26;
/** @type {Record<string, string>} */
const WEIGHT_WORDS = {
  intercept: "To begin with",
  understanding: "How well the text is understood",
  answered: "The text answers the question",
  blind: "Meaning outside the text",
  gap: "What is asked for is not spoken of",
};

/**
 * @typedef {object} ThresholdActions
 * @property {string} nothing said where no decision can move
 * @property {(value: number) => void} onChange
 * @property {() => { chosen: number | null; own: number | null; cases: readonly GateCase[] }} told what is to be shown
 */

export class ThresholdSlider {
  #shown = h("output");
  #bars = h("div", { class: "spread" });
  #actions;
  /** @type {HTMLInputElement} */
  #input;

  /**
   * @param {string} label
   * @param {number} grid
   * @param {ThresholdActions} actions
   */
  constructor(label, grid, actions) {
    this.#actions = actions;
    this.#input = h("input", {
      type: "range",
      min: "0",
      max: "100",
      step: String(grid),
      "aria-label": label,
      oninput: () => actions.onChange(Number(this.#input.value)),
    });
    const words = h("span", { class: "slider-words" }, h("span", {}, label), this.#shown);
    this.node = h("label", { class: "slider" }, words, this.#bars, this.#input);
  }

  /** Shows what is chosen now. */
  tell() {
    const { nothing, told } = this.#actions;
    const { chosen, own, cases } = told();
    const value = chosen ?? own ?? 0;
    if (Number(this.#input.value) !== value) this.#input.value = String(value);
    this.#shown.textContent = chosen === null ? `${value}, as recorded` : `${value} (recorded: ${own})`;
    this.#input.setAttribute("aria-valuetext", this.#shown.textContent);
    drawSpread(this.#bars, cases, value, nothing);
  }
}

/**
 * How many pages flip at which threshold, on the scale of the slider below: those left of the handle are not read from their text.
 * @param {Element} place
 * @param {readonly GateCase[]} cases
 * @param {number} value
 * @param {string} nothing
 */
function drawSpread(place, cases, value, nothing) {
  const movable = cases.filter((one) => one.otherwise !== "read");
  const words = movable.length
    ? `${plural(movable.length, "page")} with something to look at, by the threshold up to which the text is trusted`
    : `${nothing}: no threshold changes that`;
  const chart = {
    viewBox: `0 0 100 ${CHART_HEIGHT}`,
    preserveAspectRatio: "none",
    role: "img",
    "aria-label": words,
  };
  put(
    place,
    s("svg", chart, s("title", {}, words), barsOf(movable, value)),
    movable.length ? null : h("p", { class: "dim small" }, words),
  );
}

/**
 * @param {readonly GateCase[]} movable
 * @param {number} value
 */
function barsOf(movable, value) {
  const counts = Array.from({ length: BARS }, () => 0);
  for (const one of movable) counts[Math.min(BARS - 1, Math.floor((one.read_up_to / 100) * BARS))] += 1;
  const most = Math.max(1, ...counts);
  return counts.map((count, at) => {
    if (!count) return null;
    const height = (count / most) * (CHART_HEIGHT - 2) + 2;
    const isBelow = (at + 0.5) * (100 / BARS) < value;
    return s("rect", { x: at * 2 + 0.2, width: 1.6, y: CHART_HEIGHT - height, height, class: isBelow ? "below" : "" });
  });
}

/**
 * @typedef {object} WeightActions
 * @property {(value: number) => void} onChange
 * @property {() => { chosen: number; own: number }} told what is to be shown
 */

export class WeightSlider {
  #shown = h("output");
  #told;
  /** @type {HTMLInputElement} */
  #input;

  /**
   * @param {string} name
   * @param {WeightActions} actions
   */
  constructor(name, { onChange, told }) {
    const label = WEIGHT_WORDS[name] ?? name;
    this.#told = told;
    this.#input = h("input", {
      type: "range",
      min: "-10",
      max: "10",
      step: "0.1",
      "aria-label": `Weight: ${label}`,
      oninput: () => {
        onChange(Number(this.#input.value));
        this.tell();
      },
    });
    const words = h("span", { class: "slider-words" }, h("span", {}, label), this.#shown);
    this.node = h("label", { class: "slider weight" }, words, this.#input);
  }

  /** Shows what is chosen now. */
  tell() {
    const { chosen, own } = this.#told();
    this.#input.value = String(chosen);
    this.#shown.textContent = `${chosen} (recorded: ${own})`;
  }
}
