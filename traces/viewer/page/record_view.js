// What went wrong, errors first; and with what the walk was made.

import { json } from "./calls_panel.js";
import { bytes, card, empty, facts, h, number, pill, put } from "./dom.js";

const ORDER = { error: 0, warning: 1, note: 2 };
const KINDS = { error: "bad", warning: "warn", note: "" };

export function problemsInOrder(problems) {
  return problems.map((problem, place) => ({ ...problem, place })).sort((one, other) => ORDER[one.weight] - ORDER[other.weight] || one.place - other.place);
}

export function problemsView(place, run, { onStep }) {
  const problems = problemsInOrder(run.problems);
  if (!problems.length) return put(place, empty("Nothing went wrong: no error, no refusal, no page that was left, and every line of the record fits the one before."));
  return put(
    place,
    h(
      "ul",
      { class: "problems" },
      problems.map((problem) => h("li", { class: problem.weight }, pill(problem.weight, KINDS[problem.weight]), h("span", { class: "text" }, problem.text), h("span", { class: "dim small" }, `line ${number(problem.line)}`), problem.step ? h("button", { type: "button", class: "link", onclick: () => onStep(problem.step) }, `step ${problem.step}`) : h("span", {}))),
    ),
    run.more_problems ? empty(`and ${number(run.more_problems)} more`) : "",
  );
}

export function recordView(place, run) {
  const { manifest, summary } = run;
  put(
    place,
    h(
      "div",
      { class: "record" },
      card("Run", null, facts([["Folder", summary.id], ["Question", manifest.question], ["Root", manifest.root_url], ["Fork of", manifest.parent ? `${manifest.parent.run_id}, after step ${manifest.parent.after_step}` : ""], ["Log", `${number(run.lines)} lines, ${bytes(summary.bytes)}`], ["Walker", manifest.package?.version], ["Recorded as", Object.entries(manifest.record ?? {}).map(([name, value]) => `${name} ${value}`).join(", ")], ["Machine", Object.entries(manifest.env ?? {}).map(([name, value]) => `${name} ${value}`).join(", ")]])),
      card("Settings", null, json(manifest.settings)),
    ),
  );
}
