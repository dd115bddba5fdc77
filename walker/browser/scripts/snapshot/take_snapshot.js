// Takes a page as a walk reads it: its document with what is hidden marked, its media, and what its text does not
// carry.

import { findBlindRegions } from "../blind_regions/find_blind_regions.js";
import { pendingWork } from "../pending_work.js";
import { wellFormed } from "../well_formed.js";
import { isApart } from "./apart.js";
import { whyHidden } from "./hidden_text.js";
import { copyOf } from "./page_copy.js";

/** @typedef {import("../blind_regions/regions.js").Picture} Picture */

const MOST_MEDIA = 200;
const LEAST_SIDE = 32;
const NAME_CHARS = 200;

/** @type {import("./page_copy.js").Rules} */
const VISIBLE = {
  isShown: (frame) => frame.checkVisibility(),
  isEntered: (el, copy) => {
    const why = whyHidden(el);
    if (why !== null) {
      copy.setAttribute("data-walker-hidden", why);
      return false;
    }
    if (isApart(el)) copy.before(" ");
    return el.localName !== "svg" && el.localName !== "head";
  },
};

/** What of a `RenderedPage` the page itself tells. */
export function snapshotOf() {
  const { media, pictures } = listMedia();
  const { blind, described } = blindRegionsOrNone(pictures);
  const root = document.documentElement;
  const way = /** @type {PerformanceNavigationTiming | undefined} */ (performance.getEntriesByType("navigation")[0]);
  return {
    html: root ? wellFormed(copyOf(root, VISIBLE).outerHTML) : "",
    url: location.href,
    title: wellFormed(document.title),
    type: document.contentType,
    status: way?.responseStatus ?? 0,
    scrolls: pendingWork().scrolls,
    layout: {
      viewport_width: innerWidth,
      viewport_height: innerHeight,
      page_height: root ? root.scrollHeight : 0,
      media,
      blind,
      described,
    },
  };
}

/** @returns {{media: object[], pictures: Picture[]}} what is large enough to show something */
function listMedia() {
  const media = [];
  /** @type {Picture[]} */
  const pictures = [];
  for (const el of document.querySelectorAll("img, canvas, svg, video, iframe, object, embed")) {
    if (media.length >= MOST_MEDIA) break;
    const { x, y, width, height } = el.getBoundingClientRect();
    if (width < LEAST_SIDE || height < LEAST_SIDE) continue;
    const box = { x: x + scrollX, y: y + scrollY, width, height };
    const kind = el.localName === "embed" ? "object" : el.localName;
    const name = mediaName(el);
    media.push({ kind, name, box });
    if (kind !== "iframe" && kind !== "video") pictures.push({ el, box, name });
  }
  return { media, pictures };
}

/**
 * @param {Element} el
 * @returns {string} what it is called, "" for nothing
 */
function mediaName(el) {
  const title = el.localName === "svg" ? el.querySelector("title")?.textContent : "";
  const name = el.getAttribute("alt") || el.getAttribute("aria-label") || el.getAttribute("title") || title || "";
  return wellFormed(name.trim().slice(0, NAME_CHARS));
}

/**
 * @param {Picture[]} pictures
 * @returns {{blind: object[], described: object[]}} none where the page does not let them be found
 */
function blindRegionsOrNone(pictures) {
  try {
    return findBlindRegions(pictures);
  } catch {
    return { blind: [], described: [] };
  }
}
