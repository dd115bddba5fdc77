// Text that stands in the document and that nobody sees.

/** @typedef {number[]} Channels red, green and blue, 0..255, and alpha, 0..1 */

const UNRENDERED = new Set(
  (
    "script style template link meta title head noscript base br wbr option optgroup source track param area map col " +
    "colgroup datalist body html"
  ).split(" "),
);
const PICTURES = /^(img|canvas|video|svg|iframe|object|picture)$/;
/** What is over other things for a time only. */
const PASSING = "dialog, [role=dialog], [role=alertdialog], [aria-modal=true], [role=menu], [role=tooltip], [popover]";
/** A picture may stand in for words in these: they are its name. */
const NAMED = "a, button, label";
/** Of a node: asking `Node` for it takes longer than the question. */
const TEXT = 3;
const ALIKE = 12;
const MOST_ASIDE = 40;

/** @type {Map<Element, Channels | null>} */
const backgrounds = new Map();

/**
 * @param {Element} el
 * @returns {string | null} why nobody sees it; null where it is seen, or never drawn, "" for what a page leaves out as
 *   pages do (menus, tabs)
 */
export function whyHidden(el) {
  if (UNRENDERED.has(el.localName) || !el.checkVisibility) return null;
  if (el.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return whyUnreadable(el);
  const style = getComputedStyle(el);
  if (!el.checkVisibility({ visibilityProperty: true })) return style.display !== "contents" ? "" : null;
  return fadesIn(el) ? null : "transparent";
}

/**
 * @param {Element} el that is transparent, by itself or with what it stands in
 * @returns {boolean} whether what makes it so moves: what fades in, or does while one scrolls, is not hidden
 */
function fadesIn(el) {
  for (let at = /** @type {Element | null} */ (el); at; at = at.parentElement) {
    const { opacity, transitionDuration, animationName } = getComputedStyle(at);
    if (Number(opacity) === 0) return transitionDuration !== "0s" || animationName !== "none";
  }
  return true;
}

/**
 * @param {Element} el that is drawn
 * @returns {string | null} why the text that begins it cannot be read
 */
function whyUnreadable(el) {
  const first = el.firstChild;
  if (!first || first.nodeType !== TEXT || !(/** @type {Text} */ (first).data.trim())) return null;
  const style = getComputedStyle(el);
  const beyond = whyBeyond(el);
  if (beyond) return beyond;
  if (hasColourOfBackground(el, style)) return "same colour";
  if (isClipped(el, style)) return "clipped";
  return isCovered(el) ? "covered" : null;
}

/**
 * Beyond the left or upper edge nobody can scroll to; text of no size, or in a box of a point, nobody can read.
 * @param {Element} el
 * @returns {string | null}
 */
function whyBeyond(el) {
  const box = el.getBoundingClientRect();
  if (box.width + box.height === 0) return null;
  if (box.right + scrollX <= 0 || box.bottom + scrollY <= 0) return isScrolledAway(el, box) ? null : "off-screen";
  return (box.height <= 2 || box.width <= 1) && !el.closest(NAMED) ? "tiny" : null;
}

/**
 * @param {Element} el
 * @param {DOMRect} box of it
 * @returns {boolean} whether a box of the page that scrolls by itself, such as a row of cards, can scroll back to it
 */
function isScrolledAway(el, box) {
  for (let at = el.parentElement; at && at !== document.body; at = at.parentElement) {
    const across = at.scrollWidth > at.clientWidth && at.scrollLeft > 0;
    if (!across && !(at.scrollHeight > at.clientHeight && at.scrollTop > 0)) continue;
    const outer = at.getBoundingClientRect();
    if (box.right - outer.left + at.scrollLeft > 0 && box.bottom - outer.top + at.scrollTop > 0) return true;
  }
  return false;
}

/**
 * @param {string} colour as styles are computed
 * @returns {Channels | null}
 */
function channelsOf(colour) {
  const found = colour.match(/[\d.]+/g);
  return found ? [Number(found[0]), Number(found[1]), Number(found[2]), Number(found[3] ?? 1)] : null;
}

/**
 * @param {Element | null} el
 * @returns {Channels | null} the colour behind its text, null where only the renderer knows it
 */
function backgroundOf(el) {
  if (!el) return [255, 255, 255];
  let background = backgrounds.get(el);
  if (background !== undefined) return background;
  const style = getComputedStyle(el);
  const own = channelsOf(style.backgroundColor);
  if (style.backgroundImage !== "none" || !own || (own[3] > 0 && own[3] < 1)) background = null;
  else background = own[3] === 1 ? own : backgroundOf(el.parentElement);
  backgrounds.set(el, background);
  return background;
}

/**
 * @param {Channels} one
 * @param {Channels | null} other
 * @returns {boolean}
 */
function isAlike(one, other) {
  if (!other) return false;
  return Math.abs(one[0] - other[0]) + Math.abs(one[1] - other[1]) + Math.abs(one[2] - other[2]) <= ALIKE;
}

/**
 * What is behind text is asked of the renderer where it can be, and where it cannot, only plain text in the flow of the
 * page is judged.
 * @param {Element} el
 * @param {CSSStyleDeclaration} style
 * @returns {boolean} whether its letters have the colour of what is behind them
 */
function hasColourOfBackground(el, style) {
  const colour = channelsOf(style.color);
  if (!colour || !isAlike(colour, backgroundOf(el))) return false;
  if (style.textShadow !== "none" || style.webkitTextFillColor !== style.color || colour[3] === 0) return false;
  const box = el.getBoundingClientRect();
  if (!box.width || el.getRootNode() !== document) return false;
  const x = box.x + Math.min(box.width / 2, MOST_ASIDE);
  const y = box.y + box.height / 2;
  if (x >= 0 && y >= 0 && x < innerWidth && y < innerHeight) return isColourUnder(el, colour, x, y);
  for (let at = /** @type {Element | null} */ (el); at && at !== document.body; at = at.parentElement)
    if (getComputedStyle(at).position !== "static") return false;
  return true;
}

/**
 * @param {Element} el
 * @param {Channels} colour
 * @param {number} x
 * @param {number} y
 * @returns {boolean} whether what is drawn under it at a point of the window has the colour
 */
function isColourUnder(el, colour, x, y) {
  for (const under of document.elementsFromPoint(x, y)) {
    if (under === el || el.contains(under)) continue;
    if (PICTURES.test(under.localName)) return false;
    const behind = getComputedStyle(under);
    if (behind.backgroundImage !== "none") return false;
    const shade = channelsOf(behind.backgroundColor);
    if (shade && shade[3] > 0) return isAlike(colour, shade);
  }
  return true;
}

/**
 * Cut down to nothing, or moved out of its own box.
 * @param {Element} el
 * @param {CSSStyleDeclaration} style
 * @returns {boolean}
 */
function isClipped(el, { clipPath, clip, textIndent }) {
  const isCut =
    (clipPath !== "none" && /^(inset\((50|100)%\)|circle\(0)/.test(clipPath)) ||
    (clip !== "auto" && /^rect\(([01]px,? ){3}[01]px\)$/.test(clip)) ||
    parseFloat(textIndent) <= -999;
  return isCut && !el.closest(NAMED);
}

/**
 * @param {Element} el
 * @returns {boolean} whether all its text lies under an even ground that scrolls with it: a picture may be clear, a
 *   dialog closed, and a bar that stays scrolled from under
 */
function isCovered(el) {
  const whole = el.getBoundingClientRect();
  if (whole.bottom < 0 || whole.top >= innerHeight || el.getRootNode() !== document) return false;
  const words = document.createRange();
  words.selectNodeContents(el);
  const box = words.getBoundingClientRect();
  const y = box.y + box.height / 2;
  if (!box.width || y < 0 || y >= innerHeight || box.x < 0 || box.right > innerWidth) return false;
  const top = document.elementFromPoint(box.x + box.width / 2, y);
  if (!top || el.contains(top) || top.contains(el)) return false;
  return [0.1, 0.5, 0.9].every((across) => {
    const stack = document.elementsFromPoint(box.x + box.width * across, y);
    const place = stack.findIndex((each) => el.contains(each));
    return stack.slice(0, Math.max(place, 0)).some((each) => !each.contains(el) && isOpaque(each) && !stays(each));
  });
}

/**
 * @param {Element} el
 * @returns {boolean} whether an even ground hides what is under it
 */
function isOpaque(el) {
  const style = getComputedStyle(el);
  return Number(style.opacity) === 1 && (channelsOf(style.backgroundColor) ?? [0, 0, 0, 0])[3] === 1;
}

/**
 * @param {Element} el
 * @returns {boolean} whether it goes away by itself, or does not scroll with the page
 */
function stays(el) {
  if (el.closest(PASSING)) return true;
  for (let at = /** @type {Element | null} */ (el); at; at = at.parentElement)
    if (/fixed|sticky/.test(getComputedStyle(at).position)) return true;
  return false;
}
