// When a page that is to be looked at is there: with its pictures, and with what is moved to its place.

import { comingWork, pendingWork, waitsForFrames } from "../pending_work.js";
import { isBusy, leadsOn, settled } from "./settling.js";

/**
 * Characters below which a page with scripts is sparse; how long a page must be without changes, if it has changed at
 * all, and if it is still sparse; for how long nothing may come of what is pending; and the limit of all. In ms.
 * @typedef {[shellChars: number, quietMs: number, sparseMs: number, stallMs: number, mostMs: number]} Waits
 */

// A page that is not shown has no frames.
const HIDDEN_MS = 500;
// Chromium loads lazy pictures from this distance on; what is farther down is loaded when it is looked at.
const LAZY_PX = 1250;
// A lazy picture far down whose size the markup does not say takes no room before it is there: nobody would know of it.
const LEAST_SIDE = 32;
const MOST_UNMEASURED = 60;
const LONGEST_MOVE_MS = 10_000;
// The end of one may begin the next, as in a row of cards that turns by itself.
const MOST_ENDED = 3;
const PROGRAM = /^\s*(module\s*)?$|javascript|ecmascript|jscript|babel/i;

/**
 * Waits until the page has settled.
 * @param {Waits} waits
 * @returns {Promise<string>} what was still pending when the time was over, "" where the page has settled
 */
export function settlePage([shellChars, quietMs, sparseMs, stallMs, mostMs]) {
  const isBuilt = hasPrograms() || leadsOn;
  const hasFewer = untilEnough(shellChars);
  return settled({
    isSparse: () => isBuilt && hasFewer(),
    pending: (isSparse) => whatIsPending(isBuilt, isSparse),
    stallMs: (isSparse) => (isSparse ? mostMs : stallMs),
    calmMs: (isSparse, hasChanged) => {
      if (leadsOn) return stallMs;
      if (isBuilt && (isSparse || isBusy())) return sparseMs;
      return hasChanged ? quietMs : 0;
    },
    mostMs: () => mostMs * 2,
    atRest: untilShown(!isBuilt),
  });
}

/**
 * @param {boolean} hasShown whether frames are not waited for
 * @returns {() => Promise<unknown> | null} shows the page, again where something moved
 */
function untilShown(hasShown) {
  let ended = 0;
  let isShown = hasShown;
  return () => {
    if (ended < MOST_ENDED && endMoves()) ended += 1;
    else if (isShown || !waitsForFrames()) return null;
    else isShown = true;
    return twoFrames();
  };
}

/**
 * What moves to its place is put there: how far it has come depends on the machine. What never ends is left alone.
 * @returns {boolean} whether anything was under way
 */
function endMoves() {
  let isMoved = false;
  for (const move of document.getAnimations()) {
    const end = move.effect?.getComputedTiming().endTime;
    if (move.playState !== "running" || typeof end !== "number" || end > LONGEST_MOVE_MS) continue;
    try {
      move.finish();
      isMoved = true;
    } catch {
      // What runs backwards from an endless time has no end to be put at.
    }
  }
  return isMoved;
}

/** @returns {boolean} whether there are scripts that run, and not only such as hold data */
function hasPrograms() {
  return [...document.scripts].some(({ type }) => PROGRAM.test(type));
}

/**
 * @param {number} most
 * @returns {() => boolean} whether fewer characters are visible; not asked again once there are enough, since the page
 *   is laid out for it
 */
function untilEnough(most) {
  let isEnough = false;
  return () => {
    isEnough ||= Boolean(document.body) && document.body.innerText.trim().length >= most;
    return !isEnough;
  };
}

/**
 * @param {boolean} isBuilt the page has scripts
 * @param {boolean} isSparse
 * @returns {string} the first that is, "" for nothing
 */
function whatIsPending(isBuilt, isSparse) {
  if (document.readyState !== "complete") return "loading";
  loadPicturesWithoutSize();
  if (hasLoadingPictures()) return "pictures";
  if (!isBuilt) return "";
  const { requests, due } = pendingWork();
  if (requests) return "requests";
  if (isSparse && performance.now() < due) return "timers";
  return comingWork() ? "timers" : "";
}

function loadPicturesWithoutSize() {
  /** @type {NodeListOf<HTMLImageElement>} */
  const lazy = document.querySelectorAll("img[loading=lazy]");
  for (const image of [...lazy].slice(0, MOST_UNMEASURED)) {
    if (image.complete || !image.checkVisibility()) continue;
    if (image.offsetWidth < LEAST_SIDE || image.offsetHeight < LEAST_SIDE) image.loading = "eager";
  }
}

/** @returns {boolean} whether pictures are under way that are shown near the window, where they load by themselves */
function hasLoadingPictures() {
  for (const image of document.images) {
    if (image.complete || !image.getClientRects().length) continue;
    const { top, bottom } = image.getBoundingClientRect();
    if (image.loading !== "lazy" || (top < innerHeight + LAZY_PX && bottom > -LAZY_PX)) return true;
  }
  return false;
}

/** @returns {Promise<unknown>} kept when the page was shown: scrolling and observers of what is in sight begin then */
function twoFrames() {
  const shown = new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(done));
  });
  return Promise.race([shown, new Promise((done) => setTimeout(done, HIDDEN_MS))]);
}
