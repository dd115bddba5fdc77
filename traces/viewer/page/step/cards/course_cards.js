// How a step came about and went on: what happened on the way to the page, what was proposed, refused and done, and the stack
// before and after.

/** @import { Child, Frame, OfKind, StepActions, StepDetail, StepEvent } from "../../types.d.ts" */

import { h } from "../../elements/dom.js";
import { card, dim, linkButton, pill } from "../../elements/parts.js";
import { plural, shortUrl } from "../../elements/words.js";
import { list } from "../../record/values.js";

/** Depth up to which frames of the stack are set in. */
const DEEPEST = 8;

/** @param {StepDetail} detail */
export function arrivalCard(detail) {
  const parts = detail.events.flatMap(arrivalParts);
  return parts.length ? card("What happened", null, parts) : null;
}

/**
 * @param {StepEvent} event
 * @returns {Node[]}
 */
function arrivalParts(event) {
  switch (event.k) {
    case "page.open":
      return openedParts(event);
    case "page.fail":
      return [h("p", {}, pill(event.d.kind, "bad"), " ", event.d.message)];
    case "page.reject":
      return [h("p", {}, pill(`left: ${event.d.reason}`, "off"), " ", event.d.detail)];
    case "look":
      return [lookNode(event)];
    case "crop":
      return [cropNode(event)];
    case "pictured":
      return [picturedNode(event)];
    case "ground":
      return [h("p", { class: "small" }, pill("looked for", "look"), ` “${event.d.words}”: ${event.d.told}`)];
    case "act":
      return actNodes(event);
    case "session.left":
      return [h("p", {}, pill("left the record", "warn"), " a program took the driver's page")];
    case "run.stopped":
      return event.d.answer ? [h("p", {}, pill("found so far", "warn"), ` ${event.d.answer}`)] : [];
    case "error":
      return [h("p", {}, pill(event.d.error, "bad"), " ", event.d.message)];
    default:
      return [];
  }
}

/** @param {OfKind<"page.open">} event */
function openedParts({ d }) {
  const redirects = list(d.redirects).map(shortUrl).join(" → ");
  const notices = list(d.notices).map((notice) => {
    const words = typeof notice === "string" ? notice : `${notice.kind}: ${notice.text}`;
    return h("p", { class: "small" }, pill("notice", "warn"), " ", words);
  });
  return redirects ? [h("p", { class: "small" }, dim("Redirected from "), redirects), ...notices] : notices;
}

/** @param {OfKind<"act">} event what a session did on the page before */
function actNodes({ d }) {
  const line = (/** @type {string} */ text) => h("span", { class: "dim block" }, text);
  const done = h("p", { class: "small" }, pill(d.kind, "good"), ` ${d.target}`, list(d.changed).map(line));
  const refused = list(d.refused).map((request) => h("p", { class: "small" }, pill("not sent", "bad"), ` ${request}`));
  return [done, ...refused];
}

/** @param {OfKind<"look">} event */
function lookNode({ d }) {
  const words = ` ${d.model}: ${plural(d.texts, "text")} in ${plural(d.regions ?? 0, "rectangle")}`;
  const notes = list(d.notes).map((note) => h("span", { class: "dim block" }, note));
  return h("p", { class: "small" }, pill("looked", "look"), words, notes);
}

/** @param {OfKind<"crop">} event */
function cropNode({ d }) {
  const words = ` a part of picture ${d.image_index}, ${d.scale} times as large, is picture ${d.number}`;
  const failure = d.failure ? h("span", { class: "dim block" }, d.failure) : null;
  return h("p", { class: "small" }, pill("cropped", "look"), words, failure);
}

/** @param {OfKind<"pictured">} event */
function picturedNode({ d }) {
  const words = ` is ${d.name}, ${d.by === "page" ? `by ${shortUrl(d.url)}` : "by what was read in it"}`;
  return h("p", { class: "small" }, pill("the picture", "look"), words);
}

/** @param {StepDetail} detail */
export function moveCard(detail) {
  const moves = detail.events.flatMap(moveParts);
  return moves.length ? card("Next move", null, h("ol", { class: "moves" }, moves)) : null;
}

/**
 * @param {StepEvent} event
 * @returns {Node[]}
 */
function moveParts(event) {
  switch (event.k) {
    case "refusal":
      return [h("li", { class: "refused" }, pill("refused", "bad"), " ", h("span", {}, event.d.reason))];
    case "move":
      return [moveNode(event)];
    case "proposal":
      return [proposalNode(event)];
    default:
      return [];
  }
}

/** @param {OfKind<"move">} event */
function moveNode({ d }) {
  const url = d.url ? h("span", { class: "url" }, shortUrl(d.url)) : null;
  return h("li", { class: "taken" }, pill(d.move, "good"), " ", url, h("span", { class: "dim block" }, d.reason));
}

/** @param {OfKind<"proposal">} event */
function proposalNode({ d }) {
  const { reason, ...rest } = d.detail ?? {};
  const words = Object.entries(rest).map(
    ([name, value]) => `${name.replace("_id", "").replace("_", " ")} ${argument(value)}`,
  );
  return h(
    "li",
    { class: "proposed" },
    dim("proposed "),
    h("b", {}, d.action),
    words.length ? ` ${words.join(", ")}` : "",
    reason ? h("span", { class: "dim block" }, String(reason)) : null,
  );
}

/**
 * An argument of an action in words: of the inputs of code, which have more to them, the names.
 * @param {unknown} value
 * @returns {string}
 */
function argument(value) {
  if (Array.isArray(value)) return value.map(argument).join(", ");
  return value && typeof value === "object" && "name" in value ? String(value.name) : String(value);
}

/**
 * @param {StepDetail} detail
 * @param {StepActions} actions
 */
export function stackCard({ before, after, events }, actions) {
  if (!before.length && !after.length) return null;
  const first = before.findIndex((frame, depth) => frame.url !== after[depth]?.url);
  const same = first < 0 ? before.length : first;
  const moves = events.filter((event) => event.k === "stack").map((event) => event.d.change);
  return card(
    "Stack",
    moves.length ? moves.map((move) => pill(move, MOVE_KINDS[move] ?? "warn")) : "unchanged",
    h(
      "div",
      { class: "stacks" },
      stackColumn("Before", before, (depth) => (depth >= same ? "gone" : ""), actions),
      stackColumn("After", after, (depth) => (depth >= same ? "new" : ""), actions),
    ),
  );
}

/** @type {Record<string, string>} */
const MOVE_KINDS = { push: "good", stay: "" };

/**
 * @param {string} title
 * @param {readonly Frame[]} frames
 * @param {(depth: number) => string} kindAt
 * @param {StepActions} actions
 */
function stackColumn(title, frames, kindAt, actions) {
  const rows = frames.map((frame, depth) => {
    const style = { "--depth": String(Math.min(depth, DEEPEST)) };
    return h("li", { class: kindAt(depth), style }, frameNode(frame, actions));
  });
  return h(
    "div",
    { class: "stack" },
    h("h4", {}, title, dim(` depth ${frames.length}`)),
    rows.length ? h("ol", {}, rows) : h("p", { class: "dim small" }, "empty"),
  );
}

/**
 * @param {Frame} frame
 * @param {StepActions} actions
 */
function frameNode({ step, url }, { onStep, titles }) {
  if (!step) return h("span", { title: url }, shortUrl(url));
  /** @type {Child} */
  const words = [dim(`${step} `), titles(step) || shortUrl(url)];
  return linkButton(words, () => onStep(step), "link", url);
}
