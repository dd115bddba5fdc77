// What went wrong, errors first.

/** @import { Problem, Run } from "../types.d.ts" */

import { h, put } from "../elements/dom.js";
import { empty, linkButton, pill } from "../elements/parts.js";
import { number } from "../elements/words.js";
import { problemsInOrder } from "../record/problems.js";

const KINDS = { error: "bad", warning: "warn", note: "" };
const NONE =
  "Nothing went wrong: no error, no refusal, no page that was left, and every line of the record fits the one before.";

/**
 * @param {Element} place
 * @param {Run} run
 * @param {(step: number) => void} onStep
 */
export function problemsView(place, run, onStep) {
  if (!run.problems.length) {
    put(place, empty(NONE));
    return;
  }
  const rows = problemsInOrder(run.problems).map((problem) => problemNode(problem, onStep));
  put(
    place,
    h("ul", { class: "problems" }, rows),
    run.more_problems ? empty(`and ${number(run.more_problems)} more`) : null,
  );
}

/**
 * @param {Problem} problem
 * @param {(step: number) => void} onStep
 */
function problemNode({ weight, text, line, step }, onStep) {
  return h(
    "li",
    { class: weight },
    pill(weight, KINDS[weight]),
    h("span", { class: "text" }, text),
    h("span", { class: "dim small" }, `line ${number(line)}`),
    step ? linkButton(`step ${step}`, () => onStep(step)) : h("span"),
  );
}
