// The events of a step as they were recorded, and what is damaged among them.

/** @import { StepDetail, StepEvent } from "../../types.d.ts" */

import { h } from "../../elements/dom.js";
import { card, dim, json, more, pill } from "../../elements/parts.js";
import { seconds } from "../../elements/words.js";

/** @param {StepDetail} detail */
export function damageCard(detail) {
  const hurt = detail.events.filter((event) => event.damage);
  const missing = detail.events.flatMap(missingOf);
  if (!hurt.length && !missing.length) return null;
  return h(
    "section",
    { class: "card alarm", "aria-label": "Damage" },
    h("header", {}, h("h3", {}, "The record is damaged here")),
    h(
      "ul",
      {},
      hurt.map((event) => h("li", {}, h("b", {}, `Line ${event.line}: `), event.damage)),
      missing.map((words) => h("li", {}, words)),
    ),
  );
}

/** @param {StepEvent} event */
function missingOf(event) {
  return Object.entries(event.d ?? {}).flatMap(([name, value]) => {
    const why = missingIn(value);
    return why ? [`${event.k}, ${name}: ${why}`] : [];
  });
}

/**
 * Why something within a value is missing, "" where nothing is.
 * @param {unknown} value
 * @returns {string}
 */
function missingIn(value) {
  if (!value || typeof value !== "object") return "";
  if ("$missing" in value && value.$missing) return String(value.$missing);
  return Object.values(value).map(missingIn).find(Boolean) ?? "";
}

/**
 * @param {StepDetail} detail
 * @param {number | null} chosen number of the event that is shown open
 */
export function eventsCard({ events }, chosen) {
  const node = h("div");
  const isChosen = events.some((event) => event.seq === chosen && !isModelCall(event));
  const details = more(`All ${events.length} events as recorded`, isChosen, node);
  const fill = () => {
    if (details.open && !node.childElementCount) node.append(...events.map((event) => eventNode(event, chosen)));
  };
  details.addEventListener("toggle", fill);
  fill();
  return card("Record", `lines ${events[0].line} to ${events[events.length - 1].line}`, details);
}

/** @param {StepEvent} event */
function isModelCall(event) {
  return event.k === "call" && event.d.seam === "chat";
}

/**
 * @param {StepEvent} event
 * @param {number | null} chosen
 */
function eventNode(event, chosen) {
  const body = h("div");
  const edge = event.k === "call" ? `${event.d.seam}.${event.d.method}` : "";
  const node = h(
    "details",
    { class: "event", id: `event-${event.seq}`, open: event.seq === chosen },
    h(
      "summary",
      {},
      h("code", {}, event.k),
      " ",
      dim(edge),
      event.damage ? pill("damaged", "bad") : null,
      h("span", { class: "dim number" }, seconds(event.t / 1e6)),
    ),
    body,
  );
  const fill = () => {
    if (node.open && !body.childElementCount) body.append(json(event.d));
  };
  node.addEventListener("toggle", fill);
  fill();
  return node;
}
