// The list of runs: what was asked, what came of it, what it took.

import { day, empty, h, money, number, put, say, seconds } from "./dom.js";
import { hashOf } from "./route.js";

const STATES = { ended: "", failed: "bad", live: "live", "cut off": "warn", unreadable: "bad" };
const COLUMNS = [
  { name: "Question", key: (run) => run.question.toLowerCase() },
  { name: "Ended", key: (run) => run.stop_reason || run.state },
  { name: "Pages", key: (run) => run.pages, number: true },
  { name: "Time", key: (run) => run.seconds, number: true },
  { name: "Tokens", key: tokens, number: true },
  { name: "Cost", key: (run) => run.cost, number: true },
  { name: "When", key: (run) => run.created, number: true },
];
const chosen = new Set();
const remembered = { words: "", filter: "all", sort: 6, down: true };

function tokens(run) {
  return run.prompt_tokens + run.completion_tokens;
}

export function stateWord(run) {
  if (run.state === "ended") return run.stop_reason || "ended";
  return run.state;
}

export function stateKind(run) {
  if (run.state !== "ended") return STATES[run.state];
  return ["answered", "quota reached"].includes(run.stop_reason) ? "good" : "warn";
}

export function runsPage(place, source) {
  let runs = [];
  let timer = 0;
  const search = h("input", { type: "search", placeholder: "Search questions, answers, sites", "aria-label": "Search runs", value: remembered.words, oninput: () => { remembered.words = search.value; draw(); } });
  const filters = h("div", { class: "chips", role: "group", "aria-label": "Show" });
  const body = h("tbody", {});
  const head = h("tr", {});
  const note = h("p", { class: "empty" });
  const count = h("span", { class: "dim" });
  const pair = h("p", { class: "pair" });
  const table = h("table", { class: "runs" }, h("thead", {}, head), body);
  put(
    place,
    h("header", { class: "top plain" }, h("h1", { class: "brand" }, h("span", { class: "logo", "aria-hidden": "true" }), "Walker"), count),
    h("main", { id: "main", class: "runs-page" }, h("div", { class: "tools" }, search, filters, pair), table, note),
  );
  document.title = "Runs · Walker";

  function groups() {
    return [
      ["all", "All", () => true],
      ["answered", "Answered", (run) => stateKind(run) === "good"],
      ["open", "Not answered", (run) => run.state === "ended" && stateKind(run) !== "good"],
      ["broken", "Failed or cut off", (run) => ["failed", "cut off", "unreadable"].includes(run.state)],
      ["live", "Live", (run) => run.state === "live"],
    ].filter(([name, , keeps]) => name === "all" || runs.some(keeps));
  }

  function draw() {
    const group = groups().find(([name]) => name === remembered.filter) ?? groups()[0];
    put(filters, groups().map(([name, label, keeps]) => h("button", { class: "chip", type: "button", "aria-pressed": String(name === group[0]), onclick: () => { remembered.filter = name; draw(); } }, label, h("span", { class: "dim" }, number(runs.filter(keeps).length)))));
    const words = remembered.words.toLowerCase().split(/\s+/).filter(Boolean);
    const says = (run) => `${run.question} ${run.answer} ${run.root_url} ${run.id} ${run.model} ${stateWord(run)}`.toLowerCase();
    const key = COLUMNS[remembered.sort].key;
    const shown = runs.filter((run) => group[2](run) && words.every((word) => says(run).includes(word)));
    shown.sort((one, other) => (key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0) * (remembered.down ? -1 : 1));
    put(head, runs.length > 1 ? h("th", { scope: "col", class: "pick" }, h("span", { class: "unseen" }, "Compare")) : null, COLUMNS.map((column, place) => headCell(column, place)));
    put(body, shown.map(row));
    drawPair();
    put(note, runs.length === 0 ? "There are no runs here yet. walker ask ROOT QUESTION records one." : shown.length === 0 ? "No run matches." : "");
    put(count, `${number(shown.length)} of ${number(runs.length)} runs`);
    say(`${shown.length} runs shown`);
  }

  // The earlier of two runs is A, as what was before a change.
  function drawPair() {
    const two = runs.filter((run) => chosen.has(run.id)).sort((one, other) => one.created - other.created || (one.id < other.id ? -1 : 1));
    if (two.length === 2) put(pair, h("a", { class: "plain main-act", href: hashOf({ compare: two[0].id, other: two[1].id }) }, "Compare these two"));
    else put(pair, two.length ? h("span", { class: "dim" }, "Choose one more to compare with") : "");
  }

  function pick(run, isChosen) {
    if (isChosen) chosen.add(run.id);
    else chosen.delete(run.id);
    if (chosen.size > 2) chosen.delete(chosen.values().next().value);
    for (const box of body.querySelectorAll(".pick input")) box.checked = chosen.has(box.value);
    drawPair();
    say(pair.textContent);
  }

  function headCell(column, place) {
    const sorted = remembered.sort === place ? (remembered.down ? "descending" : "ascending") : null;
    const turn = () => {
      remembered.down = remembered.sort === place ? !remembered.down : Boolean(column.number);
      remembered.sort = place;
      draw();
    };
    return h("th", { scope: "col", class: column.number ? "number" : "", "aria-sort": sorted }, h("button", { type: "button", onclick: turn }, column.name, h("span", { class: "arrow", "aria-hidden": "true" }, sorted === "descending" ? "↓" : sorted ? "↑" : "")));
  }

  function row(run) {
    const link = h("a", { href: hashOf({ run: run.id }), class: "question" }, run.question || run.id);
    return h(
      "tr",
      { onclick: (event) => { if (!event.target.closest("a, .pick") && !getSelection().toString()) link.click(); } },
      runs.length > 1 ? h("td", { class: "pick" }, h("label", {}, h("input", { type: "checkbox", value: run.id, checked: chosen.has(run.id), disabled: run.state === "unreadable", "aria-label": `Compare: ${run.question || run.id}`, onchange: (event) => pick(run, event.target.checked) }))) : null,
      h("th", { scope: "row" }, link, h("div", { class: "answer" }, run.answer || "no answer"), h("div", { class: "dim small site" }, run.root_url)),
      h("td", { "data-label": "Ended" }, h("span", { class: `pill ${stateKind(run)}` }, stateWord(run))),
      h("td", { class: "number", "data-label": "Pages" }, number(run.pages)),
      h("td", { class: "number", "data-label": "Time" }, seconds(run.seconds)),
      h("td", { class: "number", "data-label": "Tokens" }, tokens(run) ? number(tokens(run)) : "–"),
      h("td", { class: "number", "data-label": "Cost" }, money(run.cost) || "–"),
      h("td", { class: "number dim", "data-label": "When" }, day(run.created)),
    );
  }

  async function load() {
    try {
      const next = (await source.json("runs")).runs;
      if (!place.contains(table)) return;
      if (JSON.stringify(next) !== JSON.stringify(runs) || !head.childElementCount) {
        runs = next; // drawn anew only where something changed: whoever goes by keyboard keeps the place
        draw();
      }
      if (source.isLive) timer = setTimeout(load, 3000);
    } catch (error) {
      put(note, empty(`The list cannot be had: ${error.message}`));
      if (source.isLive) timer = setTimeout(load, 5000);
    }
  }

  load();
  return {
    leave: () => clearTimeout(timer),
    key: (event) => {
      if (event.key !== "/") return false;
      search.focus();
      return true;
    },
  };
}
