// Other thresholds and weights of the gate: which pages flip, what is saved, where the walk would leave its recording.

/** @import { GateCase, GateSlider } from "../types.d.ts" */

import { h, put, say } from "../elements/dom.js";
import { card, empty, linkButton } from "../elements/parts.js";
import { messageOf, plural } from "../elements/words.js";
import { scenario } from "../record/scenario.js";
import { flipsTable, outcomeTiles, savedWords } from "./whatif_result.js";
import { ThresholdSlider, WeightSlider } from "./whatif_sliders.js";

/** Milliseconds without a change until the outcome is told. */
const TELL_AFTER = 400;
const NONE = "No page of this walk came to the gate: there is nothing to decide otherwise.";
const WEIGHT_HINT = "Times the input of that name; what each adds to the log odds of the trust stands with every step.";
const NO_WEIGHTS_HINT =
  "Other weights need the code of the gate: open the run with walker view, or use walker whatif --weights FILE.";

/**
 * @typedef {object} WhatifContext
 * @property {(step: number) => void} onStep
 * @property {((weights: number[]) => Promise<GateSlider>) | null} ask for the decisions with other weights, where somebody can
 *   compute them
 */

class Whatif {
  #slider;
  #context;
  /** What was chosen in place of what was recorded. */
  #chosen;
  /** Only the answer to the last question counts. */
  #asked = 0;
  #telling = 0;
  #result = h("div", { class: "whatif-result" });
  #reset = linkButton("As recorded", () => this.#goBack(), "plain");
  #thresholds;
  #weights;

  /**
   * @param {GateSlider} slider
   * @param {WhatifContext} context
   */
  constructor(slider, context) {
    this.#slider = slider;
    this.#context = context;
    this.#chosen = recorded(slider);
    this.#thresholds = this.#thresholdSliders();
    this.#weights = this.#weightSliders();
  }

  /** @param {Element} place */
  drawIn(place) {
    const hint =
      `${plural(this.#slider.cases.length, "decision")} scored again from the terms on record; nothing is asked of a model. ` +
      "What comes behind the step at which the walk leaves its recording is not known: walker replay --with tau=… finds out.";
    const thresholds = this.#thresholds.map(({ node }) => h("div", {}, node));
    const title = "What if the gate had decided otherwise?";
    put(place, card(title, this.#reset, h("p", { class: "hint" }, hint), thresholds, this.#heavy()), this.#result);
    this.#draw();
  }

  #heavy() {
    const hint = h("p", { class: "hint" }, this.#context.ask ? WEIGHT_HINT : NO_WEIGHTS_HINT);
    const sliders = this.#weights.map(({ node }) => node);
    return h("details", { class: "more" }, h("summary", {}, "Weights of the gate"), sliders, hint);
  }

  #thresholdSliders() {
    const { tau, tau2, grid } = this.#slider;
    const glance = new ThresholdSlider("Threshold of the glance (tau)", grid, {
      nothing: "No page has anything to look at",
      onChange: (value) => this.#choose({ tau: value }),
      told: () => ({ chosen: this.#chosen.tau, own: tau, cases: this.#casesOf(false) }),
    });
    const look = new ThresholdSlider("Threshold of the look by a vision model (tau2)", grid, {
      nothing: "No vision model was set for this walk",
      onChange: (value) => this.#choose({ tau2: value }),
      told: () => ({ chosen: this.#chosen.tau2, own: tau2, cases: this.#casesOf(true) }),
    });
    return tau2 === null ? [glance] : [glance, look];
  }

  #weightSliders() {
    if (!this.#context.ask) return [];
    const own = this.#slider.own_weights ?? {};
    return Object.keys(own).map(
      (name) =>
        new WeightSlider(name, {
          onChange: (value) => this.#weigh(name, value),
          told: () => ({ chosen: this.#chosen.weights[name], own: own[name] }),
        }),
    );
  }

  /** @param {boolean} isSecond */
  #casesOf(isSecond) {
    return this.#chosen.cases.filter((one) => one.is_second === isSecond);
  }

  /** @param {Partial<ReturnType<typeof recorded>>} chosen */
  #choose(chosen) {
    Object.assign(this.#chosen, chosen);
    this.#draw();
  }

  /**
   * @param {string} name
   * @param {number} value
   */
  async #weigh(name, value) {
    this.#chosen.weights[name] = value;
    this.#asked += 1;
    const asked = this.#asked;
    try {
      const next = await this.#context.ask?.(Object.values(this.#chosen.weights));
      if (asked === this.#asked && next) this.#choose({ cases: next.cases });
    } catch (error) {
      if (asked === this.#asked) put(this.#result, empty(`These weights cannot be tried: ${messageOf(error)}`));
    }
  }

  #goBack() {
    this.#asked += 1;
    this.#choose(recorded(this.#slider));
  }

  #draw() {
    const { cases, tau, tau2 } = this.#chosen;
    for (const slider of [...this.#thresholds, ...this.#weights]) slider.tell();
    const found = scenario(cases, tau, tau2);
    this.#reset.disabled = tau === null && tau2 === null && cases === this.#slider.cases;
    const { onStep } = this.#context;
    put(
      this.#result,
      outcomeTiles(found, onStep),
      flipsTable(found, (flip) => this.#limitOf(flip), onStep),
    );
    clearTimeout(this.#telling);
    const words = `${plural(found.flips.length, "page")} flip, ${savedWords(found)}`;
    this.#telling = setTimeout(() => say(words), TELL_AFTER);
  }

  /**
   * The threshold of a decision, as the budget had lowered it.
   * @param {GateCase} one
   */
  #limitOf({ is_second: isSecond, lowering }) {
    const { tau, tau2 } = this.#chosen;
    const own = isSecond ? this.#slider.tau2 : this.#slider.tau;
    return ((isSecond ? tau2 : tau) ?? own ?? 0) * lowering;
  }
}

/**
 * @param {Element} place
 * @param {GateSlider} slider
 * @param {WhatifContext} context
 */
export function whatifView(place, slider, context) {
  if (slider.cases.length) new Whatif(slider, context).drawIn(place);
  else put(place, empty(NONE));
}

/**
 * Nothing chosen otherwise.
 * @param {GateSlider} slider
 */
function recorded({ cases, own_weights: weights }) {
  const none = /** @type {number | null} */ (null);
  return { cases, tau: none, tau2: none, weights: { ...weights } };
}
