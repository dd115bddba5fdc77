// What is known of a run, as it grows while the walk goes on.

/** @import { Overview, Passage, Row, Run, Source } from "../types.d.ts" */

import { labelRows, rowsOf } from "../record/rows.js";

export class RunRecord {
  /** @type {Run | null} */
  #run = null;
  /** @type {Promise<Passage[]> | null} */
  #texts = null;
  #source;

  /**
   * @param {Source} source
   * @param {string} id
   */
  constructor(source, id) {
    this.#source = source;
    this.id = id;
  }

  get isOpen() {
    return this.#run !== null;
  }

  /** The run; there is one only once it was opened. */
  get run() {
    if (!this.#run) throw new Error("the run was not opened yet");
    return this.#run;
  }

  get rows() {
    return this.#run?.rows ?? [];
  }

  get isLive() {
    return this.#run?.summary.state === "live";
  }

  /** Reads the whole run. */
  async open() {
    this.#take(await this.#source.json(this.id, "overview"));
  }

  /** Reads what came since; gives the steps that are new or changed, null where nothing happened. */
  async readOn() {
    const { lines, summary } = this.run;
    /** @type {Overview} */
    const next = await this.#source.json(this.id, "overview", lines);
    if (next.lines === lines && next.summary.state === summary.state) return null;
    return this.#take(next);
  }

  /** All that was read and said, for a page that looks through it by itself; read once. */
  texts() {
    this.#texts ??= this.#source.json(this.id, "texts");
    return this.#texts;
  }

  /** @param {number | null} step */
  row(step) {
    return this.rows.find((row) => row.step === step);
  }

  /** @param {number} step */
  titleOf(step) {
    return this.row(step)?.label ?? "";
  }

  /**
   * @param {Overview} overview
   * @returns {Set<number>}
   */
  #take(overview) {
    const changed = new Map(rowsOf(overview).map((row) => [row.step, row]));
    const last = this.rows.at(-1)?.step ?? -1;
    const known = this.rows.map((row) => changed.get(row.step) ?? row);
    const rows = [...known, ...[...changed.values()].filter((/** @type {Row} */ row) => row.step > last)];
    labelRows(rows);
    this.#run = { ...overview, rows };
    return new Set(changed.keys());
  }
}
