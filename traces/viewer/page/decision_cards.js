// Why the walk did what it did at one step: how well the text was understood, what the gate made of it, what was found, what was
// judged, what was proposed, refused and done, and the stack before and after.

import { card, h, number, pill, plural, shortUrl } from "./dom.js";
import { list } from "./quotes.js";

const PARTS = [
  ["text_quality", "Text", 25, ["length", "characters", "format"]],
  ["relevance", "Relevance", 40, ["relevance"]],
  ["clarity", "Clarity", 20, ["paragraphs", "navigation", "density"]],
  ["special", "Special", 15, []],
];
const GATE_WORDS = { intercept: "to begin with", understanding: "how well the text is understood", answered: "the text answers the question", blind: "meaning outside the text", gap: "what is asked for is not spoken of" };
const CHOICES = { read: "read the text", glance: "glance at the picture", look: "ask the vision model" };

export function understandingCard(detail) {
  const scored = detail.events.filter((event) => event.k === "us");
  const gates = detail.events.filter((event) => event.k === "gate");
  if (!scored.length && !gates.length) return null;
  const last = scored.at(-1)?.d;
  return card(
    "Understanding and gate",
    last ? h("b", { class: "big" }, last.score.toFixed(0), h("span", { class: "dim" }, " / 100")) : null,
    scored.map((event, place) => h("div", { class: "scored" }, scored.length > 1 ? h("p", { class: "dim small" }, place === 0 ? "The text alone" : "With what was seen") : null, scoreBar(event.d), place === scored.length - 1 ? terms(event.d) : null)),
    gates.map((event, place) => gateNode(event.d, gates.length > 1 ? place : -1)),
  );
}

function scoreBar(d) {
  const words = PARTS.map(([name, label, most]) => `${label} ${d[name].toFixed(0)} of ${most}`).join(", ");
  return h(
    "div",
    { class: "score", role: "img", "aria-label": `Understanding ${d.score.toFixed(0)} of 100: ${words}` },
    h("div", { class: "bar parts" }, PARTS.map(([name, , most]) => h("div", { class: `room ${name}`, style: { "flex-grow": String(most) } }, h("div", { class: "full", style: { width: `${Math.max(0, Math.min(1, d[name] / most)) * 100}%` } })))),
    h("div", { class: "labels" }, PARTS.map(([name, label, most]) => h("div", { class: name }, h("span", {}, label), h("b", {}, d[name].toFixed(0)), h("span", { class: "dim" }, `/${most}`)))),
  );
}

function terms(d) {
  const rows = Object.entries(d.terms ?? {});
  return h("details", { class: "more" }, h("summary", {}, "Every term"), h("table", { class: "terms" }, h("tbody", {}, rows.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: value < 0 ? "number bad" : "number" }, value.toFixed(1)))))));
}

function gateNode(d, round) {
  const strongest = Math.max(1, ...Object.values(d.terms ?? {}).map(Math.abs));
  const isTrusted = d.score >= d.threshold;
  return h(
    "div",
    { class: "gate" },
    h("div", { class: "gate-head" }, h("span", {}, round >= 0 ? `Gate, round ${round + 1}: ` : "Gate: ", h("b", {}, CHOICES[d.choice] ?? d.choice)), h("span", { class: "dim" }, d.reason)),
    h(
      "div",
      { class: `trust ${isTrusted ? "good" : "warn"}`, role: "img", "aria-label": `Trust in the text ${d.score.toFixed(1)} of 100, threshold ${d.threshold}` },
      h("div", { class: "bar" }, h("div", { class: "full", style: { width: `${d.score}%` } }), h("div", { class: "threshold", style: { left: `${d.threshold}%` } }, h("span", {}, `threshold ${number(d.threshold)}`))),
      h("div", { class: "trust-words" }, `trust ${d.score.toFixed(1)}`),
    ),
    h("details", { class: "more" }, h("summary", {}, "What each input adds"), h("ul", { class: "forces" }, Object.entries(d.terms ?? {}).map(([name, value]) => h("li", {}, h("span", { class: "name" }, GATE_WORDS[name] ?? name), h("span", { class: "force", "aria-hidden": "true" }, h("span", { class: value < 0 ? "against" : "for", style: { width: `${(Math.abs(value) / strongest) * 50}%` } })), h("span", { class: "number" }, `${value > 0 ? "+" : ""}${value.toFixed(2)}`))))),
  );
}

