// What the walk knew when it was done with a step: its stack with the links that nobody followed, the counter, the findings, the
// pages it remembered. Derived by walking the record again as far as this step.

import { json } from "./calls_panel.js";
import { empty, facts, h, number, pill, plural, put, shortUrl } from "./dom.js";
import { list } from "./quotes.js";

const PATIENCE = 120;
const MOST_LISTED = 200;

export async function statePanel(place, { source, run, step, onStep }) {
  put(place, h("p", { class: "opening" }, "Walking the record again…"));
  await new Promise((done) => setTimeout(done, PATIENCE)); // keys that are held down ask for nothing on the way
  const wanted = () => place.isConnected && place.dataset.view === "state";
  if (!wanted()) return;
  try {
    const state = await source.json(run, "states", step);
    if (wanted()) put(place, stateNode(state, { run, step, onStep }));
  } catch (error) {
    if (wanted()) put(place, empty(`The state at this step cannot be shown: ${error.message}. walker replay ${run} --to ${step} says what it can.`));
  }
}

function stateNode(state, { run, step, onStep }) {
  const toStep = (number_) => h("button", { type: "button", class: "link", onclick: () => onStep(number_) }, `step ${number_}`);
  const { counter } = state;
  const text = JSON.stringify(state, null, 2);
  return h(
    "div",
    { class: "state", tabindex: "0", role: "group", "aria-label": `State after step ${step}` },
    h("p", { class: "hint" }, `What the walk knew when it was done with step ${step} of ${state.last_step}, before it left for the next page.`),
    state.ended_with ? h("p", { class: "alarm" }, h("span", { class: "text" }, `It came no further: ${state.ended_with}`)) : null,
    facts([
      ["Answer so far", state.answer ? `${state.answer} (${state.confidence.toFixed(2)})` : "none"],
      ["Still looking for", list(state.missing).join("; ")],
      ["Pages remembered", number(state.pages.length)],
    ]),
    part("Stack", `depth ${state.stack.length}`, h("ol", { class: "frames" }, state.stack.map(frameNode))),
    counter.requirement && counter.requirement.mode !== "none" ? counterPart(counter, step, toStep) : null,
    part("Findings", number(state.findings.length), state.findings.length ? h("ul", { class: "findings" }, state.findings.slice(-MOST_LISTED).map((finding) => h("li", { class: finding.step === step ? "new" : "" }, h("p", { class: "says" }, finding.text || "…", " ", finding.step === step ? pill("new", "good") : toStep(finding.step)), finding.quote ? h("q", { class: "dim" }, finding.quote) : null))) : null, state.findings.length > MOST_LISTED ? empty(`and ${number(state.findings.length - MOST_LISTED)} before them`) : null),
    part("Memory of pages", number(state.pages.length), h("ul", { class: "remembered" }, state.pages.slice(-MOST_LISTED).map((page) => h("li", {}, toStep(page.step), " ", h("b", {}, page.title || shortUrl(page.url)), page.outcome && page.outcome !== "read" ? [" ", pill(page.outcome, "off")] : null, page.gist ? h("span", { class: "dim block small" }, page.gist) : null)))),
    h("details", { class: "more" }, h("summary", {}, "As JSON, as walker replay ", run, ` --to ${step} prints it`), copyButton(text), json(state)),
  );
}

function part(title, aside, ...children) {
  return h("section", { class: "part", "aria-label": title }, h("h3", {}, title, " ", h("span", { class: "dim" }, aside)), ...children);
}

function frameNode(frame, depth) {
  const untried = list(frame.untried);
  return h(
    "li",
    { style: { "--depth": String(Math.min(depth, 8)) } },
    h("b", { title: frame.url }, frame.title || shortUrl(frame.url)),
    h("span", { class: "dim small block" }, [frame.reason, frame.page_number > 1 ? `page ${frame.page_number}` : ""].filter(Boolean).join(", ")),
    untried.length ? h("details", { class: "more" }, h("summary", {}, plural(untried.length, "link"), " that nobody followed yet"), h("ul", {}, untried.slice(0, MOST_LISTED).map((link) => h("li", { title: link.url }, link.label || "(no words)", h("span", { class: "dim" }, ` ${shortUrl(link.url)}`))), untried.length > MOST_LISTED ? h("li", { class: "dim" }, `and ${number(untried.length - MOST_LISTED)} more`) : null)) : null,
  );
}

function counterPart(counter, step, toStep) {
  const { requirement } = counter;
  const items = list(counter.items);
  const merges = list(counter.merges);
  const end = counter.complete ? "complete" : counter.done ? "done; a lower bound" : "not finished";
  return part(
    "Counter",
    `${number(counter.found)}${requirement.target ? ` of ${number(requirement.target)}` : ""} ${requirement.noun ?? ""}, ${end}`,
    counter.stated_total ? h("p", { class: "dim small" }, `The site states ${number(counter.stated_total)}.`) : null,
    h("details", { class: "more", open: items.length < 30 }, h("summary", {}, plural(items.length, "item")), h("ol", {}, items.slice(0, MOST_LISTED).map((item) => h("li", {}, h("b", {}, item.name), " ", item.step === step ? pill("new", "good") : toStep(item.step))), items.length > MOST_LISTED ? h("li", { class: "dim" }, `and ${number(items.length - MOST_LISTED)} more`) : null)),
    merges.length ? h("p", { class: "dim small" }, `${plural(merges.length, "candidate")} merged into them`) : null,
  );
}

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
