// Whether a page reads the clock or random numbers, and whether what it was given shows. Runs in the page's own world,
// in every document of a walk whose network is recorded, before its own scripts; nothing that the page gets is another
// than without it. Values that were given are looked for in the markup in the forms that pages write them in: a time as
// milliseconds, seconds, base 36 and time of the day; a random number by its first digits, a UUID whole.

/** @typedef {"clock" | "random"} Kind */

const MOST_VALUES = 12;
const MOST_MARKUP = 500000;
/** @type {Kind[]} */
const KINDS = ["clock", "random"];
/** Characters of the shortest form that is looked for. */
const SHORTEST = { clock: 5, random: 6 };
const ELEMENT = 1;
/** What changes in these is not seen. */
const SILENT = new Set(["SCRIPT", "LINK", "META", "STYLE", "NOSCRIPT", "IFRAME"]);

// As they were before the page could change them.
const { apply, construct } = Reflect;
const later = setTimeout.bind(globalThis);
const RealDate = Date;
const realNow = RealDate.now;
const { toISOString, toLocaleTimeString, toTimeString } = RealDate.prototype;

/** @type {{clock: any[], random: any[]}} */
const values = { clock: [], random: [] };
const reads = { clock: 0, random: 0 };
const changed = { clock: 0, random: 0 };
/** Read in the turn that runs. */
const fresh = { clock: false, random: false };
let isTurnEnding = false;

/** Watches the clock and the random numbers of the page from now on. */
export function watchReads() {
  watchClock();
  watchRandomNumbers();
  new MutationObserver(noteChanges).observe(document, { childList: true, characterData: true, subtree: true });
  Object.defineProperty(globalThis, Symbol.for("walker.witness"), { value: report });
}

function report() {
  const markup = (document.documentElement?.outerHTML ?? "").slice(0, MOST_MARKUP);
  return KINDS.map((kind) => ({
    kind,
    reads: reads[kind],
    changed: changed[kind],
    shows: values[kind].some((value) => shows(kind, value, markup)),
  }));
}

function watchClock() {
  watch(RealDate, "now", (value) => note("clock", value));
  globalThis.Date = new Proxy(RealDate, {
    apply: (target, self, given) => {
      note("clock", realNow());
      return apply(target, self, given);
    },
    construct: (target, given, kind) => {
      const made = construct(target, given, kind);
      if (given.length === 0) note("clock", Number(made));
      return made;
    },
  });
  RealDate.prototype.constructor = globalThis.Date;
}

function watchRandomNumbers() {
  const crypto = globalThis.Crypto?.prototype;
  watch(Math, "random", (value) => note("random", value));
  watch(crypto, "randomUUID", (value) => note("random", value));
  watch(crypto, "getRandomValues", (given) => {
    note("random", Number(given[0]));
    return given;
  });
}

/**
 * @param {any} owner
 * @param {string} name of a function
 * @param {(value: any) => any} seen
 */
function watch(owner, name, seen) {
  const real = owner?.[name];
  if (typeof real !== "function") return;
  owner[name] = new Proxy(real, { apply: (target, self, given) => seen(apply(target, self, given)) });
}

/**
 * @template T
 * @param {Kind} kind
 * @param {T} value
 * @returns {T}
 */
function note(kind, value) {
  reads[kind] += 1;
  if (values[kind].length < MOST_VALUES) values[kind].push(value);
  fresh[kind] = true;
  if (!isTurnEnding) {
    isTurnEnding = true;
    later(endTurn, 0);
  }
  return value;
}

function endTurn() {
  isTurnEnding = false;
  fresh.clock = false;
  fresh.random = false;
}

/**
 * A change to the page in the very turn in which it read: of what is seen, not of scripts that it loads.
 * @param {MutationRecord[]} records
 */
function noteChanges(records) {
  if ((!fresh.clock && !fresh.random) || !records.some(changesWhatIsSeen)) return;
  for (const kind of KINDS) {
    if (!fresh[kind]) continue;
    changed[kind] += 1;
    fresh[kind] = false;
  }
}

/**
 * @param {MutationRecord} record
 * @returns {boolean}
 */
function changesWhatIsSeen(record) {
  return record.type === "childList" ? [...record.addedNodes].some(isSeen) : isSeen(record.target);
}

/**
 * @param {Node | null} node
 * @returns {boolean}
 */
function isSeen(node) {
  if (!node) return false;
  const owner = node.nodeType === ELEMENT ? node : node.parentNode;
  return !SILENT.has(owner?.nodeName ?? "");
}

/**
 * @param {Kind} kind
 * @param {any} value
 * @param {string} markup
 * @returns {boolean} whether a form of it stands in the markup
 */
function shows(kind, value, markup) {
  const forms = kind === "clock" ? formsOfTime(value) : formsOfRandom(value);
  const stands = kind === "clock" ? standsAlone : (/** @type {string} */ form) => markup.includes(form);
  return forms.some((form) => form.length >= SHORTEST[kind] && stands(form, markup));
}

/**
 * @param {number} value milliseconds since the epoch
 * @returns {string[]}
 */
function formsOfTime(value) {
  const then = new RealDate(value);
  if (isNaN(Number(then))) return [];
  return [
    String(value),
    String(Math.floor(value / 1000)),
    value.toString(36),
    apply(toISOString, then, []).slice(11, 16),
    apply(toLocaleTimeString, then, []),
    apply(toTimeString, then, []).slice(0, 5),
  ];
}

/**
 * @param {string | number} value
 * @returns {string[]}
 */
function formsOfRandom(value) {
  if (typeof value === "string" || value >= 1) return [String(value)];
  return [String(value).slice(2, 9), value.toString(36).slice(2, 8), value.toString(16).slice(2, 9)];
}

/**
 * @param {string} form
 * @param {string} markup
 * @returns {boolean} whether it stands there as a number of its own
 */
function standsAlone(form, markup) {
  for (let at = markup.indexOf(form); at >= 0; at = markup.indexOf(form, at + 1))
    if (!/[0-9]/.test((markup[at - 1] ?? "") + (markup[at + form.length] ?? ""))) return true;
  return false;
}