export function findingsCard(detail, quotes, { onQuote }) {
  const found = detail.events.filter((event) => event.k === "findings").flatMap((event) => list(event.d.findings));
  const items = detail.events.filter((event) => event.k === "findings").reduce((sum, event) => sum + (event.d.items || 0), 0);
  const isCounted = detail.events.some((event) => event.k === "counter" && event.d.mode !== "none");
  if (!found.length && (!items || isCounted)) return null;
  return card(
    "Found here",
    [found.length ? plural(found.length, "finding") : "", items ? plural(items, "item") : ""].filter(Boolean).join(", "),
    h("ul", { class: "findings" }, found.map((finding) => h("li", {}, h("p", { class: "says" }, finding.text || "…", finding.score !== undefined ? h("span", { class: "dim small" }, ` ${(finding.score * 100).toFixed(0)} %`) : null), finding.quote ? h("button", { type: "button", class: "quote", title: "Show it in the page", onclick: () => onQuote(finding.quote) }, finding.quote) : null))),
  );
}

export function verdictCard(detail, { onQuote }) {
  const event = detail.events.findLast((one) => one.k === "verdict");
  if (!event) return null;
  const d = event.d;
  return card(
    "Verdict",
    d.sufficient ? pill("enough", "good") : pill("not enough yet", ""),
    d.answer ? h("p", { class: "says large" }, d.answer, h("span", { class: "dim small" }, `  confidence ${Number(d.confidence).toFixed(2)}`)) : null,
    d.reason ? h("p", { class: "dim" }, d.reason) : null,
    list(d.citations).map((citation) => h("div", { class: "citation" }, h("button", { type: "button", class: "quote cited", title: "Show it in the page", onclick: () => onQuote(citation.quote, citation.url) }, citation.quote), h("span", { class: "dim small" }, shortUrl(citation.url ?? "")))),
    list(d.missing).length ? h("p", { class: "small" }, h("span", { class: "dim" }, "Still looking for: "), d.missing.join("; ")) : null,
  );
}

export function arrivalCard(detail) {
  const parts = [];
  for (const { k, d } of detail.events) {
    if (k === "page.open") {
      if (list(d.redirects).length) parts.push(h("p", { class: "small" }, h("span", { class: "dim" }, "Redirected from "), d.redirects.map(shortUrl).join(" → ")));
      for (const notice of list(d.notices)) parts.push(h("p", { class: "small" }, pill("notice", "warn"), " ", typeof notice === "string" ? notice : `${notice.kind}: ${notice.text}`));
    }
    if (k === "page.fail") parts.push(h("p", {}, pill(d.kind, "bad"), " ", d.message));
    if (k === "page.reject") parts.push(h("p", {}, pill(`left: ${d.reason}`, "off"), " ", d.detail));
    if (k === "look") parts.push(h("p", { class: "small" }, pill("looked", "look"), ` ${d.model}: ${plural(d.texts, "text")} in ${plural(d.regions ?? 0, "rectangle")}`, list(d.notes).map((note) => h("span", { class: "dim block" }, note))));
    if (k === "crop") parts.push(h("p", { class: "small" }, pill("cropped", "look"), ` a part of picture ${d.image_index}, ${d.scale} times as large, is picture ${d.number}`, d.failure ? h("span", { class: "dim block" }, d.failure) : null));
    if (k === "error") parts.push(h("p", {}, pill(d.error, "bad"), " ", d.message));
  }
  return parts.length ? card("What happened", null, parts) : null;
}

