// One run: its question and answer, the walk at a glance, the steps, and what stands across them.

/** @import { Row, ShownPage, Source, StepContext } from "../types.d.ts" */
/** @import { SeenPane } from "../step/seen_pane.js" */
/** @import { ChosenHit } from "../views/search_view.js" */

import { h, put, say } from "../elements/dom.js";
import { empty, opening } from "../elements/parts.js";
import { messageOf } from "../elements/words.js";
import { pricesOf } from "../record/model_calls.js";
import { kindOf } from "../record/rows.js";
import { goTo, hashOf, readRoute } from "../route.js";
import { StepCache } from "../step/step_cache.js";
import { stepPage } from "../step/step_page.js";
import { VIEWS } from "../step/seen_pane.js";
import { GROWING, showAcross } from "./across_views.js";
import { AskedPanel } from "./asked_panel.js";
import { Ribbon } from "./ribbon.js";
import { RowFilter } from "./row_filter.js";
import { backLink, headParts } from "./run_head.js";
import { RunRecord } from "./run_record.js";
import { tabLinks } from "./run_tabs.js";
import { showHelp, stepOfKey } from "./shortcuts.js";
import { Timeline } from "./timeline.js";

/** Milliseconds between two questions after a walk that goes on. */
const POLL = 800;
/** Browsers refuse to change the address many times a second: it follows where keys are held down. */
const ADDRESS_AFTER = 150;

/** @implements {ShownPage} */
export class RunPage {
  #place;
  #source;
  #record;
  #cache;
  /** The run in addresses; null where it is the only one. */
  #named;

  /** @type {number | null} */
  #chosen = null;
  /** Rows that are listed. @type {readonly Row[]} */
  #shown = [];
  /** Whether the last step is shown as the walk goes on. */
  #follows = false;
  /** To be marked in the next step that is shown. @type {string | null} */
  #quote = null;
  /** Only the view that was asked for last is drawn. */
  #asked = 0;
  /** The page of the step that is shown. @type {SeenPane | null} */
  #seen = null;
  #timers = { poll: 0, address: 0 };

  #asks;
  #filter;
  #timeline;
  #ribbon = new Ribbon((step) => this.#open(step));
  #head = h("header", { class: "top" });
  #tabs = h("nav", { class: "tabs", "aria-label": "Views of the run" });
  #main = h("main", { id: "main", class: "step", tabindex: "-1" }, opening("Opening the run…"));
  #body;

