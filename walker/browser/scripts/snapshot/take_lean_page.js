// Takes a page for a crawl: the document and nothing measured, in one call.

import { documentOf, isFrame } from "../frames.js";
import { lateRedirects } from "../late_redirects.js";
import { comingWork, isNeverDrawn, needsFrames, pendingWork, waitsForFrames } from "../pending_work.js";
import { closedRoots } from "../shadow_roots.js";
import { wellFormed } from "../well_formed.js";
import { copyOf } from "./page_copy.js";
import { isBusy, leadsOn, settled } from "./settling.js";

const CHECK_EVERY_MS = 25;
const WITHOUT_LETTERS = new Set(["script", "style", "noscript"]);

/**
 * Characters below which a page is sparse; how long it must be without changes, how long where it may go on unseen, and
 * how long while it is sparse; how long it is waited for at most, also where it is sparse and has work pending. In ms.
 * @typedef {[shellChars: number, calmMs: number, quietMs: number, sparseMs: number, ...mostMs: Limits]} Waits
 * @typedef {[mostMs: number, lateMs: number]} Limits
 */

/** @type {import("./page_copy.js").Rules} */
const EVERYTHING = { isShown: () => true, isEntered: () => true };

/**
 * @param {[mostElements: number, mostBytes: number, ...waits: Waits]} asked
 *   a larger page is told of without its document
 * @returns {Promise<string>} JSON of a `RenderedPage`
 */
export async function takeLeanPage([mostElements, mostBytes, ...waits]) {
  if (document.scripts.length > 0 || leadsOn) await settleLean(waits);
  await framesLoaded(waits[4]);
  const all = document.getElementsByTagName("*");
  const facts = factsOf(all.length);
  if (facts.needs_frames) return JSON.stringify(facts);
  const root = document.documentElement;
  if (!root || all.length > mostElements || facts.bytes > mostBytes) return JSON.stringify(facts);
  const isWhole = isPlain(all);
  if (!isWhole && isNeverDrawn()) return JSON.stringify({ ...facts, needs_frames: true });
  const html = isWhole ? root.outerHTML : copyOf(root, EVERYTHING).outerHTML;
  facts.bytes = Math.max(facts.bytes, html.length);
  if (html.length <= mostBytes) facts.html = wellFormed(html);
  return JSON.stringify(facts);
}

/** @param {Waits} waits */
async function settleLean([shellChars, calmMs, quietMs, sparseMs, mostMs, lateMs]) {
  let work = pendingWork();
  const isDue = () => performance.now() < work.due;
  const limitMs = (/** @type {boolean} */ isSparse) => (isSparse && (work.requests || isDue()) ? lateMs : mostMs);
  await settled({
    isSparse: () => hasFewerLetters(shellChars),
    pending: (isSparse) => {
      work = pendingWork();
      if (document.readyState !== "complete") return "loading";
      if (work.requests) return "requests";
      return (isSparse && isDue()) || comingWork() ? "timers" : "";
    },
    stallMs: limitMs,
    calmMs: (isSparse) => {
      if (leadsOn || isBusy()) return mostMs;
      if (isSparse) return sparseMs;
      // What begins with a frame, or in a thread of its own, is not told of while it is under way.
      return waitsForFrames() ? quietMs : calmMs;
    },
    mostMs: limitMs,
    isOver: () => needsFrames(work),
  });
}

/**
 * Visible text is counted without laying the page out: letters below script and style do not count.
 * @param {number} most
 * @returns {boolean}
 */
function hasFewerLetters(most) {
  const texts = document.createTreeWalker(document.body ?? document.documentElement, NodeFilter.SHOW_TEXT);
  let sum = 0;
  while (sum < most && texts.nextNode()) {
    const node = /** @type {Text} */ (texts.currentNode);
    if (!WITHOUT_LETTERS.has(node.parentElement?.localName ?? "")) sum += node.data.trim().length;
  }
  return sum < most;
}

/**
 * Frames of the page's own are part of it, and come after it was parsed.
 * @param {number} mostMs
 */
async function framesLoaded(mostMs) {
  const started = performance.now();
  while (document.readyState !== "complete" && performance.now() - started < mostMs && hasLoadingFrames(document))
    await new Promise((done) => {
      setTimeout(done, CHECK_EVERY_MS);
    });
}

/**
 * @param {Document} owner
 * @returns {boolean}
 */
function hasLoadingFrames(owner) {
  return [.../** @type {NodeListOf<HTMLIFrameElement>} */ (owner.querySelectorAll("iframe, frame"))].some(isLoading);
}

/**
 * @param {HTMLIFrameElement} frame
 * @returns {boolean}
 */
function isLoading(frame) {
  const inner = documentOf(frame);
  if (!inner) return false;
  if (inner.URL === "about:blank" && frame.src && frame.loading !== "lazy") return isOfThisOrigin(frame.src);
  return inner.readyState !== "complete" || hasLoadingFrames(inner);
}

/**
 * @param {string} url
 * @returns {boolean}
 */
function isOfThisOrigin(url) {
  try {
    return new URL(url).origin === location.origin;
  } catch {
    return false;
  }
}

/**
 * @param {number} elements
 */
function factsOf(elements) {
  const way = /** @type {PerformanceNavigationTiming | undefined} */ (performance.getEntriesByType("navigation")[0]);
  const work = pendingWork();
  return {
    url: location.href,
    title: wellFormed(document.title),
    type: document.contentType,
    elements,
    html: "",
    needs_frames: needsFrames(work),
    status: way?.responseStatus ?? 0,
    bytes: way?.decodedBodySize ?? 0,
    scrolls: document.scripts.length > 0 && work.scrolls,
    leads_later: document.scripts.length > 0 && lateRedirects() > 0,
    answer_ms: way ? Math.max(0, way.responseEnd - way.fetchStart) : 0,
    layout: { viewport_width: innerWidth, viewport_height: innerHeight },
  };
}

/**
 * @param {HTMLCollectionOf<Element>} elements
 * @returns {boolean} whether the document's own markup holds all there is
 */
function isPlain(elements) {
  const closed = closedRoots(document);
  for (const el of elements) if (el.shadowRoot || isFrame(el) || (closed.size && closed.has(el))) return false;
  return true;
}
