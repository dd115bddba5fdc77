// Learns where things lead that are no links, and timers of the page: presses the ones and runs the others while every
// navigation is held back.

import { lateRedirects, runLateRedirects } from "../late_redirects.js";
import { needsFrames } from "../pending_work.js";

const CLICKABLE = '[onclick], a[href^="javascript:" i], [role=link]:not([href])';
const PLAIN_LINK = 'a[href]:not([href^="javascript:" i]):not([href="#"])';
const LEADS = /location|navigat|href|\.open\s*\(|router|\bgo\w*\s*\(|\burl\b|link|visit|show|page|load/i;
const HARMS = [
  /history\.(back|go|forward)|\.submit\s*\(|\bprint\s*\(|\bclose\s*\(|delet|remov|logout|sign.?out|\bpost\b/i,
  /fetch\s*\(|XMLHttp|confirm\s*\(|prompt\s*\(|alert\s*\(/i,
];
const LATER_MS = 5;
const LATEST_MS = 60;
/** For what counts down by itself, turn by turn. */
const COUNTDOWN_MS = 500;

/**
 * @param {[most: number, milliseconds: number]} asked presses at most, and how long they may take
 * @returns {Promise<{found: string[], needs_frames?: boolean}>} other addresses that the page would go to
 */
export async function probeClicks([most, milliseconds]) {
  if (!window.navigation) return { found: [] };
  /** @type {Set<string>} */
  const found = new Set();
  window.navigation.addEventListener("navigate", (event) => holdBack(event, found));
  const started = performance.now();
  if (lateRedirects()) {
    runLateRedirects();
    while (lateRedirects() && performance.now() - started < COUNTDOWN_MS) await pause(LATER_MS);
    await pause(LATER_MS);
  }
  const wanted = clickables();
  for (const el of wanted.slice(0, most)) {
    if (performance.now() - started > milliseconds) break;
    await press(el, found);
  }
  // Scripts of addresses run in turns of their own. What comes later still is held back too: the page is not used any
  // more.
  if (wanted.length) await pause(LATEST_MS);
  return { found: [...found].filter(isOtherPage), needs_frames: needsFrames() };
}

/**
 * Every way of leaving a document says so first, and may be told not to; what is posted is none of ours.
 * @param {NavigateEvent} event
 * @param {Set<string>} found
 */
function holdBack(event, found) {
  if (event.cancelable) event.preventDefault();
  if (!event.formData && event.navigationType !== "traverse" && event.navigationType !== "reload")
    found.add(event.destination.url);
}

/** @returns {HTMLElement[]} what is no link and looks as if it led somewhere, and as if it changed nothing */
function clickables() {
  const all = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(CLICKABLE)]);
  return all.filter((el) => {
    if (el.matches(PLAIN_LINK) || el.closest("form")) return false;
    const script = scriptOf(el);
    return el.getAttribute("role") === "link" || (LEADS.test(script) && !HARMS.some((words) => words.test(script)));
  });
}

/**
 * @param {Element} el
 * @returns {string} what it runs when it is pressed
 */
function scriptOf(el) {
  return el.getAttribute("onclick") ?? (el.getAttribute("href") ?? "").replace(/^javascript:/i, "");
}

/**
 * @param {HTMLElement} el
 * @param {Set<string>} found
 */
async function press(el, found) {
  const before = found.size;
  el.closest("a")?.removeAttribute("target");
  try {
    handlerOf(el).click();
  } catch {
    return;
  }
  // A handler may wait for the end of its own turn.
  await pause(0);
  if (found.size === before) await pause(LATER_MS);
}

/**
 * What the script of an address does to the location cannot be held back; the same script as a click handler's can.
 * @param {HTMLElement} el
 * @returns {HTMLElement} what to press in its place
 */
function handlerOf(el) {
  if (!/^javascript:/i.test(el.getAttribute("href") ?? "")) return el;
  const handler = document.createElement("span");
  handler.setAttribute("onclick", decoded(scriptOf(el)));
  return handler;
}

/**
 * @param {string} text
 * @returns {string} without the escapes of an address, as it is where they are none
 */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * @param {string} url
 * @returns {boolean}
 */
function isOtherPage(url) {
  const here = location.href.split("#")[0];
  return /^https?:/.test(url) && (url.split("#")[0] !== here || /#[!/]/.test(url));
}

/**
 * @param {number} ms
 * @returns {Promise<void>}
 */
function pause(ms) {
  return new Promise((done) => {
    setTimeout(done, ms);
  });
}
