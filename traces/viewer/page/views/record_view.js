// With what the walk was made, and where its record lies.

/** @import { Run } from "../types.d.ts" */

import { h, put } from "../elements/dom.js";
import { card, facts, json } from "../elements/parts.js";
import { bytes, number } from "../elements/words.js";

/**
 * @param {Element} place
 * @param {Run} run
 */
export function recordView(place, { manifest, summary, lines }) {
  const { parent } = manifest;
  const told = facts([
    ["Folder", summary.id],
    ["Question", manifest.question],
    ["Root", manifest.root_url],
    ["Fork of", parent ? `${parent.run_id}, after step ${parent.after_step}` : ""],
    ["Log", `${number(lines)} lines, ${bytes(summary.bytes)}`],
    ["Walker", manifest.package?.version],
    ["Recorded as", pairsOf(manifest.record)],
    ["Machine", pairsOf(manifest.env)],
  ]);
  put(place, h("div", { class: "record" }, card("Run", null, told), card("Settings", null, json(manifest.settings))));
}

/** @param {Record<string, string> | undefined} named */
function pairsOf(named = {}) {
  return Object.entries(named)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}
