// The steps of a run as a list of which only the visible part exists, with the stack drawn beside it like branches.

/** @import { Row } from "../types.d.ts" */
/** @import { Lane } from "../record/lanes.js" */

import { h, s, say } from "../elements/dom.js";
import { thumbnail } from "../elements/parts.js";
import { rowMarks } from "../elements/row_marks.js";
import { shortUrl } from "../elements/words.js";
import { lanesOf } from "../record/lanes.js";
import { described, kindOf } from "../record/rows.js";

const ROW = 58;
/** Rows that are there above and below those that are seen. */
const MARGIN = 6;
/** Height of a list that is not laid out yet. */
const LIKELY_HEIGHT = 800;
const LEFT = 11;
const INDENT = 11;
const DEEPEST = 7;
const BEND = 9;

/**
 * @typedef {object} TimelineActions
 * @property {(digest: string) => Promise<string>} pictureUrl
 * @property {(step: number) => void} onChoose
 */

export class Timeline {
  #actions;
  /** @type {readonly Row[]} */
  #rows = [];
  /** @type {Map<number, Lane>} */
  #lanes = new Map();
  /** Place of each step's row. @type {Map<number, number>} */
  #places = new Map();
  #hasPictures = false;
  /** @type {number | null} */
  #chosen = null;
  /** Rows that exist, by place. @type {Map<number, HTMLElement>} */
  #drawn = new Map();
  #list = h("div", { class: "rows", role: "listbox", "aria-label": "Steps", tabindex: "0", id: "timeline" });

  /** @param {TimelineActions} actions */
  constructor(actions) {
    this.#actions = actions;
    this.node = h("div", { class: "timeline", onscroll: () => this.#draw() }, this.#list);
    new ResizeObserver(() => this.#draw()).observe(this.node);
  }

  /**
   * @param {readonly Row[]} rows those to show
   * @param {readonly Row[]} all
   */
  show(rows, all) {
    this.#rows = rows;
    this.#lanes = lanesOf(all);
    this.#places = new Map(rows.map((row, place) => [row.step, place]));
    this.#hasPictures = all.some((row) => row.picture);
    for (const node of this.#drawn.values()) node.remove();
    this.#drawn.clear();
    this.#list.style.height = `${rows.length * ROW}px`;
    this.#draw();
  }

  /**
   * @param {number | null} step
   * @param {{ scroll?: boolean }} [how]
   */
  choose(step, { scroll = true } = {}) {
    this.#chosen = step;
    for (const [at, node] of this.#drawn) node.setAttribute("aria-selected", String(this.#rows[at].step === step));
    const place = step === null ? undefined : this.#places.get(step);
    if (place === undefined) return;
    if (scroll) this.#bringIntoView(place);
    this.#draw();
    this.#list.setAttribute("aria-activedescendant", `step-${step}`);
    say(described(this.#rows[place]));
  }

  /** @param {number} place */
  #bringIntoView(place) {
    const top = place * ROW;
    const { scrollTop, clientHeight } = this.node;
    if (top < scrollTop + ROW) this.node.scrollTop = Math.max(0, top - ROW);
    else if (top + 2 * ROW > scrollTop + clientHeight) this.node.scrollTop = top + 2 * ROW - clientHeight;
  }

  #draw() {
    const { scrollTop, clientHeight } = this.node;
    const from = Math.max(0, Math.floor(scrollTop / ROW) - MARGIN);
    const bottom = Math.ceil((scrollTop + (clientHeight || LIKELY_HEIGHT)) / ROW);
    const to = Math.min(this.#rows.length, bottom + MARGIN);
    for (const [place, node] of this.#drawn) {
      if (place >= from && place < to) continue;
      node.remove();
      this.#drawn.delete(place);
    }
    for (let place = from; place < to; place += 1) {
      if (this.#drawn.has(place)) continue;
      const node = this.#rowNode(this.#rows[place], place);
      this.#drawn.set(place, node);
      this.#list.append(node);
    }
  }

  /**
   * @param {Row} row
   * @param {number} place
   */
  #rowNode(row, place) {
    const { onChoose, pictureUrl } = this.#actions;
    const where = row.why && row.outcome ? row.why : shortUrl(row.url);
    return h(
      "div",
      {
        class: `row ${kindOf(row)}`,
        id: `step-${row.step}`,
        role: "option",
        "aria-selected": String(row.step === this.#chosen),
        "aria-posinset": String(place + 1),
        "aria-setsize": String(this.#rows.length),
        "aria-label": described(row),
        onclick: () => onChoose(row.step),
        style: { transform: `translateY(${place * ROW}px)` },
      },
      rail(row, this.#lanes.get(row.step)),
      this.#hasPictures ? thumbnail(row.picture ? pictureUrl(row.picture) : null, true) : null,
      h(
        "div",
        { class: "what" },
        h("div", { class: "title" }, row.label),
        h("div", { class: "where" }, h("span", { class: "step" }, `${row.step}`), where),
      ),
      h("div", { class: "marks" }, rowMarks(row)),
    );
  }
}

/**
 * The branches of the stack that pass a row.
 * @param {Row} row
 * @param {Lane} [lane]
 */
function rail(row, lane = { through: [], above: 0, goesOn: false, deepest: 0 }) {
  const width = LEFT * 2 + Math.min(DEEPEST, lane.deepest) * INDENT;
  const middle = ROW / 2;
  const here = xOf(row.depth);
  const lines = lane.through.map((depth) => s("line", { x1: xOf(depth), x2: xOf(depth), y1: 0, y2: ROW }));
  return s(
    "svg",
    { class: "rail", width, height: ROW, "aria-hidden": "true" },
    lines,
    lane.above ? s("path", { d: bend(xOf(lane.above), here) }) : null,
    lane.goesOn ? s("line", { x1: here, x2: here, y1: middle, y2: ROW }) : null,
    s("circle", { cx: here, cy: middle, r: 4.5 }),
  );
}

/** @param {number} depth */
function xOf(depth) {
  return LEFT + Math.min(DEEPEST, Math.max(0, depth - 1)) * INDENT;
}

/**
 * @param {number} above
 * @param {number} here
 */
function bend(above, here) {
  const middle = ROW / 2;
  return `M${above} 0V${middle - BEND}Q${above} ${middle} ${Math.min(here, above + BEND)} ${middle}H${here}`;
}
