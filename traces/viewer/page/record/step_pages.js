// The page of a step among its events: its source, what the reader made of it, and its pictures.

/** @import { BlobRef, CallEvent, Picture, StepDetail } from "../types.d.ts" */

import { digestOf, list } from "./values.js";

/** Digits of a digest that the reader is told. */
const NAMED_DIGITS = 16;

/** @param {StepDetail} detail */
function callsOf(detail) {
  return detail.events.filter((event) => event.k === "call");
}

/**
 * A step may open more than its page: an address that cannot exist is probed now and then. The page is the one that was noted.
 * @param {StepDetail} detail
 * @returns {BlobRef | undefined}
 */
export function htmlOf(detail) {
  const pages = callsOf(detail)
    .filter((event) => event.d.seam === "browser")
    .flatMap((event) => (event.d.outcome?.html?.$b ? [event.d.outcome.html] : []));
  const noted = notedDigest(detail);
  return pages.findLast((page) => digestOf(page) === noted) ?? (noted ? pages[0] : pages.at(-1));
}

/**
 * Where the observation of the page lies.
 * @param {StepDetail} detail
 */
export function readingOf(detail) {
  const readings = callsOf(detail).filter((event) => event.d.seam === "reader" && event.d.outcome?.$b);
  const page = htmlOf(detail);
  const start = (page ? digestOf(page) : notedDigest(detail)).slice(0, NAMED_DIGITS);
  return (readings.findLast((event) => event.d.request?.html === start) ?? readings.at(0))?.d.outcome ?? null;
}

/** @param {StepDetail} detail */
function notedDigest(detail) {
  return detail.events.findLast((event) => event.k === "page.open")?.d.html_sha256 ?? "";
}

/**
 * What the walk itself looked at comes before what was only kept for people, and a picture is shown once.
 * @param {StepDetail} detail
 */
export function picturesOf(detail) {
  const calls = callsOf(detail);
  const first = calls.filter((event) => event.d.seam !== "picture").flatMap(picturesIn);
  const kept = calls.filter((event) => event.d.seam === "picture").flatMap(picturesIn);
  const isNew = (/** @type {Picture} */ { digest }) => !first.some((other) => other.digest === digest);
  return [...first, ...kept.filter(isNew).slice(0, 1)];
}

/**
 * @param {CallEvent} event
 * @returns {Picture[]}
 */
function picturesIn(event) {
  const { seam, method, request, outcome } = event.d;
  const found = [];
  if ((seam === "browser" || seam === "picture") && method === "see" && outcome?.picture) {
    const label = request?.box ? "Crop" : request?.whole ? "Whole page" : "Window";
    found.push({ digest: digestOf(outcome.picture), view: digestOf(outcome.view), label, event });
  }
  const images = list(request?.messages).flatMap((message) => list(message.images));
  for (const { data } of images) {
    if (data?.$b) found.push({ digest: digestOf(data), view: "", label: "Sent to the model", event });
  }
  return found;
}

/**
 * Calls that looked at a picture.
 * @param {StepDetail} detail
 */
export function looksOf(detail) {
  return callsOf(detail).filter((event) => ["vision", "vision_model"].includes(event.d.seam));
}

/**
 * Parts of the page that were drawn larger.
 * @param {StepDetail} detail
 */
export function cropsOf(detail) {
  return callsOf(detail).filter((event) => event.d.method === "see" && event.d.request?.box);
}
