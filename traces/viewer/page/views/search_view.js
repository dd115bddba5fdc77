// Search in all that was read and said: pages, messages of models, findings, verdicts. The server reads the walk while it answers
// and is asked again until it has read all of it; a page that stands alone looks through the texts that it holds.

/** @import { Hit, Hits } from "../types.d.ts" */

import { h, put, say } from "../elements/dom.js";
import { chip, dim, empty, pill } from "../elements/parts.js";
import { messageOf, number, plural } from "../elements/words.js";
import { LEAD } from "../record/found_passages.js";

/** Milliseconds from the last letter to the question. */
const WAIT = 200;
/** @type {Record<string, { label: string; tone: string }>} */
const KINDS = {
  page: { label: "page", tone: "" },
  message: { label: "to the model", tone: "live" },
  reply: { label: "from the model", tone: "look" },
  finding: { label: "finding", tone: "good" },
  verdict: { label: "verdict", tone: "good" },
};
const ADVICE =
  "Every word must stand in the text. What a page says is searched as the reader took it, hidden text included; " +
  "system prompts are not.";

/** @typedef {{ step: number; kind: string; seq: number; words: string }} ChosenHit */

/**
 * @typedef {object} SearchContext
 * @property {(words: string) => Promise<Hits>} ask
 * @property {(step: number) => string} titles
 * @property {string} words those to begin with
 * @property {number} steps of the run
 * @property {(words: string) => void} onWords
 * @property {(hit: ChosenHit) => void} onHit
 */

export class SearchView {
  #context;
  #place;
  #timer = 0;
  /** Only the answer to the last question counts. */
  #asked = 0;
  #kind = "";
  #input;
  #chips = h("div", { class: "chips", role: "group", "aria-label": "Show" });
  #note = h("p", { class: "hint", "aria-live": "off" });
  #list = h("ol", { class: "hits" });

  /**
   * @param {Element} place
   * @param {SearchContext} context
   */
  constructor(place, context) {
    this.#place = place;
    this.#context = context;
    this.#input = h("input", {
      type: "search",
      placeholder: "Search pages, messages, findings",
      "aria-label": "Search all texts of the walk",
      value: context.words,
      oninput: () => this.#lookSoon(),
    });
    const tools = h("div", { class: "tools" }, this.#input, this.#chips);
    put(place, h("div", { class: "search-box" }, tools, this.#note, this.#list));
    if (context.words) this.#look();
    else put(this.#note, ADVICE);
    requestAnimationFrame(() => this.#input.focus({ preventScroll: true }));
  }

  #lookSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), WAIT);
  }

  async #look() {
    this.#asked += 1;
    const asked = this.#asked;
    const words = this.#input.value.trim();
    this.#context.onWords(words);
    this.#kind = "";
    if (!words) {
      for (const node of [this.#list, this.#chips, this.#note]) put(node);
      return;
    }
    try {
      await this.#lookUntilDone(words, asked);
    } catch (error) {
      if (asked === this.#asked) put(this.#list, empty(`The search failed: ${messageOf(error)}`));
    }
  }

  /**
   * @param {string} words
   * @param {number} asked
   */
  async #lookUntilDone(words, asked) {
    for (;;) {
      const hits = await this.#context.ask(words);
      if (asked !== this.#asked || !this.#place.contains(this.#list)) return;
      this.#draw(hits);
      if (hits.is_done) {
        say(`${plural(hits.found, "text")} found`);
        return;
      }
    }
  }

  /** @param {Hits} answer */
  #draw(answer) {
    const { hits } = answer;
    const kinds = Object.keys(KINDS).filter((name) => hits.some(([, kind]) => kind === name));
    const chips = ["", ...kinds].map((name) => {
      const count = hits.filter(([, kind]) => !name || kind === name).length;
      return chip(name ? KINDS[name].label : "All", count, this.#kind === name, () => {
        this.#kind = name;
        this.#draw(answer);
      });
    });
    put(this.#chips, kinds.length > 1 ? chips : null);
    const shown = hits.filter(([, kind]) => !this.#kind || kind === this.#kind);
    put(
      this.#list,
      shown.map((hit) => hitNode(hit, this.#context)),
    );
    put(this.#note, noteOf(answer, this.#context.steps));
  }
}

/**
 * @param {Hits} hits
 * @param {number} steps
 */
function noteOf({ hits, found, read_steps: read, is_done: isDone, is_cut: isCut }, steps) {
  const count = `${plural(found, "text")} found`;
  const soFar = `step ${number(read)} of ${number(steps)}`;
  if (!isDone) return `${count} so far; read up to ${soFar}…`;
  const more = found > hits.length ? `; the first ${number(hits.length)} are shown` : "";
  return `${count}${more}${isCut ? `. There is too much text: searched up to ${soFar}` : ""}`;
}

/**
 * @param {Hit} hit
 * @param {SearchContext} context
 */
function hitNode([step, kind, seq, before, words, after], { titles, onHit }) {
  const { label, tone } = KINDS[kind] ?? { label: kind, tone: "" };
  const where = h("b", {}, step ? `Step ${step}` : "Before the first page");
  const [begin, end] = [before, after].map((text) => (text.length === LEAD ? "…" : ""));
  return h(
    "li",
    {},
    h(
      "button",
      { type: "button", class: "hit", onclick: () => onHit({ step, kind, seq, words }) },
      h("span", { class: "hit-head" }, where, dim(titles(step)), pill(label, tone)),
      h("span", { class: "hit-text" }, begin, before, h("mark", {}, words), after, end),
    ),
  );
}
