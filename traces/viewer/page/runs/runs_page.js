// The list of runs: what was asked, what came of it, what it took.

/** @import { ShownPage, Source, Summary } from "../types.d.ts" */

import { h, put, say } from "../elements/dom.js";
import { chip, dim, empty } from "../elements/parts.js";
import { messageOf, number } from "../elements/words.js";
import { hashOf } from "../route.js";
import { groupsOf, runsWith } from "./run_groups.js";
import { headCells, inOrder, LATEST_FIRST, runRow } from "./run_table.js";

const POLL = 3000;
const POLL_AFTER_FAILURE = 5000;

/** What was searched, sorted and chosen, kept while a run is looked at. */
const remembered = { words: "", group: "all", order: LATEST_FIRST, chosen: /** @type {Set<string>} */ (new Set()) };

/** @implements {ShownPage} */
export class RunsPage {
  /** @type {Summary[]} */
  #runs = [];
  #timer = 0;
  #source;
  #place;
  #nodes = {
    search: h("input", {
      type: "search",
      placeholder: "Search questions, answers, sites",
      "aria-label": "Search runs",
      value: remembered.words,
      oninput: () => this.#search(),
    }),
    groups: h("div", { class: "chips", role: "group", "aria-label": "Show" }),
    head: h("tr"),
    body: h("tbody"),
    note: h("p", { class: "empty" }),
    count: h("span", { class: "dim" }),
    pair: h("p", { class: "pair" }),
  };

  /**
   * @param {Element} place
   * @param {Source} source
   */
  constructor(place, source) {
    this.#place = place;
    this.#source = source;
    const { search, groups, pair, head, body, note, count } = this.#nodes;
    const logo = h("span", { class: "logo", "aria-hidden": "true" });
    const table = h("table", { class: "runs" }, h("thead", {}, head), body);
    put(
      place,
      h("header", { class: "top plain" }, h("h1", { class: "brand" }, logo, "Walker"), count),
      h("main", { id: "main", class: "runs-page" }, h("div", { class: "tools" }, search, groups, pair), table, note),
    );
    document.title = "Runs · Walker";
    this.#load();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key !== "/") return false;
    this.#nodes.search.focus();
    return true;
  }

  leave() {
    clearTimeout(this.#timer);
  }

  async #load() {
    try {
      /** @type {{ runs: Summary[] }} */
      const { runs } = await this.#source.json("runs");
      if (!this.#place.contains(this.#nodes.body)) return;
      // Drawn anew only where something changed: whoever goes by keyboard keeps the place.
      const isNews = JSON.stringify(runs) !== JSON.stringify(this.#runs) || !this.#nodes.head.childElementCount;
      this.#runs = runs;
      if (isNews) this.#draw();
      this.#loadAgainIn(POLL);
    } catch (error) {
      put(this.#nodes.note, empty(`The list cannot be had: ${messageOf(error)}`));
      this.#loadAgainIn(POLL_AFTER_FAILURE);
    }
  }

  /** @param {number} wait milliseconds */
  #loadAgainIn(wait) {
    if (this.#source.isLive) this.#timer = setTimeout(() => this.#load(), wait);
  }

  #search() {
    remembered.words = this.#nodes.search.value;
    this.#draw();
  }

  #draw() {
    const { head, body, note, count } = this.#nodes;
    const group = this.#drawGroups();
    const shown = inOrder(runsWith(this.#runs.filter(group.keeps), remembered.words), remembered.order);
    const canCompare = this.#runs.length > 1;
    put(
      head,
      headCells(remembered.order, canCompare, (order) => this.#remember({ order })),
    );
    put(
      body,
      shown.map((run) => runRow(run, canCompare ? this.#pickOf(run) : null)),
    );
    this.#drawPair();
    const nothing = this.#runs.length
      ? "No run matches."
      : "There are no runs here yet. walker ask ROOT QUESTION records one.";
    put(note, shown.length ? "" : nothing);
    put(count, `${number(shown.length)} of ${number(this.#runs.length)} runs`);
    say(`${shown.length} runs shown`);
  }

  #drawGroups() {
    const groups = groupsOf(this.#runs);
    const chosen = groups.find(({ name }) => name === remembered.group) ?? groups[0];
    put(
      this.#nodes.groups,
      groups.map(({ name, label, keeps }) =>
        chip(label, this.#runs.filter(keeps).length, name === chosen.name, () => this.#remember({ group: name })),
      ),
    );
    return chosen;
  }

  /** @param {Partial<typeof remembered>} chosen */
  #remember(chosen) {
    Object.assign(remembered, chosen);
    this.#draw();
  }

  /** @param {Summary} run */
  #pickOf(run) {
    return {
      isChosen: remembered.chosen.has(run.id),
      onPick: (/** @type {Summary} */ { id }, /** @type {boolean} */ isChosen) => this.#pick(id, isChosen),
    };
  }

  /**
   * @param {string} id
   * @param {boolean} isChosen
   */
  #pick(id, isChosen) {
    const { chosen } = remembered;
    if (isChosen) chosen.add(id);
    else chosen.delete(id);
    const [oldest] = chosen;
    if (chosen.size > 2) chosen.delete(oldest);
    for (const box of this.#nodes.body.querySelectorAll(".pick input")) {
      if (box instanceof HTMLInputElement) box.checked = chosen.has(box.value);
    }
    this.#drawPair();
    say(this.#nodes.pair.textContent);
  }

  // The earlier of two runs is A, as what was before a change.
  #drawPair() {
    const two = this.#runs.filter((run) => remembered.chosen.has(run.id));
    two.sort((one, other) => one.created - other.created || (one.id < other.id ? -1 : 1));
    if (two.length === 2) {
      const href = hashOf({ compare: two[0].id, other: two[1].id });
      put(this.#nodes.pair, h("a", { class: "plain main-act", href }, "Compare these two"));
    } else {
      put(this.#nodes.pair, two.length ? dim("Choose one more to compare with") : "");
    }
  }
}
