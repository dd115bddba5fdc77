// How even a picture is: what is drawn or typed has wide plains of one colour, a photograph has none.

/** @typedef {import("./regions.js").Box} Box */

const SPOTS = 4;
const SIDE = 32;
const ALIKE = 2;
const LEAST_AREA = 10_000;
/** A picture that was not decoded yet takes some milliseconds. */
const MOST_PICTURES = 24;

let measured = 0;

/**
 * @param {HTMLImageElement} el
 * @param {Box} box of it
 * @returns {number} the share of pixels, in spots spread over its file, that are like the one to their right; 0 where
 *   that is not known: it has not arrived, is of another origin, or is none
 */
export function evennessOf(el, box) {
  const isLarge = box.width * box.height >= LEAST_AREA;
  if (el.localName !== "img" || !isLarge || !el.complete) return 0;
  if (Math.min(el.naturalWidth, el.naturalHeight) < SIDE) return 0;
  if (measured >= MOST_PICTURES) return 0;
  measured += 1;
  const paper = new OffscreenCanvas(SPOTS * SIDE, SPOTS * SIDE).getContext("2d", { willReadFrequently: true });
  if (!paper) return 0;
  paper.fillStyle = "white";
  paper.fillRect(0, 0, SPOTS * SIDE, SPOTS * SIDE);
  for (let spot = 0; spot < SPOTS * SPOTS; spot += 1) {
    const across = spot % SPOTS;
    const down = Math.floor(spot / SPOTS);
    const x = ((el.naturalWidth - SIDE) * (across + 0.5)) / SPOTS;
    const y = ((el.naturalHeight - SIDE) * (down + 0.5)) / SPOTS;
    paper.drawImage(el, Math.floor(x), Math.floor(y), SIDE, SIDE, across * SIDE, down * SIDE, SIDE, SIDE);
  }
  try {
    return shareAlike(paper.getImageData(0, 0, SPOTS * SIDE, SPOTS * SIDE).data);
  } catch {
    return 0; // of another origin
  }
}

/**
 * @param {Uint8ClampedArray} pixels of spots side by side
 * @returns {number} of those that have a neighbour in their spot; no less than a hundredth, since 0 is for what is not
 *   known
 */
function shareAlike(pixels) {
  let alike = 0;
  let all = 0;
  for (let at = 0; at + 7 < pixels.length; at += 4) {
    if ((at / 4) % SIDE === SIDE - 1) continue;
    all += 1;
    const apart = [0, 1, 2].map((colour) => Math.abs(pixels[at + colour] - pixels[at + 4 + colour]));
    if (Math.max(...apart) <= ALIKE) alike += 1;
  }
  return Math.max(1, Math.round((100 * alike) / all)) / 100;
}
