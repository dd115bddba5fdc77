// Two pictures side by side, with lines between the points that agree and a frame about the part that was found.

/** @import { PictureHit, SharePoint, Source } from "../../types.d.ts" */

import { h, s } from "../../elements/dom.js";
import { plural } from "../../elements/words.js";
import { list } from "../../record/values.js";

/** Of the drawing, in its own units. */
const WIDTH = 300;
const GAP = 40;
/** Height of a picture by its width, where that is not known, and the most that is drawn. */
const UNKNOWN = 0.75;
const HIGHEST = 2;

/** @typedef {{ src: string; ratio: number }} Shown */

/**
 * The first of these pictures whose bytes are in the run; no source for none.
 * @param {Source} source
 * @param {string} run
 * @param {readonly string[]} digests
 * @returns {Promise<Shown>}
 */
export async function pictureOf(source, run, digests) {
  for (const digest of digests) {
    try {
      const src = await source.pictureUrl(run, digest);
      const image = h("img", { src });
      await image.decode();
      return { src, ratio: Math.min(HIGHEST, image.naturalHeight / image.naturalWidth) };
    } catch {
      continue;
    }
  }
  return { src: "", ratio: UNKNOWN };
}

/**
 * @param {PictureHit} hit
 * @param {Shown} here
 * @param {Shown} there
 */
export function pictureParts(hit, here, there) {
  const matches = list(hit.matches).filter((pair) => pair.every(isPoint));
  const right = WIDTH + GAP;
  const height = WIDTH * Math.max(here.ratio, there.ratio);
  const label = `The searched picture beside the found one, ${plural(matches.length, "matched point")}`;
  const lines = matches.map(([one, other]) => {
    const [x1, y1] = [one.x * WIDTH, one.y * WIDTH * here.ratio];
    const [x2, y2] = [right + other.x * WIDTH, other.y * WIDTH * there.ratio];
    const ends = [s("circle", { cx: x1, cy: y1, r: 2.5 }), s("circle", { cx: x2, cy: y2, r: 2.5 })];
    return s("g", { class: "match" }, s("line", { x1, y1, x2, y2 }), ends);
  });
  return s(
    "svg",
    { class: "matched", viewBox: `0 0 ${WIDTH + right} ${height}`, role: "img", "aria-label": label },
    oneSide(here, 0),
    oneSide(there, right),
    foundPart(hit, there, right),
    lines,
  );
}

/**
 * @param {Shown} shown
 * @param {number} x
 */
function oneSide({ src, ratio }, x) {
  const place = { x, y: 0, width: WIDTH, height: WIDTH * ratio };
  if (src) return s("image", { ...place, href: src, preserveAspectRatio: "none" });
  const words = s("text", { x: x + 12, y: 24 }, "its bytes are not in the run");
  return s("g", { class: "no-picture" }, s("rect", place), words);
}

/**
 * @param {PictureHit} hit
 * @param {Shown} there
 * @param {number} x
 */
function foundPart({ part }, { ratio }, x) {
  const [left = 0, top = 0, right = 1, bottom = 1] = list(part);
  const [width, height] = [(right - left) * WIDTH, (bottom - top) * WIDTH * ratio];
  if (!(width > 0) || !(height > 0)) return null;
  return s("rect", { class: "part", x: x + left * WIDTH, y: top * WIDTH * ratio, width, height });
}

/** @param {SharePoint} point */
function isPoint(point) {
  return Number.isFinite(point?.x) && Number.isFinite(point?.y);
}
