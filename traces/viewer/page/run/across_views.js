// The views of a run that stand across its steps, each with the data that it is drawn from.

/** @import { Hits, Source, StepDetail } from "../types.d.ts" */
/** @import { ChosenHit } from "../views/search_view.js" */
/** @import { RunRecord } from "./run_record.js" */

import { put } from "../elements/dom.js";
import { empty, opening } from "../elements/parts.js";
import { found } from "../record/found_passages.js";
import { pricesOf } from "../record/model_calls.js";
import { goTo, readRoute } from "../route.js";
import { callsView } from "../views/calls_view.js";
import { counterView } from "../views/counter_view.js";
import { mapView } from "../views/map_view.js";
import { problemsView } from "../views/problems_view.js";
import { recordView } from "../views/record_view.js";
import { SearchView } from "../views/search_view.js";
import { timeView } from "../views/time_view.js";
import { whatifView } from "../views/whatif_view.js";

/**
 * @typedef {object} AcrossContext
 * @property {Source} source
 * @property {RunRecord} record
 * @property {string | null} named the run, where there are several
 * @property {number | null} chosen
 * @property {(step: number) => Promise<StepDetail>} detailOf
 * @property {(hit: ChosenHit) => void} onHit
 * @property {() => boolean} isWanted whether nothing else was asked for in between
 */

/** @typedef {(place: Element, context: AcrossContext) => void} DrawAtOnce */
/** @typedef {{ part: string; draw: (place: Element, data: any, context: AcrossContext) => void }} DrawFrom */

/** Views of what is known already. @type {Record<string, DrawAtOnce>} */
const AT_ONCE = {
  problems: (place, context) => problemsView(place, context.record.run, stepOpener(context)),
  record: (place, { record }) => recordView(place, record.run),
  time: (place, context) => timeView(place, context.record.rows, stepOpener(context)),
  search: drawSearch,
};

/** Views of a part of the run that is asked for. @type {Record<string, DrawFrom>} */
const FROM_PART = {
  map: {
    part: "map",
    draw: (place, data, context) => {
      const { record, chosen } = context;
      mapView(place, data, { onStep: stepOpener(context), rows: record.rows, chosen });
    },
  },
  counter: {
    part: "counting",
    draw: (place, { events }, context) => counterView(place, events, stepOpener(context)),
  },
  whatif: {
    part: "gate",
    draw: (place, data, context) => whatifView(place, data, { onStep: stepOpener(context), ask: weigherOf(context) }),
  },
  calls: {
    part: "calls",
    draw: (place, { calls }, context) => {
      const { source, record, detailOf } = context;
      const prices = pricesOf(record.run.manifest);
      const { call } = readRoute();
      const onStep = stepOpener(context);
      callsView(place, calls, detailOf, { source, run: record.id, prices, onStep, call });
    },
  },
};

/** Views that are drawn anew when the walk went on. */
export const GROWING = ["map", "counter", "time", "problems", "record"];

/**
 * Draws a view in a place.
 * @param {Element} place
 * @param {string} view
 * @param {AcrossContext} context
 */
export async function showAcross(place, view, context) {
  if (Object.hasOwn(AT_ONCE, view)) {
    AT_ONCE[view](place, context);
  } else if (Object.hasOwn(FROM_PART, view)) {
    const { part, draw } = FROM_PART[view];
    put(place, opening("Reading the record…"));
    const data = await context.source.json(context.record.id, part);
    if (context.isWanted()) draw(place, data, context);
  } else {
    put(place, empty("There is no such view."));
  }
}

/**
 * @param {AcrossContext} context
 * @returns {(step: number, call?: number | null) => void}
 */
function stepOpener({ named }) {
  return (step, call = null) => goTo({ run: named, step, call });
}

/** @param {AcrossContext} context */
function weigherOf({ source, record }) {
  if (!source.isLive) return null;
  return (/** @type {number[]} */ weights) => source.json(record.id, "gate", weights.join(","));
}

/**
 * @param {Element} place
 * @param {AcrossContext} context
 */
function drawSearch(place, { source, record, named, onHit }) {
  const onWords = (/** @type {string} */ words) =>
    goTo({ run: named, view: "search", words }, { replace: true, quiet: true });
  return new SearchView(place, {
    ask: asker(source, record),
    titles: (step) => record.titleOf(step),
    words: readRoute().words,
    steps: record.rows.length,
    onWords,
    onHit,
  });
}

/**
 * The server searches; a page that stands alone looks through all texts.
 * @param {Source} source
 * @param {RunRecord} record
 * @returns {(words: string) => Promise<Hits>}
 */
function asker(source, record) {
  if (source.isLive) return (words) => source.json(record.id, "search", `=${encodeURIComponent(words)}`);
  return async (words) => found(await record.texts(), words);
}
