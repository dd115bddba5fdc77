// The details of steps, the last ones used.

/** @import { Source, StepDetail } from "../types.d.ts" */

const KEPT = 12;

export class StepCache {
  /** @type {Map<number, Promise<StepDetail>>} */
  #details = new Map();
  #source;
  #run;

  /**
   * @param {Source} source
   * @param {string} run
   */
  constructor(source, run) {
    this.#source = source;
    this.#run = run;
  }

  /** @param {number} step */
  forget(step) {
    this.#details.delete(step);
  }

  /** @param {number} step */
  get(step) {
    const details = this.#details;
    /** @type {Promise<StepDetail>} */
    const found = details.get(step) ?? this.#source.json(this.#run, "steps", step);
    details.delete(step);
    details.set(step, found);
    found.catch(() => details.delete(step));
    const [oldest] = details.keys();
    if (details.size > KEPT) details.delete(oldest);
    return found;
  }
}
