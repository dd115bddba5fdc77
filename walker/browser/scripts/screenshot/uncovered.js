// A picture is drawn as a reader sees it once they have scrolled to it: whole, though it stands in a pane that scrolls,
// and not below a bar that stays in its place. Runs in a world of our own.

const PICTURES = "img, svg, canvas, video, object, embed, iframe, input[type=image]";
const LEAST_SIDE = 24;
// Shares from which a box is drawn for the sake of its pictures: of a picture in the box, and of the box in pictures.
const LEAST_SHARE = 0.5;
const LEAST_FILLED = 0.4;
// Share of a box and of what stays in its place that both have in common, from which that is what is drawn.
const SAME = 0.6;
const MOST_ELEMENTS = 20_000;

/** @typedef {[style: CSSStyleDeclaration, name: string, value: string, priority: string]} Kept */

/**
 * Opens the panes that cut off the pictures in a box, and hides what stays in its place above them. `letGo` of
 * standstill.js takes it back.
 * @param {[x: number, y: number, width: number, height: number]} asked CSS pixels of the page
 * @returns {[dx: number, dy: number, width: number, height: number]} how far the pictures have moved by it, and the
 *   size of the page now
 */
export function uncoverPictures([x, y, width, height]) {
  const box = new DOMRect(x - scrollX, y - scrollY, width, height);
  const pictures = picturesOf(box);
  const [first] = pictures;
  /** @type {Kept[]} */
  const kept = [];
  /** @type {[Element, number, number][]} */
  const scrolled = [];
  let [dx, dy] = [0, 0];
  if (first) {
    const before = first.getBoundingClientRect();
    for (const one of pictures) openPanes(one, kept, scrolled);
    hideStaying(pictures, box, kept);
    const now = first.getBoundingClientRect();
    [dx, dy] = [now.x - before.x, now.y - before.y];
  }
  const letGo = globalThis.walkerLetGo;
  globalThis.walkerLetGo = () => {
    for (const [style, name, value, priority] of kept.reverse()) style.setProperty(name, value, priority);
    for (const [pane, left, top] of scrolled) pane.scrollTo({ left, top, behavior: "instant" });
    letGo?.();
  };
  const { scrollWidth, scrollHeight } = document.documentElement;
  const seen = pictures.map((one) => one.getBoundingClientRect());
  return [
    dx,
    dy,
    Math.max(scrollWidth, ...seen.map((one) => one.right + scrollX)),
    Math.max(scrollHeight, ...seen.map((one) => one.bottom + scrollY)),
  ];
}

/**
 * @param {DOMRect} box
 * @returns {Element[]} the pictures for whose sake a box is drawn, none where other things fill it
 */
function picturesOf(box) {
  let filled = 0;
  const found = [...document.querySelectorAll(PICTURES)].filter((one) => {
    const own = one.getBoundingClientRect();
    const isMeant = common(own, box) >= LEAST_SHARE * area(own) && Math.min(own.width, own.height) >= LEAST_SIDE;
    if (isMeant) filled += common(own, box);
    return isMeant;
  });
  return filled >= LEAST_FILLED * area(box) ? found : [];
}

/**
 * @param {DOMRect} box
 * @returns {number}
 */
function area(box) {
  return box.width * box.height;
}

/**
 * @param {DOMRect} one
 * @param {DOMRect} other
 * @returns {number} the area of what both cover
 */
function common(one, other) {
  const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return Math.max(0, across) * Math.max(0, down);
}

/**
 * Panes that a reader can scroll are opened, and what cuts off such a pane. What is cut off by nothing that scrolls is
 * hidden on purpose, and stays so.
 * @param {Element} picture
 * @param {Kept[]} kept
 * @param {[Element, number, number][]} scrolled
 */
function openPanes(picture, kept, scrolled) {
  let isInPane = false;
  for (let el = picture.parentElement; el; el = el.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(el);
    const scrolls = /auto|scroll/.test(`${overflowX} ${overflowY}`);
    const isRoot = el === document.documentElement || el === document.body;
    if (scrolls && !isRoot && (el.scrollHeight > el.clientHeight + 1 || el.scrollWidth > el.clientWidth + 1)) {
      if (isWithin(picture.getBoundingClientRect(), el.getBoundingClientRect()) && !isInPane) continue;
      isInPane = true;
      scrolled.push([el, el.scrollLeft, el.scrollTop]);
    }
    if (isInPane && overflowX + overflowY !== "visiblevisible") put(el, "overflow", "visible", kept);
  }
}

/**
 * @param {DOMRect} one
 * @param {DOMRect} other
 * @returns {boolean}
 */
function isWithin(one, other) {
  return one.left >= other.left && one.right <= other.right && one.top >= other.top && one.bottom <= other.bottom;
}

/**
 * @param {Element[]} pictures
 * @param {DOMRect} box
 * @param {Kept[]} kept
 */
function hideStaying(pictures, box, kept) {
  const elements = [...(document.body?.querySelectorAll("*") ?? [])].slice(0, MOST_ELEMENTS);
  for (const el of elements) {
    const { position } = getComputedStyle(el);
    if (position !== "fixed" && position !== "sticky") continue;
    const own = el.getBoundingClientRect();
    const over = common(own, box);
    const isAsked = over >= SAME * Math.max(area(own), area(box));
    if (over > 0 && !isAsked && !pictures.some((one) => el.contains(one))) put(el, "visibility", "hidden", kept);
  }
}

/**
 * @param {Element} el
 * @param {string} name
 * @param {string} value
 * @param {Kept[]} kept gets what its style says of it now
 */
function put(el, name, value, kept) {
  const { style } = /** @type {HTMLElement | SVGElement} */ (el);
  kept.push([style, name, style.getPropertyValue(name), style.getPropertyPriority(name)]);
  style.setProperty(name, value, "important");
}
