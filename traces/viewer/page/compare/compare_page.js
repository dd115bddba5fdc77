// Two walks beside each other: what was decided otherwise first and why, what came of it, and every step of both, aligned.

/** @import { Overview, ShownPage, Side, Source, WalkDiff } from "../types.d.ts" */

import { h, put, say } from "../elements/dom.js";
import { empty, opening, pill } from "../elements/parts.js";
import { messageOf, plural } from "../elements/words.js";
import { labelRows, rowsOf } from "../record/rows.js";
import { stateKind, stateWord } from "../record/run_states.js";
import { hashOf } from "../route.js";
import { causesCard, outcomeCard, settingsCard } from "./differences.js";
import { PairList } from "./pair_list.js";

/** @implements {ShownPage} */
export class ComparePage {
  /** @type {PairList | null} */
  #pairs = null;
  #place;
  #source;
  #main = h("main", { id: "main", class: "compare", tabindex: "-1" }, opening("Comparing the two walks…"));

  /**
   * @param {Element} place
   * @param {Source} source
   * @param {string} one
   * @param {string} other
   */
  constructor(place, source, one, other) {
    this.#place = place;
    this.#source = source;
    const back = h("a", { class: "back", href: "#" }, "‹ Runs");
    const turn = h("a", { class: "plain", href: hashOf({ compare: other, other: one }) }, "Swap sides");
    const head = h("header", { class: "top compare-top" }, back, h("h1", {}, "Two walks compared"), turn);
    put(place, head, this.#main);
    document.title = "Two walks compared · Walker";
    this.#load(one, other);
  }

  /** @param {KeyboardEvent} event */
  key({ key }) {
    if (key === "g") location.hash = "";
    else if (this.#pairs && ["n", "j", "p", "k"].includes(key)) this.#pairs.go(key === "n" || key === "j" ? 1 : -1);
    else return false;
    return true;
  }

  leave() {}

  /**
   * @param {string} one
   * @param {string} other
   */
  async #load(one, other) {
    const source = this.#source;
    try {
      /** @type {[Overview, Overview, WalkDiff]} */
      const [left, right, diff] = await Promise.all([
        source.json(one, "overview"),
        source.json(other, "overview"),
        source.json(one, "diff", other),
      ]);
      if (!this.#place.contains(this.#main)) return;
      this.#draw(diff, [sideOf(source, one, "A", left), sideOf(source, other, "B", right)]);
    } catch (error) {
      put(this.#main, empty(`These two cannot be compared here: ${messageOf(error)}`));
    }
  }

  /**
   * @param {WalkDiff} diff
   * @param {[Side, Side]} sides
   */
  #draw(diff, sides) {
    const pairs = new PairList(diff, sides);
    this.#pairs = pairs;
    put(
      this.#main,
      h("div", { class: "sides heads" }, sides.map(sideHead)),
      diff.origins.map(originNote),
      outcomeCard(diff),
      causesCard(diff, (one, other) => pairs.show(one, other)),
      settingsCard(diff),
      pairs.node,
    );
    document.title = `${sides[0].summary.question} · compared · Walker`;
    say(diff.is_equal ? "The walks are equal" : `${plural(pairs.count, "step")} differ`);
  }
}

/**
 * @param {Source} source
 * @param {string} name
 * @param {"A" | "B"} letter
 * @param {Overview} overview
 * @returns {Side}
 */
function sideOf(source, name, letter, overview) {
  const rows = rowsOf(overview);
  labelRows(rows);
  return {
    name,
    letter,
    summary: overview.summary,
    rows: new Map(rows.map((row) => [row.step, row])),
    pictureUrl: (digest) => source.pictureUrl(name, digest),
  };
}

/** @param {Side} side */
function sideHead({ name, letter, summary }) {
  const mark = h("span", { class: `letter side-${letter.toLowerCase()}` }, letter);
  const link = h("a", { href: hashOf({ run: name }) }, summary.question || name);
  return h(
    "section",
    { class: "card", "aria-label": `Walk ${letter}` },
    h("header", {}, h("h2", {}, mark, link), pill(stateWord(summary), stateKind(summary))),
    h("p", { class: "says" }, summary.answer || "no answer"),
    h("p", { class: "dim small site" }, summary.model || "no model", " · ", name),
  );
}

/**
 * Where the walks began at different origins, one page is another by its path.
 * @param {[string, string]} origins
 */
function originNote([left, right]) {
  const origins = [h("b", {}, left), " in A and ", h("b", {}, right), " in B."];
  return h("p", { class: "dim small one-site" }, "Taken for one site: ", origins);
}