  /**
   * @param {Element} place
   * @param {Source} source
   * @param {string} runId
   * @param {boolean} isSingle
   */
  constructor(place, source, runId, isSingle) {
    this.#place = place;
    this.#source = source;
    this.#record = new RunRecord(source, runId);
    this.#cache = new StepCache(source, runId);
    this.#asks = new AskedPanel(source, runId);
    this.#named = isSingle ? null : runId;
    this.#filter = new RowFilter(this.#named, () => this.#narrow());
    this.#timeline = new Timeline({
      pictureUrl: (digest) => source.pictureUrl(runId, digest),
      onChoose: (step) => this.#open(step),
    });
    this.#body = this.#layOut();
    put(place, this.#head, this.#asks.node, this.#ribbon.node, this.#tabs, this.#body);
    this.#load();
  }

  /** @param {KeyboardEvent} event */
  key({ key }) {
    if (key === "?") showHelp();
    else if (key === "/") this.#filter.focus();
    else if (key === "s") goTo({ run: this.#named, view: "search" });
    else if (key === "g" && this.#named !== null) location.hash = "";
    else if (readRoute().view !== "steps") return false;
    else return this.#stepKey(key);
    return true;
  }

  route() {
    if (this.#record.isOpen) this.#show();
  }

  leave() {
    clearTimeout(this.#timers.poll);
    clearTimeout(this.#timers.address);
  }

  #layOut() {
    const side = h("aside", { class: "side", "aria-label": "Timeline" }, this.#filter.node, this.#timeline.node);
    const back = h(
      "button",
      { type: "button", class: "to-list plain", onclick: () => this.#backToList() },
      "‹ All steps",
    );
    const pane = readRoute().step === null ? "list" : "step";
    return h("div", { class: "run-body", "data-pane": pane }, side, h("div", { class: "main-box" }, back, this.#main));
  }

  #backToList() {
    this.#body.dataset.pane = "list";
    this.#timeline.choose(this.#chosen);
  }

  // The record.

  async #load() {
    try {
      await this.#record.open();
    } catch (error) {
      put(this.#main, empty(`The run cannot be opened: ${messageOf(error)}`));
      put(this.#head, backLink(), h("h1", {}, this.#record.id));
      return;
    }
    this.#follows = this.#record.isLive && readRoute().step === null;
    this.#draw();
    await this.#show();
    if (this.#record.isLive) this.#poll();
  }

  async #poll() {
    clearTimeout(this.#timers.poll);
    try {
      const changed = await this.#record.readOn();
      if (!this.#place.contains(this.#main)) return;
      if (changed) await this.#takeNews(changed);
      if (this.#record.isLive) await this.#asks.read();
      else this.#asks.hide();
    } catch (error) {
      say(`The viewer does not answer: ${messageOf(error)}`);
    }
    if (!this.#record.isLive) return;
    this.#timers.poll = setTimeout(() => this.#poll(), document.hidden ? 4 * POLL : POLL);
  }

  /** @param {Set<number>} changed steps */
  async #takeNews(changed) {
    for (const step of changed) this.#cache.forget(step);
    this.#draw();
    const { view } = readRoute();
    const last = this.#record.rows.at(-1)?.step;
    if (view !== "steps") {
      if (GROWING.includes(view)) await this.#showAcross(view);
    } else if (this.#follows && last !== undefined && last !== this.#chosen) {
      this.#choose(last);
    } else if (this.#chosen !== null && changed.has(this.#chosen)) {
      await this.#showStep(this.#chosen, null, null);
    }
  }

  // What is drawn around the step.

  #draw() {
    document.title = `${this.#record.run.summary.question} · Walker`;
    this.#drawHead();
    this.#drawTabs();
    this.#ribbon.show(this.#record.rows);
    this.#narrow();
  }

  #drawHead() {
    const parts = headParts(this.#record.run, {
      runId: this.#record.id,
      named: this.#named,
      follows: this.#follows,
      onFollow: (follows) => this.#follow(follows),
      onHelp: showHelp,
    });
    put(this.#head, parts);
  }

  #drawTabs() {
    const { view } = readRoute();
    put(this.#tabs, tabLinks(this.#record.run, { named: this.#named, view, chosen: this.#chosen }));
  }

  #narrow() {
    const { rows } = this.#record;
    this.#shown = this.#filter.narrow(rows);
    this.#timeline.show(this.#shown, rows);
    this.#timeline.choose(this.#chosen, { scroll: false });
  }

  // Which step is shown.

  /** @param {boolean} follows */
  #follow(follows) {
    this.#follows = follows;
    const last = this.#record.rows.at(-1);
    if (follows && last) this.#name(last.step);
  }

  /**
   * Opens a step that somebody asked for.
   * @param {number} step
   * @param {string | null} [quote]
   */
  #open(step, quote = null) {
    this.#follows = false;
    this.#quote = quote;
    this.#name(step);
  }

  /**
   * Shows a step under an address of its own.
   * @param {number} step
   */
  #name(step) {
    this.#toStep();
    goTo({ run: this.#named, step });
  }

  /**
   * Shows a step in place of the one before; the address follows a moment later.
   * @param {number} step
   */
  #choose(step) {
    if (readRoute().view !== "steps") {
      this.#name(step);
      return;
    }
    this.#toStep();
    const rename = () => goTo({ run: this.#named, step }, { replace: true, quiet: true });
    this.#timers.address = setTimeout(rename, ADDRESS_AFTER);
    this.#showStep(step, null, null);
  }

  #toStep() {
    if (this.#body.dataset.pane === "list") this.#body.dataset.pane = "step";
    clearTimeout(this.#timers.address);
  }

  /** @param {string} key */
  #stepKey(key) {
    const { rows } = this.#record;
    const view = VIEWS[["1", "2", "3", "4"].indexOf(key)];
    const listed = this.#shown.length ? this.#shown : rows;
    const aim = stepOfKey(key, { rows, listed, chosen: this.#chosen });
    if (view) this.#seen?.show(view.name);
    if (aim?.row) {
      this.#follows = false;
      this.#choose(aim.row.step);
    }
    return Boolean(view || aim);
  }

  /**
   * What a page says is marked in its text; a message opens with its call.
   * @param {ChosenHit} hit
   */
  #openHit({ step, kind, seq, words }) {
    const isCall = kind === "message" || kind === "reply";
    this.#follows = false;
    if (!isCall) this.#quote = kind === "page" || kind === "finding" ? words : null;
    goTo({ run: this.#named, step, call: isCall ? seq : null });
  }

  // Views.

  /** Shows what the address names. */
  async #show() {
    const { view, step, call, pane } = readRoute();
    this.#drawTabs();
    this.#body.dataset.view = view;
    if (view !== "steps") {
      this.#body.dataset.pane = "step";
      this.#seen = null;
      await this.#showAcross(view);
      return;
    }
    const row = this.#record.row(step) ?? this.#firstRow();
    const none = this.#record.isLive ? "The first page is being opened." : "The record holds no step.";
    if (row) await this.#showStep(row.step, call, pane);
    else put(this.#main, empty(none));
  }

  /** The step that a run opens at. */
  #firstRow() {
    const { rows } = this.#record;
    return this.#follows ? rows.at(-1) : (rows.find((row) => row.sufficient) ?? rows.at(0));
  }

  /**
   * @param {number} step
   * @param {number | null} call
   * @param {string | null} view
   */
  async #showStep(step, call, view) {
    this.#asked += 1;
    const asked = this.#asked;
    const isNew = this.#chosen !== step;
    this.#chosen = step;
    this.#timeline.choose(step);
    this.#ribbon.choose(step);
    const row = this.#record.row(step);
    if (!row) return;
    try {
      const detail = await this.#cache.get(step);
      if (asked !== this.#asked) return;
      const quote = this.#quote;
      this.#seen = stepPage(this.#main, this.#stepContext(step), row, detail, { call, quote, view });
      this.#quote = null;
      if (isNew) this.#main.scrollTop = 0;
      this.#main.className = `step ${kindOf(row)}`;
    } catch (error) {
      if (asked === this.#asked) put(this.#main, empty(`Step ${step} cannot be shown: ${messageOf(error)}`));
    }
  }

  /**
   * @param {number} step
   * @returns {StepContext}
   */
  #stepContext(step) {
    return {
      source: this.#source,
      runId: this.#record.id,
      prices: pricesOf(this.#record.run.manifest),
      titles: (one) => this.#record.titleOf(one),
      rows: this.#shown.some((one) => one.step === step) ? this.#shown : this.#record.rows,
      steps: this.#record.rows,
      onStep: (one, quote) => this.#open(one, quote),
      onView: (view) => goTo({ run: this.#named, view }),
      share: () => this.#share(),
    };
  }

  /** @param {string} view */
  async #showAcross(view) {
    this.#asked += 1;
    const asked = this.#asked;
    this.#main.className = `across ${view}`;
    try {
      await showAcross(this.#main, view, {
        source: this.#source,
        record: this.#record,
        named: this.#named,
        chosen: this.#chosen,
        detailOf: (step) => this.#cache.get(step),
        onHit: (hit) => this.#openHit(hit),
        isWanted: () => asked === this.#asked,
      });
    } catch (error) {
      if (asked === this.#asked) put(this.#main, empty(`This cannot be shown: ${messageOf(error)}`));
    }
  }

  async #share() {
    const pane = this.#seen?.view === "state" ? "state" : null;
    const link = new URL(hashOf({ ...readRoute(), pane }), location.href).href;
    try {
      await navigator.clipboard.writeText(link);
      say("The link is copied");
    } catch {
      prompt("Link to this step", link);
    }
  }
}
