// The whole walk at a glance: a bar for each step, as high as the trust in its text, and the threshold across.

/** @import { Row } from "../types.d.ts" */

import { h } from "../elements/dom.js";
import { kindOf } from "../record/rows.js";

const HEIGHT = 46;
/** What a bar of full trust leaves free. */
const HEADROOM = 8;
const WIDEST = 48;
const COLOURS = ["bad", "off", "good", "look", "glance", "read", "ink"];

export class Ribbon {
  #onChoose;
  /** @type {readonly Row[]} */
  #rows = [];
  /** @type {number | null} */
  #chosen = null;
  /** Width of a step. */
  #each = 1;
  #canvas = h("canvas", {
    class: "ribbon",
    "aria-hidden": "true",
    onclick: (event) => this.#pick(event),
    onpointermove: (event) => this.#hint(event),
  });
  #here = h("div", { class: "ribbon-here", "aria-hidden": "true", hidden: true });

  /** @param {(step: number) => void} onChoose */
  constructor(onChoose) {
    this.#onChoose = onChoose;
    new ResizeObserver(() => this.#draw()).observe(this.#canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#draw());
    this.node = h("div", { class: "ribbon-box" }, this.#canvas, this.#here);
  }

  /** @param {readonly Row[]} rows */
  show(rows) {
    this.#rows = rows;
    this.#draw();
  }

  /** @param {number | null} step */
  choose(step) {
    this.#chosen = step;
    this.#mark();
  }

  /** @param {MouseEvent} event */
  #rowAt(event) {
    const place = Math.floor((event.clientX - this.#canvas.getBoundingClientRect().left) / this.#each);
    return this.#rows.at(Math.min(this.#rows.length - 1, Math.max(0, place)));
  }

  /** @param {MouseEvent} event */
  #pick(event) {
    const row = this.#rowAt(event);
    if (row) this.#onChoose(row.step);
  }

  /** @param {MouseEvent} event */
  #hint(event) {
    const row = this.#rowAt(event);
    const words = row && (row.trust >= 0 ? `trust ${row.trust} of 100` : row.why);
    this.#canvas.title = row ? `${row.step}  ${row.label}\n${words}` : "";
  }

  #draw() {
    const width = this.#canvas.clientWidth;
    const pen = width ? this.#canvas.getContext("2d") : null;
    if (!pen) return;
    const scale = devicePixelRatio || 1;
    this.#canvas.width = width * scale;
    this.#canvas.height = HEIGHT * scale;
    pen.scale(scale, scale);
    this.#each = Math.min(WIDEST, width / Math.max(1, this.#rows.length));
    const colours = resolved(this.#canvas, COLOURS);
    drawBars(pen, this.#rows, this.#each, colours);
    const threshold = this.#rows.find((row) => row.threshold)?.threshold;
    if (threshold) drawThreshold(pen, threshold, Math.min(width, this.#rows.length * this.#each), colours.ink);
    this.#mark();
  }

  #mark() {
    const place = this.#rows.findIndex((row) => row.step === this.#chosen);
    this.#here.hidden = place < 0;
    this.#here.style.width = `${Math.max(3, this.#each - 2)}px`;
    this.#here.style.transform = `translateX(${place * this.#each}px)`;
  }
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {readonly Row[]} rows
 * @param {number} each
 * @param {Record<string, string>} colours
 */
function drawBars(pen, rows, each, colours) {
  const gap = each > 4 ? 2 : each > 2 ? 1 : 0;
  pen.globalAlpha = 0.7;
  rows.forEach((row, place) => {
    const high = row.trust >= 0 ? Math.max(3, (row.trust / 100) * (HEIGHT - HEADROOM)) : 6;
    pen.fillStyle = colours[kindOf(row)];
    if (each > 6) {
      pen.beginPath();
      pen.roundRect(place * each, HEIGHT - high, each - gap, high, 2);
      pen.fill();
    } else {
      pen.fillRect(place * each, HEIGHT - high, Math.max(0.5, each - gap), high);
    }
  });
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {number} threshold
 * @param {number} width
 * @param {string} colour
 */
function drawThreshold(pen, threshold, width, colour) {
  const y = HEIGHT - (threshold / 100) * (HEIGHT - HEADROOM);
  pen.globalAlpha = 0.5;
  pen.strokeStyle = colour;
  pen.setLineDash([3, 4]);
  pen.beginPath();
  pen.moveTo(0, y);
  pen.lineTo(width, y);
  pen.stroke();
}

/**
 * Colours of the style sheet by name. A canvas takes no light-dark(): the browser resolves it on a node.
 * @param {Element} near
 * @param {readonly string[]} names
 * @returns {Record<string, string>}
 */
function resolved(near, names) {
  const probe = h("i", { style: { display: "none" } });
  near.parentNode?.append(probe);
  const style = getComputedStyle(probe);
  const colours = names.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, style.color];
  });
  probe.remove();
  return Object.fromEntries(colours);
}
