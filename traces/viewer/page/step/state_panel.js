// What the walk knew when it was done with a step: its stack with the links that nobody followed, the counter, the findings, the
// pages it remembered. Derived by walking the record again as far as this step.

/** @import { Child, Source, StateAtStep, StateCounter, StateFrame } from "../types.d.ts" */

import { h, put } from "../elements/dom.js";
import { dim, empty, facts, json, linkButton, more, opening, pill } from "../elements/parts.js";
import { messageOf, number, plural, shortUrl } from "../elements/words.js";
import { list } from "../record/values.js";

/** Milliseconds: keys that are held down ask for nothing on the way. */
const PATIENCE = 120;
const MOST_LISTED = 200;
const FEW_ITEMS = 30;
/** Depth up to which frames of the stack are set in. */
const DEEPEST = 8;

/**
 * @typedef {object} Stated
 * @property {Source} source
 * @property {string} run
 * @property {number} step
 * @property {(step: number) => void} onStep
 */

/**
 * @param {HTMLElement} place
 * @param {Stated} stated
 */
export async function statePanel(place, stated) {
  const { source, run, step } = stated;
  put(place, opening("Walking the record again…"));
  await new Promise((done) => setTimeout(done, PATIENCE));
  const isWanted = () => place.isConnected && place.dataset.view === "state";
  if (!isWanted()) return;
  try {
    /** @type {StateAtStep} */
    const state = await source.json(run, "states", step);
    if (isWanted()) put(place, stateNode(state, stated));
  } catch (error) {
    const advice = `walker replay ${run} --to ${step} says what it can.`;
    const words = `The state at this step cannot be shown: ${messageOf(error)}. ${advice}`;
    if (isWanted()) put(place, empty(words));
  }
}

/**
 * @param {StateAtStep} state
 * @param {Stated} stated
 */
function stateNode(state, { run, step, onStep }) {
  const toStep = (/** @type {number} */ one) =>
    one === step ? pill("new", "good") : linkButton(`step ${one}`, () => onStep(one));
  const known = `What the walk knew when it was done with step ${step} of ${state.last_step}`;
  const { counter } = state;
  return h(
    "div",
    { class: "state", tabindex: "0", role: "group", "aria-label": `State after step ${step}` },
    h("p", { class: "hint" }, `${known}, before it left for the next page.`),
    state.ended_with ? endNode(state.ended_with) : null,
    facts([
      ["Answer so far", state.answer ? `${state.answer} (${state.confidence.toFixed(2)})` : "none"],
      ["Still looking for", list(state.missing).join("; ")],
      ["Pages remembered", number(state.pages.length)],
    ]),
    part("Stack", `depth ${state.stack.length}`, h("ol", { class: "frames" }, state.stack.map(frameNode))),
    (counter.requirement?.mode ?? "none") === "none" ? null : counterPart(counter, toStep),
    findingsPart(state, step, toStep),
    pagesPart(state, (one) => linkButton(`step ${one}`, () => onStep(one))),
    more(
      ["As JSON, as walker replay ", run, ` --to ${step} prints it`],
      false,
      copyButton(JSON.stringify(state, null, 2)),
      json(state),
    ),
  );
}

/** @param {string} words */
function endNode(words) {
  return h("p", { class: "alarm" }, h("span", { class: "text" }, `It came no further: ${words}`));
}

/**
 * @param {string} title
 * @param {string} aside
 * @param {...Child} children
 */
function part(title, aside, ...children) {
  return h("section", { class: "part", "aria-label": title }, h("h3", {}, title, " ", dim(aside)), ...children);
}

/**
 * @param {StateFrame} frame
 * @param {number} depth
 */
function frameNode(frame, depth) {
  const place = (frame.page_number ?? 0) > 1 ? `page ${frame.page_number}` : "";
  return h(
    "li",
    { style: { "--depth": String(Math.min(depth, DEEPEST)) } },
    h("b", { title: frame.url }, frame.title || shortUrl(frame.url)),
    h("span", { class: "dim small block" }, [frame.reason, place].filter(Boolean).join(", ")),
    untriedLinks(frame),
  );
}

/** @param {StateFrame} frame */
function untriedLinks(frame) {
  const untried = list(frame.untried);
  if (!untried.length) return null;
  const rows = untried
    .slice(0, MOST_LISTED)
    .map((link) => h("li", { title: link.url }, link.label || "(no words)", dim(` ${shortUrl(link.url)}`)));
  const words = [plural(untried.length, "link"), " that nobody followed yet"];
  return more(words, false, h("ul", {}, rows, moreThan(untried.length)));
}

/** @param {number} count */
function moreThan(count) {
  return count > MOST_LISTED ? h("li", { class: "dim" }, `and ${number(count - MOST_LISTED)} more`) : null;
}

/**
 * @param {StateAtStep} state
 * @param {number} step
 * @param {(step: number) => Node} toStep
 */
function findingsPart({ findings }, step, toStep) {
  const rows = findings.slice(-MOST_LISTED).map(({ text, quote, step: found }) => {
    const words = h("p", { class: "says" }, text || "…", " ", toStep(found));
    return h("li", { class: found === step ? "new" : "" }, words, quote ? h("q", { class: "dim" }, quote) : null);
  });
  const left = findings.length - rows.length;
  return part(
    "Findings",
    number(findings.length),
    rows.length ? h("ul", { class: "findings" }, rows) : null,
    left ? empty(`and ${number(left)} before them`) : null,
  );
}

/**
 * @param {StateAtStep} state
 * @param {(step: number) => Node} toStep
 */
function pagesPart({ pages }, toStep) {
  const rows = pages
    .slice(-MOST_LISTED)
    .map(({ step, title, url, outcome, gist }) =>
      h(
        "li",
        {},
        toStep(step),
        " ",
        h("b", {}, title || shortUrl(url)),
        outcome && outcome !== "read" ? [" ", pill(outcome, "off")] : null,
        gist ? h("span", { class: "dim block small" }, gist) : null,
      ),
    );
  return part("Memory of pages", number(pages.length), h("ul", { class: "remembered" }, rows));
}

/**
 * @param {StateCounter} counter
 * @param {(step: number) => Node} toStep
 */
function counterPart(counter, toStep) {
  const items = list(counter.items);
  const merges = list(counter.merges);
  const rows = items.slice(0, MOST_LISTED).map((item) => h("li", {}, h("b", {}, item.name), " ", toStep(item.step)));
  return part(
    "Counter",
    countWords(counter),
    counter.stated_total ? h("p", { class: "dim small" }, `The site states ${number(counter.stated_total)}.`) : null,
    more(plural(items.length, "item"), items.length < FEW_ITEMS, h("ol", {}, rows, moreThan(items.length))),
    merges.length ? h("p", { class: "dim small" }, `${plural(merges.length, "candidate")} merged into them`) : null,
  );
}

/** @param {StateCounter} counter */
function countWords({ requirement, found, complete, done }) {
  const target = requirement?.target ? ` of ${number(requirement.target)}` : "";
  const end = complete ? "complete" : done ? "done; a lower bound" : "not finished";
  return `${number(found)}${target} ${requirement?.noun ?? ""}, ${end}`;
}

/** @param {string} text */
function copyButton(text) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Mark it and copy it by hand";
    }
  };
  const button = h("button", { type: "button", class: "plain", onclick: copy }, "Copy");
  return h("p", { class: "copy" }, button);
}
