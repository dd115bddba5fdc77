// Boxes in CSS pixels of the page.

/** @typedef {{x: number, y: number, width: number, height: number}} Box */

/** What the window shows: where it was when the script began. */
export const WINDOW = { x: scrollX, y: scrollY, width: innerWidth, height: innerHeight };

/**
 * @param {Box} box
 * @param {number} dx
 * @param {number} dy
 * @returns {Box}
 */
export function moved(box, dx, dy) {
  return { x: box.x + dx, y: box.y + dy, width: box.width, height: box.height };
}

/**
 * @param {Box} box
 * @returns {boolean} whether some of it is in the window
 */
export function isInWindow(box) {
  return (
    box.x < WINDOW.x + WINDOW.width &&
    box.x + box.width > WINDOW.x &&
    box.y < WINDOW.y + WINDOW.height &&
    box.y + box.height > WINDOW.y
  );
}

/**
 * @param {DOMRect} box as it is measured: from the window's upper left corner
 * @returns {boolean} whether it has a width, and nothing of it is in the window
 */
export function isOutsideWindow(box) {
  return box.width > 0 && (box.top >= WINDOW.height || box.bottom <= 0 || box.left >= WINDOW.width || box.right <= 0);
}

/**
 * @param {Box} one
 * @param {Box} other
 * @returns {Box} what both cover; its width or height is 0 where that is nothing
 */
export function intersection(one, other) {
  const x = Math.max(one.x, other.x);
  const y = Math.max(one.y, other.y);
  return {
    x,
    y,
    width: Math.max(0, Math.min(one.x + one.width, other.x + other.width) - x),
    height: Math.max(0, Math.min(one.y + one.height, other.y + other.height) - y),
  };
}

/**
 * @param {Box} one
 * @param {Box} other
 * @returns {boolean} whether all of one is in the other
 */
export function isWithin(one, other) {
  return (
    one.x >= other.x &&
    one.y >= other.y &&
    one.x + one.width <= other.x + other.width &&
    one.y + one.height <= other.y + other.height
  );
}

/**
 * @param {Box[]} boxes one at least
 * @returns {Box} the smallest that holds them all
 */
export function boxAround(boxes) {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  };
}

/**
 * @param {number} value
 * @returns {number} with two decimals
 */
export function round2(value) {
  return Math.round(value * 100) / 100;
}
