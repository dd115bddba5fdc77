// Calls of models among the events of a step.

/** @import { CallEvent, CallRow, EdgeOutcome, Manifest, ModelCall, Prices, StepEvent } from "../types.d.ts" */

const STRATEGIES = ["analyst", "explorer", "critic", "vision", "vision_model"];
/** Microseconds by which a strategy may seem to begin behind its own call. */
const ROUNDING = 1000;

/**
 * Calls of models with the call of the strategy that made them, which ends behind them and says what was parsed.
 * @param {readonly StepEvent[]} events
 * @returns {ModelCall[]}
 */
export function modelCalls(events) {
  const calls = events.filter((event) => event.k === "call");
  return calls
    .filter((event) => event.d.seam === "chat")
    .map((event) => ({ event, strategy: calls.find((other) => isAround(other, event)) }));
}

/**
 * @param {CallEvent} strategy
 * @param {CallEvent} event
 */
function isAround(strategy, event) {
  const isLater = STRATEGIES.includes(strategy.d.seam) && strategy.seq > event.seq;
  return isLater && begin(strategy) <= begin(event) + ROUNDING && fits(strategy, event);
}

/** @param {CallEvent} event */
function begin(event) {
  return event.t - event.d.seconds * 1e6;
}

/**
 * @param {CallEvent} strategy
 * @param {CallEvent} event
 */
function fits(strategy, event) {
  const { seam, method } = strategy.d;
  const schema = event.d.request?.schema_name ?? "";
  if (schema.startsWith("critic")) return seam === "critic" && method === schema.replace("critic_", "");
  if (schema === "step") return seam === "critic" && method === "find";
  if (schema === "analysis") return seam === "analyst";
  if (schema === "look") return seam.startsWith("vision");
  if (schema.startsWith("explor")) return seam === "explorer";
  return true;
}

/**
 * What the list of calls says of each; the calls of a step are told in the same words.
 * @param {ModelCall} call
 * @returns {CallRow}
 */
export function rowOf({ event }) {
  const { request, error, seconds } = event.d;
  /** @type {EdgeOutcome} */
  const outcome = event.d.outcome ?? {};
  const { prompt_tokens = 0, completion_tokens = 0, cached_tokens = 0, attempts = 1 } = outcome;
  return {
    seq: event.seq,
    step: event.step,
    seconds,
    name: request?.schema_name || request?.prompt,
    model: request?.model,
    prompt_tokens,
    completion_tokens,
    cached_tokens,
    attempts,
    failed: outcome.kind || error,
  };
}

/**
 * @param {Manifest} manifest
 * @returns {Prices}
 */
export function pricesOf(manifest) {
  const model = manifest.settings?.model;
  return { prompt: model?.prompt_price ?? 0, reply: model?.completion_price ?? 0 };
}
