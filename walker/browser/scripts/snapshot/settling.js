// When a page is there: what fills itself by script is read when it is filled, that is loaded, with enough text, and
// without a change for a moment.

/**
 * How long a page must rest; how long one that is still sparse; how long either is waited for at most; and how long one
 * that is sparse and has work pending. In milliseconds.
 * @typedef {[quietMs: number, sparseMs: number, mostMs: number, lateMs: number]} Waits
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
 * @param {() => boolean} isSparse whether there is too little text yet
 * @param {Waits} waits
 * @param {() => {requests: boolean, due: number, isComing: boolean, isOver?: boolean}} pending what the page still has
 *   to do; nobody waits any more when it is over
 * @returns {Promise<void>} kept when the page has settled
 */
export function settled(isSparse, [quietMs, sparseMs, mostMs, lateMs], pending) {
  return new Promise((done) => {
    const started = performance.now();
    let last = started;
    const watcher = new MutationObserver(() => {
      last = performance.now();
    });
    watcher.observe(document, { childList: true, subtree: true, characterData: true });
    const check = () => {
      const now = performance.now();
      const { requests, due, isComing, isOver } = pending();
      const sparse = isSparse();
      const isDue = sparse && now < due;
      const most = sparse && (requests || isDue) ? lateMs : mostMs;
      const calm = sparse ? sparseMs : quietMs;
      const rest = leadsOn || requests || isDue || isComing || isBusy() ? most : calm;
      const isCalm = now - last >= rest && document.readyState === "complete";
      if (isOver || isCalm || now - started >= most) {
        watcher.disconnect();
        done();
      } else setTimeout(check, CHECK_EVERY_MS);
    };
    check();
  });
}
