// Which elements hold rows that come and go: told by what each held at successive moments.
//
// A container scrolled down still holds its last rows, and holds them first now. A row that shows other words has its
// cells where they were: those that stay the same stay in their columns, or repeat in the other rows.
//
// Some pages draw the container anew each time. The new element is the heir of the one that left where the rows of both
// slid past, or one holds all that the other held: both count as one container.

/**
 * @typedef {object} Holdings what units held; a unit is a link or a row, a part of it a unit directly in it
 * @property {Map<string, Element | null>} holders what held a mark
 * @property {Set<string>} repeated marks that two units held, or one unit twice: cells, never rows
 * @property {Map<Element, {raw: string, parts: string[], mark: string}>} last
 * @property {Map<Element, {changes: number, slides: string[][]}>} changes how often the parts of a unit changed, and
 *   the marks that stayed each time that the others slid past
 * @property {Map<Element, Element>} firsts of each heir the first element of its line
 */

/** @returns {Holdings} */
export function newHoldings() {
  return { holders: new Map(), repeated: new Set(), last: new Map(), changes: new Map(), firsts: new Map() };
}

/**
 * @param {Holdings} holdings
 * @param {Map<Element, string>} units those of the page with their marks, outer first
 * @returns {string[]} marks that units had before, whose parts are all still there with others
 */
export function watchHoldings(holdings, units) {
  const held = partsOf(holdings, units);
  const outgrown = [];
  /** @type {Map<string, string>} */
  const grown = new Map();
  // Inner units first: what holds one that grew has lost nothing by it.
  for (const [unit, parts] of [...held].reverse()) {
    const raw = JSON.stringify(parts.map((part) => units.get(part)));
    const before = holdings.last.get(unit);
    if (before?.raw === raw) continue;
    const now = { raw, parts: asSeen(parts).map((part) => units.get(part) ?? ""), mark: units.get(unit) ?? "" };
    holdings.last.set(unit, now);
    const partsBefore = before?.parts.map((mark) => grown.get(mark) ?? mark) ?? [];
    if (!before || !noteChange(holdings, unit, partsBefore, now.parts)) continue;
    outgrown.push(before.mark);
    grown.set(before.mark, now.mark);
  }
  return outgrown;
}

/**
 * @param {Holdings} holdings
 * @returns {Set<Element>} in which rows slid past in at least half of the changes, and what they stand in
 */
export function containersOf({ changes, repeated }) {
  /** @type {Set<Element>} */
  const containers = new Set();
  for (const [unit, { changes: all, slides }] of changes) {
    const slid = slides.filter((marks) => marks.some((mark) => !repeated.has(mark))).length;
    if (!slid || 2 * slid < all) continue;
    for (let el = /** @type {Element | null} */ (unit); el && !containers.has(el); el = el.parentElement)
      containers.add(el);
  }
  return containers;
}

/**
 * @param {Holdings} holdings gets what held each mark
 * @param {Map<Element, string>} units
 * @returns {Map<Element, Element[]>} parts of units. What says only what its unit says is none.
 */
function partsOf(holdings, units) {
  const { holders, repeated } = holdings;
  /** @type {Map<Element, Element[]>} */
  const held = new Map();
  /** @type {Map<string, Element | null>} */
  const met = new Map();
  for (const [el, mark] of units) {
    let holder = el.parentElement;
    while (holder && !units.has(holder)) holder = holder.parentElement;
    if (mark.length < 2 || (holder && units.get(holder) === mark)) continue;
    if (met.has(mark)) repeated.add(mark);
    met.set(mark, holder);
    if (!holder) continue;
    const parts = held.get(holder);
    if (parts) parts.push(el);
    else held.set(holder, [el]);
  }
  for (const [unit, parts] of held) if (!holdings.last.has(unit)) inherit(holdings, unit, parts, units);
  for (const [mark, holder] of met) {
    const before = holders.get(mark) ?? holder;
    if (firstOf(holdings, before) !== firstOf(holdings, holder)) repeated.add(mark);
    holders.set(mark, holder);
  }
  return held;
}

