// Whose turn it is where each control of a page is pressed once. Pages draw them anew after a press, take the pressed
// one away, or put another in its place.

import { findElements, isShown } from "./finding.js";

/** @typedef {import("./finding.js").Control} Control */

/**
 * Of controls that say the same: how many there were at most, and how many were pressed.
 * @typedef {{most: number, pressed: number}} Alike
 */

/**
 * @typedef {object} Turns
 * @property {WeakSet<Element>} met controls that were there before
 * @property {WeakSet<Element>} pressed
 * @property {Map<string, Alike>} alike by what they say
 * @property {{el: Element, parent: Node | null, place: number, others: Element[]} | null} last the last one pressed,
 *   and the controls beside it
 */

/** @returns {Turns} */
export function newTurns() {
  return { met: new WeakSet(), pressed: new WeakSet(), alike: new Map(), last: null };
}

/**
 * @param {string} selector
 * @param {Turns} turns
 * @returns {Control | null} the next one to press, which counts as pressed from now on
 */
export function nextControl(selector, turns) {
  const shown = findElements(selector).filter(isShown);
  const isRedrawn = !turns.last?.others.some((one) => one.isConnected);
  const counts = countAlike(shown, turns);
  /** @type {Map<string, number>} */
  const passed = new Map();
  let next = null;
  for (const el of shown) {
    const name = nameOf(el);
    const nth = passed.get(name) ?? 0;
    passed.set(name, nth + 1);
    if (next || turns.pressed.has(el)) continue;
    const isSame = !turns.met.has(el) && (takesItsPlace(el, turns, isRedrawn) || nth < stillThere(name, counts, turns));
    if (isSame) turns.pressed.add(el);
    else next = el;
  }
  if (next) note(next, shown, turns);
  for (const el of shown) turns.met.add(el);
  return next;
}

/**
 * @param {Control[]} shown
 * @param {Turns} turns gets how many there were at most
 * @returns {Map<string, number>} how many say the same, by what they say
 */
function countAlike(shown, { alike }) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const el of shown) counts.set(nameOf(el), (counts.get(nameOf(el)) ?? 0) + 1);
  for (const [name, count] of counts) {
    const known = alike.get(name) ?? { most: 0, pressed: 0 };
    alike.set(name, { most: Math.max(known.most, count), pressed: known.pressed });
  }
  return counts;
}

/**
 * @param {string} name
 * @param {Map<string, number>} counts
 * @param {Turns} turns
 * @returns {number} how many of the pressed ones that say so are still there, drawn anew; others went with the press
 */
function stillThere(name, counts, { alike }) {
  const { most, pressed } = alike.get(name) ?? { most: 0, pressed: 0 };
  return pressed - (most - (counts.get(name) ?? 0));
}

/**
 * @param {Element} el a control that was not there before
 * @param {Turns} turns
 * @param {boolean} isRedrawn whether all of them are new, and places say nothing
 * @returns {boolean} whether it stands where the one was that was pressed last: "hide" for "show"
 */
function takesItsPlace(el, { last }, isRedrawn) {
  if (!last || last.el.isConnected || (isRedrawn && last.others.length)) return false;
  return el.parentNode === last.parent && placeOf(el) === last.place;
}

/**
 * @param {Control} el
 * @param {Control[]} shown
 * @param {Turns} turns
 */
function note(el, shown, turns) {
  const known = turns.alike.get(nameOf(el));
  if (known) known.pressed += 1;
  turns.pressed.add(el);
  turns.last = { el, parent: el.parentNode, place: placeOf(el), others: shown.filter((one) => one !== el) };
}

/**
 * @param {Element} el
 * @returns {number}
 */
function placeOf(el) {
  return [...(el.parentNode?.children ?? [])].indexOf(el);
}

/**
 * @param {Element} el
 * @returns {string} what it says and means
 */
function nameOf(el) {
  const written = ["aria-label", "title", "value", "href", "data-page", "id"].map(
    (name) => el.getAttribute(name) ?? "",
  );
  return [el.textContent.trim(), ...written].join("|");
}
