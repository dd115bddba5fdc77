// What a page still has to do, as the script in its own world (page_world/pending_work.js) tells it.

/**
 * @typedef {object} PendingWork
 * @property {boolean} requests whether requests are under way
 * @property {number} due when the last timer set while the page loaded will be over, by `performance.now`
 * @property {boolean} scrolls whether scrolling is heard
 */

/**
 * What the page says of itself is believed within bounds of time only.
 * @returns {PendingWork}
 */
export function pendingWork() {
  const told = toldOf("walker-pending-work");
  return { requests: told?.requests > 0, due: Number(told?.due) || 0, scrolls: told?.scrolls === true };
}

/** @returns {boolean} whether something is about to come, as page_world/coming_work.js tells it */
export function comingWork() {
  return toldOf("walker-coming-work")?.coming > 0;
}

/** @returns {boolean} whether something in the page begins with the frame that shows it */
export function waitsForFrames() {
  return Boolean(location.hash) || pendingWork().scrolls || toldOf("walker-coming-work")?.frames !== false;
}

// Scripts of frames are not heard here.
const DRAWN = "iframe, frame, [onscroll], [onanimationend], [onanimationstart], [ontransitionend]";
// What is loaded when its place is known, or runs from frame to frame: scripts may wait for its events.
const DRAWN_FOR_SCRIPTS =
  "[loading=lazy i], object, embed, video, audio, [autofocus], animate, animateTransform, animateMotion, set";

/** @returns {boolean} whether this page gets no frames, and is never drawn */
export function isNeverDrawn() {
  return toldOf("walker-frame-needs") !== null;
}

/**
 * @param {PendingWork} [work] what it told just now, if it was asked
 * @returns {boolean} whether it is such a page, and might be another one if it were drawn
 */
export function needsFrames(work) {
  const told = toldOf("walker-frame-needs");
  if (!told) return false;
  if (told.needed !== false || (work ?? pendingWork()).scrolls || document.querySelector(DRAWN)) return true;
  return document.scripts.length > 0 && document.querySelector(DRAWN_FOR_SCRIPTS) !== null;
}

/** Counts what the page sets off from now on, as while it was loaded: it is about to be operated. */
export function expectWork() {
  document.dispatchEvent(new Event("walker-operation"));
}

/** Ends what `expectWork` began: the page is read as it is now. */
export function expectNoMore() {
  document.dispatchEvent(new Event("walker-rest"));
}

/**
 * @param {string} name of the event by which a script in the page's world tells; with a question mark it is asked
 * @returns {any} null where nobody tells
 */
function toldOf(name) {
  /** @type {any} */
  let told = null;
  const hear = (/** @type {Event} */ event) => {
    try {
      told = JSON.parse(String(/** @type {CustomEvent} */ (event).detail));
    } catch {
      told = null;
    }
  };
  document.addEventListener(name, hear);
  document.dispatchEvent(new Event(`${name}?`));
  document.removeEventListener(name, hear);
  return told;
}
