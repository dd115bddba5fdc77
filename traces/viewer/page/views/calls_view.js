// All calls of models, a line each; what was said is fetched with the step of a call that is opened.

/** @import { CallContext, CallRow, StepDetail } from "../types.d.ts" */

import { put } from "../elements/dom.js";
import { card, empty } from "../elements/parts.js";
import { modelCalls } from "../record/model_calls.js";
import { callNode, callTotals } from "../step/call_node.js";

/**
 * @param {Element} place
 * @param {readonly CallRow[]} calls
 * @param {(step: number) => Promise<StepDetail>} detailOf
 * @param {Omit<CallContext, "open"> & { call: number | null }} context
 */
export function callsView(place, calls, detailOf, { call, ...context }) {
  if (!calls.length) {
    put(place, empty("No model was asked in this walk."));
    return;
  }
  const load = async (/** @type {CallRow} */ { step, seq }) =>
    modelCalls((await detailOf(step)).events).find((one) => one.event.seq === seq);
  const nodes = calls.map((row) => callNode(row, () => load(row), { ...context, open: call === row.seq }));
  put(place, card("Calls of the model", callTotals(calls), nodes));
}
