// One step: what the page was on the left, why the walk did what it did on the right.

import { callNode, callTotals, json, modelCalls, rowOf } from "./calls_panel.js";
import { card, empty, h, pill, put, seconds, shortUrl } from "./dom.js";
import { arrivalCard, counterCard, findingsCard, moveCard, stackCard, understandingCard, verdictCard } from "./decision_cards.js";
import { digestOf, picturePanel, picturesOf } from "./picture_panel.js";
import { quotesOf } from "./quotes.js";
import { recordedPage } from "./recorded_page.js";
import { statePanel } from "./state_panel.js";
import { textPanel } from "./text_panel.js";
import { spansOf, waterfall } from "./waterfall.js";

const VIEWS = [
  ["picture", "Picture"],
  ["page", "Page"],
  ["text", "Text"],
  ["state", "State"],
];
const remembered = { view: null };
const KEPT = 12;

// The details of steps, the last ones used.
export function stepCache(source, run) {
  const details = new Map();
  return {
    forget: (step) => details.delete(step),
    get(step) {
      const found = details.get(step) ?? source.json(run, "steps", step);
      details.delete(step);
      details.set(step, found);
      found.catch(() => details.delete(step));
      while (details.size > KEPT) details.delete(details.keys().next().value);
      return found;
    },
  };
}

export function stepPage(place, context, row, detail, { call, quote, view: wantedView }) {
  const { source, runId, prices, onStep, onView, titles } = context;
  const quotes = quotesOf(detail);
  const left = h("div", { class: "seen" });
  const pane = h("div", { class: "view", id: "view", role: "tabpanel" });
  const tabs = h("div", { class: "segments", role: "tablist", "aria-label": "The page of this step" });
  const hasPicture = picturesOf(detail).length > 0;
  const html = htmlOf(detail);
  let reading = null;

  function observation() {
    const ref = readingOf(detail);
    reading ??= ref ? source.text(runId, digestOf(ref)).then(JSON.parse) : Promise.resolve(null);
    return reading;
  }

  function choose(view) {
    for (const tab of tabs.children) {
      tab.setAttribute("aria-selected", String(tab.dataset.view === view));
      tab.tabIndex = tab.dataset.view === view ? 0 : -1;
    }
  }

  async function show(view, extra = null) {
    remembered.view = view;
    choose(view);
    const wanted = extra ? [{ words: extra.replace(/\s+/g, " ").trim(), kind: "cited" }] : quotes;
    pane.dataset.view = view;
    try {
      if (view === "picture") picturePanel(pane, { source, run: runId, detail, observation: await observation().catch(() => null) });
      if (view === "text") textPanel(pane, await observation(), wanted);
      if (view === "state") await statePanel(pane, { source, run: runId, step: row.step, onStep });
      if (view === "page") {
        if (!html) put(pane, empty("No page is on record for this step."));
        else recordedPage(pane, await source.text(runId, digestOf(html)), wanted);
      }
      if (extra) pane.querySelector("mark.cited")?.scrollIntoView({ block: "center" });
    } catch (error) {
      put(pane, empty(`This cannot be shown: ${error.message}`));
    }
  }

  const turn = (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const place = VIEWS.findIndex(([name]) => name === remembered.view);
    const [next] = VIEWS[(place + by + VIEWS.length) % VIEWS.length];
    show(next);
    tabs.children[VIEWS.findIndex(([name]) => name === next)].focus();
    event.stopPropagation();
  };
  tabs.addEventListener("keydown", turn);
  put(tabs, VIEWS.map(([name, label]) => h("button", { type: "button", role: "tab", "data-view": name, "aria-controls": "view", onclick: () => show(name) }, label, name === "picture" && !hasPicture ? h("span", { class: "dim" }, " –") : null)));
  put(left, tabs, pane);

  // A quote may stand on a page that was read before.
  const onQuote = (quote, url) => {
    const there = url && url !== row.url ? context.rows.findLast((one) => one.url === url) : null;
    if (there) context.onStep(there.step, quote);
    else show("text", quote);
  };
  const calls = modelCalls(detail.events);
  const last = detail.events.at(-1);
  const right = h(
    "div",
    { class: "why" },
    damage(detail),
    arrivalCard(detail),
    verdictCard(detail, { onQuote }),
    findingsCard(detail, quotes, { onQuote }),
    counterCard(detail, quotes, { onQuote, onCounter: () => onView("counter") }),
    understandingCard(detail),
    moveCard(detail),
    stackCard(detail, { onStep, titles }),
    calls.length ? card("Model calls", callTotals(calls.map(rowOf)), calls.map((one) => callNode(rowOf(one), () => one, { source, run: runId, prices, open: call === one.event.seq }))) : null,
    card("Time", seconds((last.t - detail.began) / 1e6), waterfall(spansOf(detail.events), { from: detail.began / 1e6, to: last.t / 1e6 })),
    eventsCard(detail, call),
  );
  put(place, heading(row, detail, context), h("div", { class: "columns" }, left, right));
  // The page itself is drawn behind the words about it, and not at all where the reader has moved on by then.
  if (VIEWS.some(([name]) => name === wantedView)) remembered.view = wantedView;
  const view = remembered.view === null || (remembered.view === "picture" && !hasPicture) ? (hasPicture ? "picture" : "page") : remembered.view;
  choose(quote ? "text" : view);
  requestAnimationFrame(() => setTimeout(() => {
    if (pane.isConnected && pane.dataset.view === undefined) show(quote ? "text" : view, quote);
  }));
  if (call !== null) right.querySelector(`#call-${call}, #event-${call}`)?.scrollIntoView({ block: "center" });
  return { show, view: () => remembered.view };
}