/**
 * Makes a new unit the heir of one that left, if there is such a one.
 * @param {Holdings} holdings
 * @param {Element} unit
 * @param {Element[]} parts
 * @param {Map<Element, string>} units
 */
function inherit({ holders, repeated, last, changes, firsts }, unit, parts, units) {
  const marks = parts.map((part) => units.get(part) ?? "").filter((mark) => !repeated.has(mark));
  const left = new Set(marks.map((mark) => holders.get(mark)).filter((holder) => holder && !holder.isConnected));
  if (!left.size) return;
  const seen = asSeen(parts).map((part) => units.get(part) ?? "");
  const after = seen.filter((mark) => !repeated.has(mark));
  const now = new Set(after);
  for (const old of left) {
    const held = old ? last.get(old) : undefined;
    if (!old || !held) continue;
    // What left cannot be asked any more where its parts were: their order is that of the last look.
    const before = held.parts.filter((mark) => !repeated.has(mark));
    const stayed = before.filter((mark) => now.has(mark)).length;
    const isPart = stayed > 0 && stayed === Math.min(before.length, now.size);
    if (!isPart && !slidMarks(before, after).length) continue;
    const change = changes.get(old) ?? { changes: 0, slides: [] };
    changes.set(old, change).set(unit, change);
    last.set(unit, held);
    firsts.set(unit, firsts.get(old) ?? old);
    return;
  }
}

/**
 * @param {Holdings} holdings
 * @param {Element | null} unit
 * @returns {Element | null}
 */
function firstOf({ firsts }, unit) {
  return unit && (firsts.get(unit) ?? unit);
}

/**
 * Lists that use their rows again place them by style, in any order of elements.
 * @param {Element[]} parts
 * @returns {Element[]} in the order in which they are seen: from the top, then from the left
 */
function asSeen(parts) {
  const placed = parts.map((part) => ({ part, box: part.getBoundingClientRect() }));
  return placed.sort((a, b) => a.box.top - b.box.top || a.box.left - b.box.left).map(({ part }) => part);
}

/**
 * @param {Holdings} holdings
 * @param {Element} unit
 * @param {string[]} before
 * @param {string[]} after
 * @returns {boolean} whether it holds all that it held, and more
 */
function noteChange({ changes, repeated }, unit, before, after) {
  const rowsBefore = before.filter((mark) => !repeated.has(mark));
  const rowsAfter = after.filter((mark) => !repeated.has(mark));
  const change = changes.get(unit) ?? { changes: 0, slides: [] };
  changes.set(unit, change);
  change.changes += 1;
  const stayed = slidMarks(rowsBefore, rowsAfter);
  if (stayed.length) change.slides.push(stayed);
  const now = new Set(rowsAfter);
  return rowsBefore.length > 0 && rowsBefore.every((mark) => now.has(mark));
}

/**
 * @param {string[]} before
 * @param {string[]} after
 * @returns {string[]} marks that were the last and are the first now, or the other way round; none where others stayed
 *   too. What stays first or last, as a head or a foot does, does not count.
 */
function slidMarks(before, after) {
  const most = Math.min(before.length, after.length);
  let first = 0;
  while (first < most && before[first] === after[first]) first += 1;
  let last = 0;
  while (last < most - first && before.at(-1 - last) === after.at(-1 - last)) last += 1;
  const left = before.slice(first, before.length - last);
  const come = after.slice(first, after.length - last);
  const now = new Set(come);
  const stayed = left.filter((mark) => now.has(mark));
  if (!stayed.length || stayed.length === left.length) return [];
  const isDown = isSame(left.slice(-stayed.length), stayed) && isSame(come.slice(0, stayed.length), stayed);
  const isUp = isSame(left.slice(0, stayed.length), stayed) && isSame(come.slice(-stayed.length), stayed);
  return isDown || isUp ? stayed : [];
}

/**
 * @param {string[]} some
 * @param {string[]} others
 * @returns {boolean}
 */
function isSame(some, others) {
  return some.length === others.length && some.every((mark, k) => mark === others[k]);
}
