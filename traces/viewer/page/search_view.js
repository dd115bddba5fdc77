// Search in all that was read and said: pages, messages of models, findings, verdicts. The server reads the walk while it answers
// and is asked again until it has read all of it; a page that stands alone looks through the texts that it holds.

import { empty, h, number, pill, plural, put, say } from "./dom.js";

const WAIT = 200;
const MOST_HITS = 300;
const LEAD = 60;
const KINDS = { page: ["page", ""], message: ["to the model", "live"], reply: ["from the model", "look"], finding: ["finding", "good"], verdict: ["verdict", "good"] };

// As the server finds them: every word within a text, the whole phrase shown where it stands there.
export function found(passages, words) {
  const phrase = words.toLowerCase().split(/\s+/).filter(Boolean).join(" ");
  const parts = [...new Set(phrase.split(" "))].filter(Boolean);
  const all = parts.length ? passages.filter((passage) => parts.every((part) => lowered(passage).includes(part))) : [];
  return { hits: all.slice(0, MOST_HITS).map((passage) => hit(passage, lowered(passage).includes(phrase) ? phrase : parts[0])), found: all.length, read_steps: 0, is_done: true, is_cut: false };
}

const low = new WeakMap();

function lowered(passage) {
  if (!low.has(passage)) low.set(passage, passage[3].toLowerCase());
  return low.get(passage);
}

function hit(passage, words) {
  const [step, kind, seq, text] = passage;
  const start = Math.min(lowered(passage).indexOf(words), text.length);
  const end = start + words.length;
  return [step, kind, seq, text.slice(Math.max(0, start - LEAD), start), text.slice(start, end), text.slice(end, end + LEAD)];
}

export function searchView(place, { ask, titles, words, steps, onWords, onHit }) {
  let timer = 0;
  let turn = 0;
  let kind = "";
  let last;
  const input = h("input", { type: "search", placeholder: "Search pages, messages, findings", "aria-label": "Search all texts of the walk", value: words, oninput: () => { clearTimeout(timer); timer = setTimeout(look, WAIT); } });
  const chips = h("div", { class: "chips", role: "group", "aria-label": "Show" });
  const note = h("p", { class: "hint", "aria-live": "off" });
  const list = h("ol", { class: "hits" });
  put(place, h("div", { class: "search-box" }, h("div", { class: "tools" }, input, chips), note, list));
  if (words) look();
  else put(note, "Every word must stand in the text. What a page says is searched as the reader took it, hidden text included; system prompts are not.");
  requestAnimationFrame(() => input.focus({ preventScroll: true }));

  async function look() {
    const mine = (turn += 1);
    const wanted = input.value.trim();
    onWords(wanted);
    kind = "";
    if (!wanted) {
      for (const node of [list, chips, note]) put(node);
      return;
    }
    try {
      for (let isDone = false; !isDone; ) {
        const next = await ask(wanted);
        if (mine !== turn || !place.contains(list)) return;
        isDone = next.is_done;
        last = next;
        draw();
      }
      say(`${plural(last.found, "text")} found`);
    } catch (error) {
      if (mine === turn) put(list, empty(`The search failed: ${error.message}`));
    }
  }

  function draw() {
    const kinds = Object.keys(KINDS).filter((name) => last.hits.some((one) => one[1] === name));
    put(chips, kinds.length > 1 ? ["", ...kinds].map((name) => h("button", { type: "button", class: "chip", "aria-pressed": String(kind === name), onclick: () => { kind = name; draw(); } }, name ? KINDS[name][0] : "All", h("span", { class: "dim" }, number(name ? last.hits.filter((one) => one[1] === name).length : last.hits.length)))) : "");
    const shown = last.hits.filter((one) => !kind || one[1] === kind);
    put(list, shown.map(hitNode));
    const more = last.found > last.hits.length ? `; the first ${number(last.hits.length)} are shown` : "";
    put(note, last.is_done ? `${plural(last.found, "text")} found${more}${last.is_cut ? `. There is too much text: searched up to step ${number(last.read_steps)} of ${number(steps)}` : ""}` : `${plural(last.found, "text")} found so far; read up to step ${number(last.read_steps)} of ${number(steps)}…`);
  }

  function hitNode([step, what, seq, before, match, after]) {
    const [label, tone] = KINDS[what] ?? [what, ""];
    return h("li", {}, h("button", { type: "button", class: "hit", onclick: () => onHit({ step, kind: what, seq, words: match }) }, h("span", { class: "hit-head" }, h("b", {}, step ? `Step ${step}` : "Before the first page"), h("span", { class: "dim" }, titles(step)), pill(label, tone)), h("span", { class: "hit-text" }, before.length === LEAD ? "…" : "", before, h("mark", {}, match), after, after.length === LEAD ? "…" : "")));
  }
}