function heading(row, detail, { onStep, rows, share }) {
  const at = rows.findIndex((one) => one.step === row.step);
  const step = (by, label, sign) => h("button", { type: "button", class: "round", "aria-label": label, title: label, disabled: !rows[at + by], onclick: () => onStep(rows[at + by].step) }, sign);
  const isWeb = /^https?:/.test(row.url);
  return h(
    "header",
    { class: "step-head" },
    h("div", { class: "step-words" }, h("p", { class: "dim small" }, `Step ${row.step}`, row.status ? ` · HTTP ${row.status}` : "", row.depth ? ` · depth ${row.depth}` : ""), h("h2", { tabindex: "-1" }, row.title || shortUrl(row.url) || `Step ${row.step}`), h("p", { class: "url", title: row.url }, isWeb ? row.url : row.url || "")),
    h("div", { class: "step-tools" }, h("button", { type: "button", class: "plain", onclick: share, title: "Copy a link to this step" }, "Copy link"), step(-1, "Previous step", "‹"), step(1, "Next step", "›")),
  );
}

// A step may open more than its page: an address that cannot exist is probed now and then. The page is the one that was noted.
function htmlOf(detail) {
  const pages = detail.events.filter((event) => event.k === "call" && event.d.seam === "browser" && event.d.outcome?.html?.$b).map((event) => event.d.outcome.html);
  const noted = notedDigest(detail);
  return pages.findLast((page) => digestOf(page) === noted) ?? (noted ? pages[0] : pages.at(-1));
}

function readingOf(detail) {
  const readings = detail.events.filter((event) => event.k === "call" && event.d.seam === "reader" && event.d.outcome?.$b);
  const page = htmlOf(detail);
  const start = (page ? digestOf(page) : notedDigest(detail)).slice(0, 16);
  return (readings.findLast((event) => event.d.request?.html === start) ?? readings[0])?.d.outcome;
}

function notedDigest(detail) {
  return detail.events.findLast((event) => event.k === "page.open")?.d.html_sha256 ?? "";
}

function damage(detail) {
  const hurt = detail.events.filter((event) => event.damage);
  const missing = detail.events.flatMap((event) => Object.entries(event.d ?? {}).flatMap(([name, value]) => (missingIn(value) ? [`${event.k}, ${name}: ${missingIn(value)}`] : [])));
  if (!hurt.length && !missing.length) return null;
  return h("section", { class: "card alarm", "aria-label": "Damage" }, h("header", {}, h("h3", {}, "The record is damaged here")), h("ul", {}, hurt.map((event) => h("li", {}, h("b", {}, `Line ${event.line}: `), event.damage)), missing.map((words) => h("li", {}, words))));
}

function missingIn(value) {
  if (!value || typeof value !== "object") return "";
  if (value.$missing) return value.$missing;
  return Object.values(value).map(missingIn).find(Boolean) ?? "";
}

function eventsCard(detail, chosen) {
  const node = h("div", {});
  const details = h("details", { class: "more", open: detail.events.some((event) => event.seq === chosen && event.d.seam !== "chat") }, h("summary", {}, `All ${detail.events.length} events as recorded`), node);
  const fill = () => {
    if (!details.open || node.childElementCount) return;
    node.append(...detail.events.map((event) => {
      const body = h("div", {});
      const one = h("details", { class: "event", id: `event-${event.seq}`, open: event.seq === chosen }, h("summary", {}, h("code", {}, event.k), " ", h("span", { class: "dim" }, event.d.seam ? `${event.d.seam}.${event.d.method}` : ""), event.damage ? pill("damaged", "bad") : "", h("span", { class: "dim number" }, seconds(event.t / 1e6))), body);
      const open = () => { if (one.open && !body.childElementCount) body.append(json(event.d)); };
      one.addEventListener("toggle", open);
      open();
      return one;
    }));
  };
  details.addEventListener("toggle", fill);
  fill();
  return card("Record", `lines ${detail.events[0].line} to ${detail.events.at(-1).line}`, details);
}
