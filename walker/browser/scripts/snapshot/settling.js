// When a page is there: all that was seen to be under way has come, and it is at rest. A busy machine or a slow network
// makes it come later, and must not change what is read; so this goes by what is pending, and by turns of the page's
// own timers, which come late where everything does. The clock ends only what does not end by itself.

/**
 * What a page is waited for.
 * @typedef {object} Rules
 * @property {() => boolean} isSparse whether there is too little text yet
 * @property {(isSparse: boolean) => string} pending what is seen to be under way, "" for nothing
 * @property {(isSparse: boolean) => number} stallMs how long nothing may come of what is pending
 * @property {(isSparse: boolean, hasChanged: boolean) => number} calmMs how long it must be without changes
 * @property {(isSparse: boolean) => number} mostMs the limit of all
 * @property {() => boolean} [isOver] whether nobody waits for it any more
 * @property {() => Promise<unknown> | null} [atRest] sets off what only a page at rest does, null where nothing is left
 */

const CHECK_EVERY_MS = 25;

/** A stub that is about to lead on by itself is not the page; leaving it ends the script. */
export const leadsOn = /^\s*[0-2]?(\.\d+)?\s*[;,]\s*(url\s*=)?\s*\S/i.test(
  /** @type {HTMLMetaElement | null} */ (document.querySelector('meta[http-equiv="refresh" i]'))?.content ?? "",
);

const SHOWN = "img, svg, canvas, video, audio, iframe, object, embed, input, select, textarea, button";

/** @returns {boolean} whether the page shows that it is loading, or has nothing yet in its main part */
export function isBusy() {
  // Many pages keep a sign for later, out of sight.
  const signs = document.querySelectorAll('[aria-busy="true"], .spinner, .loading, .skeleton');
  return [...signs].some((sign) => sign.checkVisibility()) || isHollow();
}

/** @returns {boolean} whether the place of the text is there, and empty: what stands around it is there first */
function isHollow() {
  const places = [...document.querySelectorAll("main, [role=main], #app, #root, #__next, #__nuxt")];
  return places.length > 0 && places.every((place) => !place.textContent?.trim() && !place.querySelector(SHOWN));
}

/**
 * Waits until the page has settled.
 * @param {Rules} rules
 * @returns {Promise<string>} what was still pending when the time was over, "" where the page has settled
 */
export async function settled(rules) {
  const progress = watchProgress();
  const started = performance.now();
  try {
    for (;;) {
      const isSparse = rules.isSparse();
      const pending = rules.pending(isSparse);
      if (rules.isOver?.()) return "";
      if (pending) {
        if (progress.isCalm(rules.stallMs(isSparse))) return pending;
      } else if (progress.isCalm(rules.calmMs(isSparse, progress.changed()))) {
        const rest = rules.atRest?.();
        if (!rest) return "";
        await rest;
        continue;
      }
      if (performance.now() - started > rules.mostMs(isSparse)) return pending || "changes";
      await turn(pending === "loading");
      progress.countTurn();
    }
  } finally {
    progress.stop();
  }
}

/** What changes in the page, or comes to it; time is counted in milliseconds, and in turns where these are late. */
function watchProgress() {
  let last = performance.now();
  let turns = 0;
  let hasChanged = false;
  const note = () => {
    last = performance.now();
    turns = 0;
  };
  const noteChange = () => {
    hasChanged = true;
    note();
  };
  // What stands above what is told by where it stands: a page that scrolls by itself is not there yet.
  addEventListener("scroll", noteChange, { capture: true, passive: true });
  const changes = new MutationObserver(noteChange);
  changes.observe(document, { childList: true, subtree: true, characterData: true });
  const arrivals = new PerformanceObserver(note);
  arrivals.observe({ type: "resource" });
  return {
    changed: () => hasChanged,
    /** @param {number} ms */
    isCalm: (ms) => performance.now() - last >= ms && turns * CHECK_EVERY_MS >= ms,
    countTurn: () => {
      turns += 1;
    },
    stop: () => {
      removeEventListener("scroll", noteChange, { capture: true });
      changes.disconnect();
      arrivals.disconnect();
    },
  };
}

/**
 * @param {boolean} isLoading ends with the load event, too
 * @returns {Promise<void>} kept in a later turn
 */
function turn(isLoading) {
  return new Promise((done) => {
    setTimeout(done, CHECK_EVERY_MS);
    // The page's own listeners come first.
    if (isLoading) addEventListener("load", () => setTimeout(done, 0), { once: true });
  });
}
