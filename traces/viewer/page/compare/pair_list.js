// Steps of both walks. Those that are equal lie folded together; a step of one walk alone shifts nothing.

/** @import { Side, StepPair, WalkDiff } from "../types.d.ts" */

import { h } from "../elements/dom.js";
import { card, dim, linkButton } from "../elements/parts.js";
import { number, plural, shortUrl } from "../elements/words.js";
import { pairNode } from "./pair_node.js";
import { differs, idOf, numbersOf } from "./pair_words.js";

const MOST_DRAWN = 200;

export class PairList {
  #diff;
  #sides;
  /** Pairs that differ alone, others together. */
  #groups;
  #differing;
  #drawn = 0;
  #list = h("ol", { class: "pairs" });
  #more = linkButton("", () => this.#extend(MOST_DRAWN), "plain");

  /**
   * @param {WalkDiff} diff
   * @param {[Side, Side]} sides
   */
  constructor(diff, sides) {
    this.#diff = diff;
    this.#sides = sides;
    this.#groups = groupsOf(diff.pairs);
    this.#differing = diff.pairs.filter(differs);
    this.#extend(MOST_DRAWN);
    this.node = card("Steps", this.#aside(), this.count ? hint() : null, this.#list, this.#more);
  }

  /** How many differ. */
  get count() {
    return this.#differing.length;
  }

  /**
   * Brings a pair into view.
   * @param {number} one
   * @param {number} other
   */
  show(one, other) {
    const isIt = (/** @type {StepPair} */ pair) => pair.one === one && pair.other === other;
    const at = this.#groups.findIndex((group) => group.some(isIt));
    if (at < 0) return;
    if (at >= this.#drawn) this.#extend(at - this.#drawn + MOST_DRAWN);
    const drawn = /** @type {HTMLElement} */ (this.#list.children[at]);
    const fold = drawn.querySelector("details.fold");
    if (fold instanceof HTMLDetailsElement) fold.open = true;
    const node = document.getElementById(idOf(one, other)) ?? drawn;
    node.tabIndex = -1;
    node.focus({ preventScroll: true });
    node.scrollIntoView({ block: "center" });
  }

  /**
   * From difference to difference.
   * @param {1 | -1} by
   */
  go(by) {
    const here = document.activeElement?.closest(".pair-of")?.id;
    const at = this.#differing.findIndex((pair) => idOf(pair.one, pair.other) === here);
    const next = at < 0 ? this.#differing.at(by > 0 ? 0 : -1) : this.#differing[at + by];
    if (next) this.show(next.one, next.other);
  }

  /** @param {number} count */
  #extend(count) {
    const next = this.#groups.slice(this.#drawn, this.#drawn + count);
    this.#list.append(...next.map((group) => (differs(group[0]) ? this.#pairNode(group[0]) : this.#foldNode(group))));
    this.#drawn += next.length;
    const left = this.#groups.length - this.#drawn;
    this.#more.hidden = left === 0;
    this.#more.textContent = `Show more (${number(left)})`;
  }

  /** @param {StepPair} pair */
  #pairNode(pair) {
    const { first } = this.#diff;
    return pairNode(pair, this.#sides, pair.one === first?.one && pair.other === first.other);
  }

  /** @param {StepPair[]} group */
  #foldNode(group) {
    const inner = h("ol", { class: "pairs" });
    /** @type {HTMLDetailsElement} */
    const node = h(
      "details",
      { class: "fold", ontoggle: () => node.open && !inner.childElementCount && this.#fillFold(inner, group) },
      h("summary", {}, foldWords(group)),
      inner,
    );
    return h("li", {}, node);
  }

  /**
   * @param {HTMLOListElement} inner
   * @param {StepPair[]} pairs those that are not in it yet
   */
  #fillFold(inner, pairs) {
    inner.append(...pairs.slice(0, MOST_DRAWN).map((pair) => this.#pairNode(pair)));
    const left = pairs.slice(MOST_DRAWN);
    if (!left.length) return;
    const more = h(
      "li",
      {},
      linkButton(`Show more (${number(left.length)})`, () => fillOn(), "plain"),
    );
    const fillOn = () => {
      more.remove();
      this.#fillFold(inner, left);
    };
    inner.append(more);
  }

  #aside() {
    const onlyInA = this.#differing.filter((pair) => !pair.other).length;
    const onlyInB = this.#differing.filter((pair) => !pair.one).length;
    const parts = [
      this.count ? plural(this.count - onlyInA - onlyInB, "step differs", "steps differ") : "all equal",
      onlyInA ? `${number(onlyInA)} only in A` : "",
      onlyInB ? `${number(onlyInB)} only in B` : "",
    ];
    return parts.filter(Boolean).join(", ");
  }
}

/** @param {readonly StepPair[]} pairs */
function groupsOf(pairs) {
  /** @type {StepPair[][]} */
  const groups = [];
  for (const pair of pairs) {
    const last = groups.at(-1);
    if (!last || differs(pair) || differs(last[0])) groups.push([pair]);
    else last.push(pair);
  }
  return groups;
}

/** @param {StepPair[]} group */
function foldWords(group) {
  const [from, to] = [group[0], group[group.length - 1]];
  const first = numbersOf(from.one, from.other);
  if (group.length === 1) return [`Step ${first} is equal`, dim(` ${from.title || shortUrl(from.url)}`)];
  return `${plural(group.length, "equal step")}: ${first} to ${numbersOf(to.one, to.other)}`;
}

function hint() {
  const words = "go from difference to difference. Steps are aligned by page and place on the stack.";
  return h("p", { class: "hint" }, h("kbd", {}, "n"), "and ", h("kbd", {}, "p"), words);
}
