// Pictures that load when they come into sight are brought there once.

// What libraries call the address of a picture that waits (lazysizes, lozad, jQuery Lazy, WordPress, unveil, bLazy).
const LAZY = [
  "img[loading=lazy], iframe[loading=lazy], [data-src], [data-lazy], [data-srcset], .lazy, .lazyload",
  "[data-original], [data-lazy-src], [data-lazy-srcset], [data-bg], [data-background-image], [data-echo]",
].join(", ");
const POLL_MS = 30;

/**
 * Loads the pictures of a page; one without any that wait is not scrolled.
 * @param {[mostMs: number, mostHeight: number, mostElements: number]} asked how long it may take; CSS pixels from the
 *   top that are gone through; elements that are asked for a background
 * @returns {Promise<number>} how many waited to be seen
 */
export async function loadLazyPictures([mostMs, mostHeight, mostElements]) {
  const end = performance.now() + mostMs;
  const lazy = document.querySelectorAll(LAZY);
  if (lazy.length) {
    for (const each of lazy) {
      const picture = /** @type {HTMLImageElement} */ (each);
      if (picture.loading === "lazy") picture.loading = "eager";
    }
    await scrollThrough(mostHeight, end);
  }
  // A page is read before its load is over; a background, which does not tell when it is there, is there by then.
  const hasBackgrounds = document.readyState !== "complete" && usesBackgrounds(mostElements);
  while (performance.now() < end && !arePicturesThere(hasBackgrounds)) await pause(POLL_MS);
  await Promise.race([drawable(), pause(Math.max(0, end - performance.now()))]);
  return lazy.length;
}

/** @returns {Promise<unknown>} kept when pictures are decoded and fonts are there: what is drawn needs them */
function drawable() {
  const loaded = [...document.images].filter((image) => image.complete && image.naturalWidth > 0);
  return Promise.allSettled([document.fonts.ready, ...loaded.map((image) => image.decode())]);
}

/**
 * @param {number} mostHeight
 * @param {number} end by `performance.now`
 */
async function scrollThrough(mostHeight, end) {
  const [left, before] = [scrollX, scrollY];
  const height = Math.min(document.documentElement.scrollHeight, mostHeight);
  for (let top = 0; top < height && performance.now() < end; top += innerHeight) {
    scrollTo({ top, behavior: "instant" });
    await pause(POLL_MS);
  }
  scrollTo({ left, top: before, behavior: "instant" });
}

/**
 * @param {number} mostElements
 * @returns {boolean}
 */
function usesBackgrounds(mostElements) {
  const elements = [...(document.body?.querySelectorAll("*") ?? [])].slice(0, mostElements);
  return elements.some((el) => getComputedStyle(el).backgroundImage.includes("url("));
}

/**
 * @param {boolean} hasBackgrounds
 * @returns {boolean}
 */
function arePicturesThere(hasBackgrounds) {
  if (hasBackgrounds && document.readyState !== "complete") return false;
  return [...document.images].every((image) => image.complete);
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
