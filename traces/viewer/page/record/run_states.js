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

/**
 * What a walk found, "" for nothing: as its answer, or as the nearest where it was not sure.
 *
 * @param {Summary} run
 */
export function foundBy(run) {
  const isAnswer = run.state !== "ended" || !(run.confidence < run.sure);
  return run.answer && !isAnswer ? `Not sure. Nearest: ${run.answer}` : run.answer;
}

/** @param {Summary} run */
export function tokensOf(run) {
  return run.prompt_tokens + run.completion_tokens;
}
