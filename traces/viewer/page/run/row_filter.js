// Which steps of a run are listed: those of a kind, those that hold certain words.

/** @import { Row } from "../types.d.ts" */

import { h, put } from "../elements/dom.js";
import { chip } from "../elements/parts.js";
import { number, plural, wordsOf } from "../elements/words.js";
import { hashOf } from "../route.js";

/** @type {readonly { name: string; label: string; keeps: (row: Row) => boolean }[]} */
const FILTERS = [
  { name: "all", label: "All", keeps: () => true },
  { name: "found", label: "Found", keeps: (row) => row.findings !== 0 || row.items > 0 },
  { name: "looked", label: "Looked", keeps: (row) => row.choice === "glance" || row.choice === "look" },
  { name: "left", label: "Left", keeps: (row) => row.outcome !== "" },
  { name: "refused", label: "Refused", keeps: (row) => row.refusals > 0 },
  { name: "errors", label: "Errors", keeps: (row) => row.errors > 0 || row.outcome === "failed" },
];

export class RowFilter {
  #filter = FILTERS[0];
  #named;
  #onChange;
  #search;
  #chips = h("div", { class: "chips", role: "group", "aria-label": "Show steps" });
  #count = h("p", { class: "dim small count", "aria-live": "off" });

  /**
   * @param {string | null} named the run, where there are several
   * @param {() => void} onChange
   */
  constructor(named, onChange) {
    this.#named = named;
    this.#onChange = onChange;
    this.#search = h("input", {
      type: "search",
      placeholder: "Search steps",
      "aria-label": "Search steps",
      oninput: () => onChange(),
    });
    this.node = h("div", { class: "tools" }, this.#search, this.#chips, this.#count);
  }

  focus() {
    this.#search.focus();
  }

  /**
   * The rows that are listed; says how many.
   * @param {readonly Row[]} rows
   */
  narrow(rows) {
    const words = wordsOf(this.#search.value);
    const shown = rows.filter((row) => this.#filter.keeps(row) && words.every((word) => textOf(row).includes(word)));
    this.#drawChips(rows);
    this.#drawCount(shown.length, rows.length);
    return shown;
  }

  /** @param {readonly Row[]} rows */
  #drawChips(rows) {
    const offered = FILTERS.filter(({ name, keeps }) => name === "all" || rows.some(keeps));
    const chips = offered.map((filter) => {
      const count = filter.name === "all" ? null : rows.filter(filter.keeps).length;
      return chip(filter.label, count, this.#filter === filter, () => {
        this.#filter = filter;
        this.#onChange();
      });
    });
    put(this.#chips, chips);
  }

  /**
   * @param {number} shown
   * @param {number} all
   */
  #drawCount(shown, all) {
    const words = this.#search.value.trim();
    const href = hashOf({ run: this.#named, view: "search", words });
    put(
      this.#count,
      shown === all ? "" : `${number(shown)} of ${plural(all, "step")} `,
      words ? h("a", { href }, "Search all texts") : "",
    );
  }
}

/** @param {Row} row */
function textOf({ step, title, url, answer, why, move, reason }) {
  return `${step} ${title} ${url} ${answer} ${why} ${move} ${reason}`.toLowerCase();
}
