// One run: its question and answer, the walk at a glance, the steps, and what stands across them.

import { callNode, callTotals, modelCalls } from "./calls_panel.js";
import { counterView } from "./counter_view.js";
import { card, day, empty, h, money, number, pill, plural, put, say, seconds, shortUrl } from "./dom.js";
import { mapView } from "./map_view.js";
import { problemsInOrder, problemsView, recordView } from "./record_view.js";
import { ribbon } from "./ribbon.js";
import { goTo, hashOf, readRoute } from "./route.js";
import { stateKind, stateWord } from "./runs_page.js";
import { found, searchView } from "./search_view.js";
import { stepCache, stepPage } from "./step_page.js";
import { kindOf, timeline } from "./timeline.js";
import { timeView } from "./waterfall.js";
import { whatifView } from "./whatif_view.js";

const POLL = 800;
const FILTERS = [
  ["all", "All", () => true],
  ["found", "Found", (row) => row.findings !== 0 || row.items > 0],
  ["looked", "Looked", (row) => row.choice === "glance" || row.choice === "look"],
  ["left", "Left", (row) => row.outcome !== ""],
  ["refused", "Refused", (row) => row.refusals > 0],
  ["errors", "Errors", (row) => row.errors > 0 || row.outcome === "failed"],
];

export function runPage(place, source, runId, { single }) {
  const named = single ? null : runId;
  let run = null;
  let rows = [];
  let shown = [];
  let chosen = null;
  let follows = false;
  let filter = "all";
  let timer = 0;
  let naming = 0;
  let current = null;
  let asked = 0;
  let wantedQuote = null;
  let texts = null;
  const cache = stepCache(source, runId);
  const pictureUrl = (digest) => source.pictureUrl(runId, digest);
  const line = timeline({ pictureUrl, onChoose: (step) => { follows = false; choose(step); } });
  const strip = ribbon({ onChoose: (step) => { follows = false; choose(step); } });
  const head = h("header", { class: "top" });
  const tabs = h("nav", { class: "tabs", "aria-label": "Views of the run" });
  const search = h("input", { type: "search", placeholder: "Search steps", "aria-label": "Search steps", oninput: narrow });
  const chips = h("div", { class: "chips", role: "group", "aria-label": "Show steps" });
  const count = h("p", { class: "dim small count", "aria-live": "off" });
  const main = h("main", { id: "main", class: "step", tabindex: "-1" });
  const side = h("aside", { class: "side", "aria-label": "Timeline" }, h("div", { class: "tools" }, search, chips, count), line.node);
  const back = h("button", { type: "button", class: "to-list plain", onclick: () => pane("list") }, "‹ All steps");
  const body = h("div", { class: "run-body", "data-pane": readRoute().step === null ? "list" : "step" }, side, h("div", { class: "main-box" }, back, main));
  put(main, h("p", { class: "opening" }, "Opening the run…"));
  put(place, head, h("div", { class: "ribbon-box" }, strip.node), tabs, body);

  function pane(name) {
    body.dataset.pane = name;
    if (name === "list") line.choose(chosen);
  }

  async function load() {
    try {
      take(await source.json(runId, "overview"));
    } catch (error) {
      put(main, empty(`The run cannot be opened: ${error.message}`));
      put(head, h("a", { class: "back", href: "#" }, "‹ Runs"), h("h1", {}, runId));
      return;
    }
    follow();
    await route();
    if (run.summary.state === "live") poll();
  }

  function take(next) {
    const decoded = rowsOf(next);
    if (run) {
      const changed = new Map(decoded.map((row) => [row.step, row]));
      rows = rows.map((row) => changed.get(row.step) ?? row);
      const last = rows.at(-1)?.step ?? 0;
      rows.push(...decoded.filter((row) => row.step > last));
    } else {
      rows = decoded;
    }
    run = { ...next, rows };
    label(rows);
    document.title = `${run.summary.question} · Walker`;
    drawHead();
    drawTabs();
    strip.show(rows);
    narrow();
  }

  async function poll() {
    clearTimeout(timer);
    try {
      const next = await source.json(runId, "overview", run.lines);
      if (!place.contains(main)) return;
      const isNews = next.lines !== run.lines || next.summary.state !== run.summary.state;
      const changed = new Set(next.rows.map((row) => row[0]));
      if (isNews) {
        for (const step of changed) cache.forget(step);
        take(next);
        const { view } = readRoute();
        if (follows && view === "steps" && rows.length && rows.at(-1).step !== chosen) choose(rows.at(-1).step, { replace: true });
        else if (view === "steps" && changed.has(chosen)) await showStep(chosen, null);
        else if (!["steps", "calls", "whatif", "search"].includes(view)) await showView(view);
      }
    } catch (error) {
      say(`The viewer does not answer: ${error.message}`);
    }
    if (run.summary.state === "live") timer = setTimeout(poll, document.hidden ? 4 * POLL : POLL);
  }

  function follow() {
    follows = run.summary.state === "live" && readRoute().step === null;
  }

  function drawHead() {
    const { summary } = run;
    const used = summary.prompt_tokens + summary.completion_tokens;
    const live = summary.state === "live";
    const words = summary.answer || (live ? "The walk is still going on…" : "No answer was given.");
    put(
      head,
      single ? h("span", { class: "brand small" }, h("span", { class: "logo", "aria-hidden": "true" }), "Walker") : h("a", { class: "back", href: "#" }, "‹ Runs"),
      h("div", { class: "asked" }, h("h1", {}, summary.question || runId), h("p", { class: summary.answer ? "answer" : "answer dim", title: words }, words)),
      h(
        "div",
        { class: "stats" },
        pill([live ? h("i", { class: "pulse", "aria-hidden": "true" }) : null, stateWord(summary)], stateKind(summary)),
        h("span", {}, plural(summary.pages, "page")),
        h("span", {}, seconds(summary.seconds)),
        summary.looks ? h("span", {}, plural(summary.looks, "look")) : null,
        used ? h("span", { title: `${number(summary.prompt_tokens)} in, ${number(summary.completion_tokens)} out` }, `${number(used)} tokens`) : null,
        summary.cost ? h("span", { title: "By the prices that were set for the walk" }, `cost ${money(summary.cost)}`) : null,
        h("span", { class: "dim" }, summary.model || "built-in minds"),
        summary.created > 1e6 ? h("span", { class: "dim" }, day(summary.created)) : null,
        live ? h("label", { class: "check" }, h("input", { type: "checkbox", checked: follows, onchange: (event) => { follows = event.target.checked; if (follows && rows.length) choose(rows.at(-1).step); } }), " follow") : null,
        h("button", { type: "button", class: "round", "aria-label": "Keyboard shortcuts", title: "Keyboard shortcuts (?)", onclick: help }, "?"),
      ),
      alarm(),
    );
  }

  function alarm() {
    const errors = problemsInOrder(run.problems).filter((problem) => problem.weight === "error");
    if (!errors.length) return null;
    const first = errors[0];
    return h("div", { class: "alarm", role: "alert" }, h("b", {}, plural(errors.length, "error")), h("span", { class: "text" }, first.text), h("a", { href: hashOf({ run: named, view: "problems" }) }, "show all"), first.step ? h("a", { href: hashOf({ run: named, step: first.step }) }, `go to step ${first.step}`) : null);
  }

  function drawTabs() {
    const { view } = readRoute();
    const counted = rows.some((row) => row.counted >= 0);
    const entries = [
      ["steps", "Steps", rows.length],
      ["search", "Search", null],
      ["map", "Site map", null],
      counted ? ["counter", "Counter", rows.findLast((row) => row.counted >= 0).counted] : null,
      run.summary.model_calls || run.summary.model ? ["calls", "Model calls", run.summary.model_calls] : null,
      rows.some((row) => row.trust >= 0) ? ["whatif", "What if", null] : null,
      ["time", "Time", null],
      ["problems", "Problems", run.problems.length + run.more_problems || null],
      ["record", "Record", null],
    ];
    put(tabs, entries.filter(Boolean).map(([name, label, many]) => h("a", { href: hashOf({ run: named, view: name, step: name === "steps" ? chosen : null }), "aria-current": view === name ? "page" : null }, label, many === null ? null : h("span", { class: "dim" }, number(many)))));
  }

  function narrow() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const [, , keeps] = FILTERS.find(([name]) => name === filter);
    const says = (row) => `${row.step} ${row.title} ${row.url} ${row.answer} ${row.why} ${row.move} ${row.reason}`.toLowerCase();
    shown = rows.filter((row) => keeps(row) && words.every((word) => says(row).includes(word)));
    put(chips, FILTERS.filter(([name, , test]) => name === "all" || rows.some(test)).map(([name, label, test]) => h("button", { type: "button", class: "chip", "aria-pressed": String(filter === name), onclick: () => { filter = name; narrow(); } }, label, name === "all" ? null : h("span", { class: "dim" }, number(rows.filter(test).length)))));
    put(count, shown.length === rows.length ? "" : `${number(shown.length)} of ${plural(rows.length, "step")} `, search.value.trim() ? h("a", { href: hashOf({ run: named, view: "search", words: search.value.trim() }) }, "Search all texts") : "");
    line.show(shown, rows);
    line.choose(chosen, { scroll: false });
  }

  // The address follows a moment later where keys are held down: browsers refuse to change it many times a second.
  function choose(step, { replace = false } = {}) {
    if (body.dataset.pane === "list") body.dataset.pane = "step";
    clearTimeout(naming);
    if (!replace || readRoute().view !== "steps") return void goTo({ run: named, step });
    naming = setTimeout(() => goTo({ run: named, step }, { replace: true, quiet: true }), 150);
    return void showStep(step, null);
  }

  async function route() {
    const { view, step, call, pane: wantedPane } = readRoute();
    drawTabs();
    body.dataset.view = view;
    if (view !== "steps") {
      body.dataset.pane = "step";
      current = null;
      return showView(view);
    }
    if (!rows.length) return put(main, empty(run.summary.state === "live" ? "The first page is being opened." : "The record holds no step."));
    const wanted = rows.find((row) => row.step === step) ?? (follows ? rows.at(-1) : rows.find((row) => row.sufficient) ?? rows[0]);
    return showStep(wanted.step, call, wantedPane);
  }

  async function showStep(step, call, view = null) {
    const turn = (asked += 1);
    const isNew = chosen !== step;
    chosen = step;
    line.choose(step);
    strip.choose(step);
    const row = rows.find((one) => one.step === step);
    const prices = { prompt: run.manifest.settings?.model?.prompt_price ?? 0, reply: run.manifest.settings?.model?.completion_price ?? 0 };
    try {
      const detail = await cache.get(step);
      if (turn !== asked) return;
      const context = { source, runId, prices, titles, rows: shown.some((one) => one.step === step) ? shown : rows, onStep: (one, quote = null) => { follows = false; wantedQuote = quote; choose(one); }, onView: (view) => goTo({ run: named, view }), share };
      current = stepPage(main, context, row, detail, { call, quote: wantedQuote, view });
      wantedQuote = null;
      if (isNew) main.scrollTop = 0;
      main.className = `step ${kindOf(row)}`;
    } catch (error) {
      if (turn === asked) put(main, empty(`Step ${step} cannot be shown: ${error.message}`));
    }
  }

  async function showView(view) {
    const turn = (asked += 1);
    const onStep = (step, call = null) => goTo({ run: named, step, call });
    main.className = `across ${view}`;
    try {
      if (view === "problems") return problemsView(main, run, { onStep });
      if (view === "search") return searchView(main, { ask: inTexts, titles, words: readRoute().words, steps: rows.length, onWords: (words) => goTo({ run: named, view, words }, { replace: true, quiet: true }), onHit });
      if (view === "record") return recordView(main, run);
      if (view === "time") return timeView(main, run, { onStep });
      put(main, h("p", { class: "opening" }, "Reading the record…"));
      const data = await source.json(runId, { map: "map", counter: "counting", calls: "calls", whatif: "gate" }[view] ?? "overview");
      if (turn !== asked) return null;
      if (view === "map") return mapView(main, data, { onStep, rows, chosen });
      if (view === "counter") return counterView(main, data, { onStep });
      if (view === "whatif") return whatifView(main, data, { onStep, ask: source.isLive ? (weights) => source.json(runId, "gate", weights.join(",")) : null });
      if (view === "calls") return callsView(data, onStep);
      return put(main, empty("There is no such view."));
    } catch (error) {
      return put(main, empty(`This cannot be shown: ${error.message}`));
    }
  }

  function titles(step) {
    return rows.find((row) => row.step === step)?.label ?? "";
  }

  async function inTexts(words) {
    if (source.isLive) return source.json(runId, "search", `=${encodeURIComponent(words)}`);
    texts ??= source.json(runId, "texts");
    return found(await texts, words);
  }

  // What a page says is marked in its text; a message opens with its call.
  function onHit({ step, kind, seq, words }) {
    follows = false;
    if (kind === "message" || kind === "reply") return goTo({ run: named, step, call: seq });
    wantedQuote = kind === "page" || kind === "finding" ? words : null;
    return goTo({ run: named, step });
  }

  function callsView({ calls }, onStep) {
    const { model } = run.manifest.settings ?? {};
    const prices = { prompt: model?.prompt_price ?? 0, reply: model?.completion_price ?? 0 };
    const load = async (row) => modelCalls((await cache.get(row.step)).events).find((one) => one.event.seq === row.seq);
    put(main, calls.length ? card("Calls of the model", callTotals(calls), calls.map((row) => callNode(row, () => load(row), { source, run: runId, prices, onStep, open: readRoute().call === row.seq }))) : empty("No model was asked in this walk."));
  }

  async function share() {
    const pane = current?.view() === "state" ? "state" : null;
    const link = new URL(hashOf({ ...readRoute(), pane }), location.href).href;
    try {
      await navigator.clipboard.writeText(link);
      say("The link is copied");
    } catch {
      prompt("Link to this step", link);
    }
  }

  function help() {
    const keys = [["j  ↓", "next step"], ["k  ↑", "previous step"], ["←", "the page below on the stack"], ["→", "the first page opened from here"], ["Home  End", "first and last step"], ["e", "next error"], ["1  2  3  4", "picture, page, text, state"], ["/", "search the steps"], ["s", "search all texts"], ["g", "back to the runs"], ["?", "this"]];
    const dialog = h("dialog", { class: "help", "aria-label": "Keyboard shortcuts" }, h("h2", {}, "Keyboard"), h("dl", { class: "facts" }, keys.map(([key, words]) => [h("dt", {}, key.split("  ").map((one) => h("kbd", {}, one))), h("dd", {}, words)])), h("form", { method: "dialog" }, h("button", { class: "plain" }, "Close")));
    dialog.addEventListener("close", () => dialog.remove());
    dialog.querySelector("button").addEventListener("click", (event) => { event.preventDefault(); dialog.close(); });
    document.body.append(dialog);
    dialog.showModal();
  }

  function key(event) {
    const list = shown.length ? shown : rows;
    const at = list.findIndex((row) => row.step === chosen);
    const row = rows.find((one) => one.step === chosen);
    const stepBy = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
    if (event.key === "?") help();
    else if (event.key === "/") search.focus();
    else if (event.key === "s") goTo({ run: named, view: "search" });
    else if (event.key === "g" && !single) location.hash = "";
    else if (readRoute().view !== "steps") return false;
    else if (stepBy) move(list[at < 0 ? 0 : at + stepBy]);
    else if (event.key === "Home") move(list[0]);
    else if (event.key === "End") move(list.at(-1));
    else if (event.key === "ArrowLeft") move(rows.find((one) => one.step === row?.parent));
    else if (event.key === "ArrowRight") move(rows.find((one) => one.parent === chosen));
    else if (event.key === "e") move([...rows.slice(rows.indexOf(row) + 1), ...rows].find((one) => one.errors || one.outcome === "failed" || one.outcome === "error"));
    else if (["1", "2", "3", "4"].includes(event.key)) current?.show(["picture", "page", "text", "state"][event.key - 1]);
    else return false;
    return true;
  }

  function move(row) {
    if (!row) return;
    follows = false;
    choose(row.step, { replace: true });
  }

  load();
  return { key, route: () => run && route(), leave: () => { clearTimeout(timer); clearTimeout(naming); } };
}

// The rows of an overview by the names of their columns.
export function rowsOf({ rows, columns }) {
  return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));
}

// Titles without what all of them end in: the name of the site.
export function label(rows) {
  const ends = new Map();
  const endOf = (title) => title.match(/\s+[·|–—-]\s+[^·|–—]+$/)?.[0] ?? "";
  for (const row of rows) if (endOf(row.title)) ends.set(endOf(row.title), (ends.get(endOf(row.title)) ?? 0) + 1);
  for (const row of rows) {
    const end = endOf(row.title);
    row.label = (ends.get(end) > 1 ? row.title.slice(0, -end.length) : row.title) || shortUrl(row.url) || "(no page)";
  }
}