export function moveCard(detail) {
  const steps = detail.events.filter((event) => ["proposal", "refusal", "move"].includes(event.k));
  if (!steps.length) return null;
  return card(
    "Next move",
    null,
    h(
      "ol",
      { class: "moves" },
      steps.map(({ k, d }) => {
        if (k === "refusal") return h("li", { class: "refused" }, pill("refused", "bad"), " ", h("span", {}, d.reason));
        if (k === "move") return h("li", { class: "taken" }, pill(d.move, "good"), " ", d.url ? h("span", { class: "url" }, shortUrl(d.url)) : null, h("span", { class: "dim block" }, d.reason));
        const { reason, ...rest } = d.detail ?? {};
        const words = Object.entries(rest).map(([name, value]) => `${name.replace("_id", "").replace("_", " ")} ${value}`).join(", ");
        return h("li", { class: "proposed" }, h("span", { class: "dim" }, "proposed "), h("b", {}, d.action), words ? ` ${words}` : "", reason ? h("span", { class: "dim block" }, reason) : null);
      }),
    ),
  );
}

export function stackCard(detail, { onStep, titles }) {
  const before = detail.before;
  const after = detail.after;
  if (!before.length && !after.length) return null;
  let same = 0;
  while (same < before.length && same < after.length && before[same].url === after[same].url) same += 1;
  const moves = detail.events.filter((event) => event.k === "stack").map((event) => event.d.change);
  const column = (title, frames, kind) =>
    h(
      "div",
      { class: "stack" },
      h("h4", {}, title, h("span", { class: "dim" }, ` depth ${frames.length}`)),
      frames.length
        ? h("ol", {}, frames.map((frame, depth) => h("li", { class: depth >= same ? kind : "", style: { "--depth": String(Math.min(depth, 8)) } }, frame.step ? h("button", { type: "button", class: "link", title: frame.url, onclick: () => onStep(frame.step) }, h("span", { class: "dim" }, `${frame.step} `), titles(frame.step) || shortUrl(frame.url)) : h("span", { title: frame.url }, shortUrl(frame.url)))))
        : h("p", { class: "dim small" }, "empty"),
    );
  return card("Stack", moves.length ? moves.map((move) => pill(move, move === "push" ? "good" : move === "stay" ? "" : "warn")) : "unchanged", h("div", { class: "stacks" }, column("Before", before, "gone"), column("After", after, "new")));
}

export function counterCard(detail, quotes, { onQuote, onCounter }) {
  const events = detail.events.filter((event) => event.k === "counter" && event.d.mode !== "none");
  if (!events.length) return null;
  const d = events.at(-1).d;
  const added = events.flatMap((event) => list(event.d.added));
  const merged = events.flatMap((event) => list(event.d.merged));
  const full = d.target ? Math.min(1, d.found / d.target) : 0;
  return card(
    "Counter",
    [h("b", { class: "big" }, number(d.found)), d.target ? h("span", { class: "dim" }, ` of ${number(d.target)}`) : null],
    d.target ? h("div", { class: "bar slim" }, h("div", { class: "full", style: { width: `${full * 100}%` } })) : null,
    h("p", { class: "small dim" }, `${d.mode === "quota" ? "Looks for a number of distinct items" : "Counts a whole list"}${d.done ? d.complete ? "; complete" : "; done, a lower bound" : ""}`),
    added.length ? h("ul", { class: "items" }, added.map((item) => h("li", {}, h("button", { type: "button", class: "quote found", title: "Show it in the page", onclick: () => onQuote(item.quote || item.name) }, item.name)))) : null,
    merged.length ? h("details", { class: "more", open: merged.length < 6 }, h("summary", {}, `Merged (${merged.length})`), h("ul", {}, merged.map((merge) => h("li", { class: "small" }, merge.name, h("span", { class: "dim" }, ` is ${merge.into}: ${merge.reason}${merge.similarity < 1 ? ` (${Math.round(merge.similarity * 100)} %)` : ""}`))))) : null,
    h("button", { type: "button", class: "link small", onclick: onCounter }, "All items of the walk"),
  );
}

