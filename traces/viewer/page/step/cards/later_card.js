// Cards of the first step, which need what was recorded before it: the first page is asked for at the end of step 0.

/** @import { Child, StepContext, StepDetail } from "../../types.d.ts" */

import { h, put } from "../../elements/dom.js";
import { card, empty } from "../../elements/parts.js";
import { messageOf } from "../../elements/words.js";

/**
 * A card of a step. Of the first one it comes when the events before it are there too.
 * @param {StepDetail} detail
 * @param {StepContext} context
 * @param {(detail: StepDetail) => Child} make
 * @returns {Child}
 */
export function cardWithStart(detail, { source, runId }, make) {
  if (detail.step !== 1) return make(detail);
  const place = h("div", { class: "later" });
  source.json(runId, "steps", 0).then(
    (/** @type {StepDetail} */ start) => put(place, make({ ...detail, events: [...start.events, ...detail.events] })),
    (/** @type {unknown} */ error) => put(place, card("Start", null, empty(`It cannot be shown: ${messageOf(error)}`))),
  );
  return place;
}
