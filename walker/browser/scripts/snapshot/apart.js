// Where the screen sets text apart that the document writes without a space: items of a row, badges,
// labels above values.

const INLINE = new Set(
  "a abbr b big bdi cite code em font i kbd label mark q s samp small span strong time u var".split(" "),
);
/** Of the size of its letters: a space is a quarter, what is drawn as one word touches. */
const LEAST_GAP = 0.15;
const ENDS_APART = /\s$/;
const BEGINS_APART = /^\s/;

/**
 * @param {Element} el that is drawn
 * @returns {boolean} whether it is set apart from the text before it, which no space parts from it
 */
export function isApart(el) {
  if (!INLINE.has(el.localName)) return false;
  const before = nodeBefore(el);
  if (!before || ENDS_APART.test(before.textContent ?? "") || BEGINS_APART.test(el.textContent ?? "")) return false;
  if (!el.textContent || !before.textContent) return false;
  const one = lastBox(before);
  const other = el.getClientRects()[0];
  if (!one || !other || !one.width || !other.width) return false;
  const size = Number.parseFloat(getComputedStyle(el).fontSize) || 0;
  const isBelow = other.top >= one.bottom - 1;
  if (isBelow) return !isInText(el);
  const gap = Math.max(other.left - one.right, one.left - other.right);
  return gap > LEAST_GAP * size;
}

/**
 * @param {Element} el
 * @returns {ChildNode | null} the text or the inline element before it
 */
function nodeBefore(el) {
  const node = el.previousSibling;
  if (node?.nodeType === Node.TEXT_NODE) return node;
  return node?.nodeType === Node.ELEMENT_NODE && INLINE.has(/** @type {Element} */ (node).localName) ? node : null;
}

/**
 * @param {Element} el
 * @returns {boolean} whether it flows with the text around it, which may break within a word
 */
function isInText(el) {
  return getComputedStyle(el).display.startsWith("inline");
}

/**
 * @param {ChildNode} node
 * @returns {DOMRect | undefined}
 */
function lastBox(node) {
  if (node.nodeType === Node.ELEMENT_NODE) return [.../** @type {Element} */ (node).getClientRects()].at(-1);
  const range = document.createRange();
  range.selectNodeContents(node);
  return [...range.getClientRects()].at(-1);
}
