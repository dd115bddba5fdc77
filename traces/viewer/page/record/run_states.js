// What became of a run, in a word and a colour.

/** @import { Summary } from "../types.d.ts" */

const KINDS = { ended: "", failed: "bad", live: "live", "cut off": "warn", unreadable: "bad" };

/** @param {Summary} run */
export function stateWord(run) {
  return run.state === "ended" ? run.stop_reason || "ended" : run.state;
}

/** @param {Summary} run */
export function stateKind(run) {
  if (run.state !== "ended") return KINDS[run.state];
  return ["answered", "quota reached"].includes(run.stop_reason) ? "good" : "warn";
}

/** @param {Summary} run */
export function tokensOf(run) {
  return run.prompt_tokens + run.completion_tokens;
}
