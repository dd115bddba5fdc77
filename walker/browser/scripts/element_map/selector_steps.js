// Selectors as steps, each with the number of the one above it: paths of elements share most of their length.

/** @type {[above: number, name: string, place: number][]} less than 0 above for none; an id where the place is 0 */
export const steps = [];
/** @type {Map<Element, number>} */
const numbers = new Map();
/** @type {Map<Element, number>} */
const places = new Map();

/**
 * @param {Element} el
 * @returns {number} of the step that leads to it, in `steps`
 */
export function stepOf(el) {
  let number = numbers.get(el);
  if (number !== undefined) return number;
  const above = el.parentElement;
  number =
    steps.push(hasNameOfItsOwn(el) ? [-1, el.id, 0] : [above ? stepOf(above) : -1, el.localName, placeOf(el)]) - 1;
  numbers.set(el, number);
  return number;
}

/**
 * @param {Element} el
 * @returns {boolean} whether its id is plain, and no other element of its document or shadow root has it
 */
function hasNameOfItsOwn(el) {
  if (!el.id || !/^[A-Za-z][\w-]*$/.test(el.id)) return false;
  return /** @type {Document} */ (el.getRootNode()).querySelectorAll(`#${el.id}`).length === 1;
}

/**
 * @param {Element} el
 * @returns {number} among its siblings of one tag, from 1; a sibling counted before is not counted again
 */
function placeOf(el) {
  let place = 1;
  for (let before = el.previousElementSibling; before; before = before.previousElementSibling) {
    if (before.localName !== el.localName) continue;
    const known = places.get(before);
    if (known) {
      place += known;
      break;
    }
    place += 1;
  }
  places.set(el, place);
  return place;
}
