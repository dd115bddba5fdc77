// The views of a run; one that has nothing to show is not offered.

/** @import { Run } from "../types.d.ts" */

import { h } from "../elements/dom.js";
import { dim } from "../elements/parts.js";
import { number } from "../elements/words.js";
import { hashOf } from "../route.js";

/** @typedef {{ name: string; label: string; count?: number; isThere?: boolean }} Tab */

/**
 * @param {Run} run
 * @returns {Tab[]}
 */
function tabsOf({ rows, summary, problems, more_problems: more }) {
  const counted = rows.findLast((row) => row.counted >= 0)?.counted;
  const hasModel = Boolean(summary.model_calls || summary.model);
  return [
    { name: "steps", label: "Steps", count: rows.length },
    { name: "search", label: "Search" },
    { name: "map", label: "Site map" },
    { name: "counter", label: "Counter", count: counted, isThere: counted !== undefined },
    { name: "calls", label: "Model calls", count: summary.model_calls, isThere: hasModel },
    { name: "whatif", label: "What if", isThere: rows.some((row) => row.trust >= 0) },
    { name: "time", label: "Time" },
    { name: "problems", label: "Problems", count: problems.length + more || undefined },
    { name: "record", label: "Record" },
  ];
}

/**
 * @param {Run} run
 * @param {{ named: string | null; view: string; chosen: number | null }} here
 */
export function tabLinks(run, { named, view, chosen }) {
  return tabsOf(run)
    .filter(({ isThere = true }) => isThere)
    .map(({ name, label, count }) => {
      const href = hashOf({ run: named, view: name, step: name === "steps" ? chosen : null });
      const many = count === undefined ? null : dim(number(count));
      return h("a", { href, "aria-current": view === name ? "page" : null }, label, many);
    });
}
