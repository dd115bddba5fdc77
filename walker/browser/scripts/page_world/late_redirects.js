// Timers by which the page will open another page when it was read long ago: a countdown, a notice that leads on. Kept
// in the page's own world, told of when ours asks, and run at once when it lets them (../steps/click_probe.js).

// A shorter one is over before the page is read; a longer one is the end of a session, not a way to a page.
const LEAST_MS = 100;
const MOST_MS = 60000;
// What opens a page is short.
const MOST_CODE = 3000;
const MOST_CALLED = 20;
// A countdown of a minute.
const MOST_RUNS = 60;
const MOST_TIMERS = 20;
const LEADS = /\blocation(?:\.(?:href|pathname|search))?\s*=(?!=)|\blocation\.(?:assign|replace)\s*\(/;
const CALLS = /\bnavigate\s*\(|\bwindow\.open\s*\(/;
// A link that the page makes and clicks itself.
const MADE_LINK = /\.href\s*=(?!=)[^]*\.click\s*\(\s*\)/;
const CALLED = /\b([A-Za-z_$][\w$]*)\s*\(/g;

// As they were before the page could change them.
const { apply } = Reflect;
const listen = EventTarget.prototype.addEventListener;
const toText = Function.prototype.toString;
const { setTimeout: startTimer, clearTimeout: stopTimer, setInterval: startPulse, clearInterval: stopPulse } = window;

/** @typedef {{handler: any, given: any[], isPulse: boolean}} Timer */

/** @type {Map<number, Timer>} */
const timers = new Map();
const state = { hurries: false, runs: 0 };

/** Keeps such timers from now on, and tells and runs them when it is asked to. */
export function watchLateRedirects() {
  const page = document;
  const send = page.dispatchEvent.bind(page);
  const Told = CustomEvent;
  watchStarts();
  watchStops();
  const tell = () => send(new Told("walker-late-redirects", { detail: timers.size }));
  apply(listen, page, ["walker-late-redirects?", tell]);
  apply(listen, page, ["walker-late-redirects!", hurry]);
}

function watchStarts() {
  Object.assign(window, {
    /**
     * @param {any} handler
     * @param {any} delay
     * @param {any[]} given
     */
    setTimeout: function setTimeout(handler, delay, ...given) {
      if (!isLate(handler, delay)) return apply(startTimer, window, [handler, delay, ...given]);
      state.runs += state.hurries ? 1 : 0;
      return startOnce(handler, state.hurries && state.runs < MOST_RUNS ? 0 : delay, given);
    },
    /**
     * @param {any} handler
     * @param {any} delay
     * @param {any[]} given
     */
    setInterval: function setInterval(handler, delay, ...given) {
      const id = apply(startPulse, window, [handler, delay, ...given]);
      if (isLate(handler, delay)) timers.set(id, { handler, given, isPulse: true });
      return id;
    },
  });
}

/**
 * @param {any} handler
 * @param {any} delay
 * @param {any[]} given
 * @returns {number}
 */
function startOnce(handler, delay, given) {
  const id = startTimer(() => {
    timers.delete(id);
    run(handler, given);
  }, delay);
  timers.set(id, { handler, given, isPulse: false });
  return id;
}

function watchStops() {
  Object.assign(window, {
    /** @param {any} id */
    clearTimeout: function clearTimeout(id) {
      timers.delete(id);
      return apply(stopTimer, window, [id]);
    },
    /** @param {any} id */
    clearInterval: function clearInterval(id) {
      timers.delete(id);
      return apply(stopPulse, window, [id]);
    },
  });
}

/** Runs at once what the page has put off, countdowns to their end. */
function hurry() {
  state.hurries = true;
  for (const [id, { handler, given, isPulse }] of [...timers]) {
    if (!isPulse) {
      stopTimer(id);
      timers.delete(id);
      startOnce(handler, 0, given);
      continue;
    }
    for (let runs = 0; runs < MOST_RUNS; runs += 1)
      startTimer(() => {
        if (timers.has(id)) run(handler, given);
      }, 0);
    startTimer(() => timers.delete(id), 0);
  }
}

/**
 * @param {any} handler
 * @param {any[]} given
 */
function run(handler, given) {
  if (typeof handler === "function") apply(handler, window, given);
  else startTimer(handler, 0);
}

/**
 * @param {any} handler
 * @param {any} delay
 * @returns {boolean} whether what a timer runs, or what that calls by its name, opens a page
 */
function isLate(handler, delay) {
  if (timers.size >= MOST_TIMERS || !(delay >= LEAST_MS && delay <= MOST_MS)) return false;
  const code = textOf(handler);
  if (leads(code)) return true;
  for (const [, name] of [...code.matchAll(CALLED)].slice(0, MOST_CALLED)) {
    const called = Object.getOwnPropertyDescriptor(window, name)?.value;
    if (typeof called === "function" && leads(textOf(called))) return true;
  }
  return false;
}

/**
 * @param {string} code
 * @returns {boolean}
 */
function leads(code) {
  return LEADS.test(code) || CALLS.test(code) || MADE_LINK.test(code);
}

/**
 * @param {any} handler
 * @returns {string}
 */
function textOf(handler) {
  const code = typeof handler === "function" ? apply(toText, handler, []) : String(handler);
  return code.length <= MOST_CODE ? code : "";
}
