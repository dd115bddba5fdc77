// What the card that a picture stands in calls it: of people the name of each, though it
// stands below the photo.

const HEADINGS = "h1, h2, h3, h4, h5, h6, caption, legend";
const PICTURES = "img, canvas, video";
const TINY = 16;
const CARD_DEPTH = 8;
/** Most characters of a line that is a name and no text. */
const NAME_CHARS = 60;

/**
 * @param {Element} el
 * @returns {string | null} the first heading of its card, else its first line where it is short,
 *   "" for a card that has none; null for a picture that stands in no card
 */
export function nameOfCard(el) {
  const card = cardOf(el);
  if (!card) return null;
  const heading = squeezed(card.querySelector(HEADINGS)?.textContent ?? "");
  if (heading) return heading.slice(0, 2 * NAME_CHARS);
  const lines = /** @type {HTMLElement} */ (card).innerText?.split("\n") ?? [];
  const first = lines.map(squeezed).find((line) => line) ?? "";
  return first.length <= NAME_CHARS ? first : "";
}

/**
 * @param {Element} el
 * @returns {Element | null} the largest element around a picture that holds no other one and
 *   has siblings of its kind that hold one
 */
function cardOf(el) {
  let inner = el;
  let around = el.parentElement;
  for (let depth = 0; around && depth < CARD_DEPTH && !around.matches("body, main"); depth += 1) {
    if (picturesIn(around) > 1) {
      const has = (/** @type {Element} */ one) =>
        one !== inner && one.localName === inner.localName && picturesIn(one) > 0;
      return inner !== el && [...around.children].some(has) ? inner : null;
    }
    inner = around;
    around = around.parentElement;
  }
  return null;
}

/**
 * @param {Element} el
 * @returns {number} of pictures in it that are no bullets, 2 for more
 */
function picturesIn(el) {
  let count = 0;
  for (const one of el.querySelectorAll(PICTURES)) {
    const box = one.getBoundingClientRect();
    count += box.width > TINY && box.height > TINY ? 1 : 0;
    if (count > 1) break;
  }
  return count;
}

/**
 * @param {string} text
 * @returns {string} with single spaces
 */
function squeezed(text) {
  return text.replace(/\s+/g, " ").trim();
}
