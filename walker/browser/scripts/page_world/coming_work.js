// What is about to come to a page that is to be looked at: timers that are nearly over, a frame that its scripts asked
// for, answers that are being read, the first message of a connection. Counted when it has come, and not by the
// clock: a machine that is busy runs timers and frames late. Kept in the page's own world, where its scripts are, and
// asked for from ours (../pending_work.js).

import { held, holdLongTimers } from "./long_timers.js";
import { watchHandlers, watchListeners } from "./watched_uses.js";

const SOON_MS = 600;
// What is set later was set by something that came of itself; a page that polls would never come to rest.
const LOADED_MS = 500;
// For so long an open connection may be silent before its first message.
const SILENT_MS = 500;
// A smooth scroll is over when its end is told, or so many frames show no step of it: it may have had no way to go.
const STILL_FRAMES = 10;
const MOTION_ENDS = /^(?:webkit)?(?:animation|transition)end$/i;
const MOTION_HANDLERS = /^on(?:webkit)?(?:animation|transition)end$/;

// As they were before the page could change them.
const { apply, construct } = Reflect;
const now = performance.now.bind(performance);
const listen = EventTarget.prototype.addEventListener;
const styleOf = window.getComputedStyle;
const unlisten = EventTarget.prototype.removeEventListener;
const { setTimeout: startTimer, clearTimeout: stopTimer, requestAnimationFrame: askFrame } = window;
const { getAnimations: animationsOf } = Document.prototype;

const state = {
  loaded: Infinity,
  connections: 0,
  reading: 0,
  scrolls: 0,
  observers: 0,
  /** @type {"" | "timer" | "frame"} */
  inside: "",
  awaitsFrames: false,
  hearsMotion: false,
};
/** @type {Set<number>} */
const timers = new Set();
/** @type {Set<number>} */
const frames = new Set();
/** @type {Set<number>} */
const idle = new Set();
/** @type {Set<Animation>} */
const motions = new Set();

/**
 * Counts what is coming from now on, and tells it when it is asked.
 * @param {boolean} holdsLong what is not waited for does not come while the page is read
 */
export function watchComingWork(holdsLong) {
  if (holdsLong) holdLongTimers();
  const page = document;
  const send = page.dispatchEvent.bind(page);
  const Told = CustomEvent;
  const write = JSON.stringify;
  addEventListener("load", noteLoaded, { once: true });
  // One may be over, and not told, before anybody asks.
  addEventListener("load", () => motionsOf(page), { once: true });
  watchTimers();
  watchFrames();
  watchRequests();
  watchReading();
  watchConnections();
  watchShowing();
  watchListeners(MOTION_ENDS, noteHearing);
  watchHandlers(MOTION_HANDLERS, noteHearing);
  const tell = () => {
    const shown = page.hidden ? 0 : frames.size + state.scrolls + state.observers + motionsOf(page);
    const coming = timers.size + shown + idle.size + state.connections + state.reading;
    send(new Told("walker-coming-work", { detail: write({ coming, frames: state.awaitsFrames }) }));
  };
  apply(listen, page, ["walker-coming-work?", tell]);
  // What an operation sets off counts as what the page did while it was loaded.
  apply(listen, page, ["walker-operation", noteLoaded]);
}

function noteLoaded() {
  state.loaded = now();
}

/** @returns {boolean} whether what is set now counts: not what a timer sets in its turn, as pages do that poll */
function counts() {
  return !state.inside && now() - state.loaded < LOADED_MS;
}

/** @returns {boolean} the same of what comes with a frame: that which a timer asks for is the last step of its work */
function countsShown() {
  return state.inside === "timer" || counts();
}

/**
 * @param {"timer" | "frame"} kind
 * @param {any} handler
 * @param {any[]} given
 */
function runInside(kind, handler, given) {
  state.inside = kind;
  try {
    return apply(handler, window, given);
  } finally {
    state.inside = "";
  }
}

function watchTimers() {
  const { setInterval: startInterval } = window;
  Object.assign(window, {
    /**
     * @param {any} handler
     * @param {any} delay
     * @param {any[]} rest
     */
    setTimeout: function setTimeout(handler, delay, ...rest) {
      if (delay > SOON_MS) return apply(startTimer, window, [held(handler), delay, ...rest]);
      if (typeof handler !== "function" || !counts()) return apply(startTimer, window, [handler, delay, ...rest]);
      const id = startTimer(
        (/** @type {any[]} */ ...given) => {
          timers.delete(id);
          return runInside("timer", handler, given);
        },
        delay,
        ...rest,
      );
      timers.add(id);
      return id;
    },
    /**
     * @param {any} handler
     * @param {any} delay
     * @param {any[]} rest
     */
    setInterval: function setInterval(handler, delay, ...rest) {
      return apply(startInterval, window, [delay > SOON_MS ? held(handler) : handler, delay, ...rest]);
    },
    /** @param {any} id */
    clearTimeout: function clearTimeout(id) {
      timers.delete(id);
      return apply(stopTimer, window, [id]);
    },
  });
}

/** Frames, and moments in which the page has nothing else to do. */
function watchFrames() {
  watchCallbacks("requestAnimationFrame", "cancelAnimationFrame", frames);
  watchCallbacks("requestIdleCallback", "cancelIdleCallback", idle);
}

/**
 * @param {string} start name of the function that asks for a call
 * @param {string} stop name of the function that calls it off
 * @param {Set<number>} asked gets what was asked for and has not come
 */
function watchCallbacks(start, stop, asked) {
  const page = /** @type {any} */ (window);
  const { [start]: startReal, [stop]: stopReal } = page;
  Object.assign(page, {
    /**
     * @param {any} step
     * @param {any[]} rest
     */
    [start](step, ...rest) {
      if (typeof step !== "function" || !countsShown()) return apply(startReal, window, [step, ...rest]);
      const id = startReal(
        (/** @type {any} */ time) => {
          asked.delete(id);
          runInside("frame", step, [time]);
        },
        ...rest,
      );
      asked.add(id);
      return id;
    },
    /** @param {any} id */
    [stop](id) {
      asked.delete(id);
      return apply(stopReal, window, [id]);
    },
  });
}

/** What a page sets off with an answer that it asked for while it was loaded belongs to its loading, however late. */
function watchRequests() {
  const { fetch: request } = window;
  if (request)
    window.fetch = function fetch(...given) {
      const answer = apply(request, window, given);
      if (counts()) answer.then(noteAnswered, noteAnswered);
      return answer;
    };
  const { send: sendRequest } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.send = function send(...given) {
    // Told before the page is, whose listeners came first: the last part of an answer is told twice.
    if (counts()) apply(listen, this, ["readystatechange", noteAnswered]);
    return apply(sendRequest, this, given);
  };
}

function noteAnswered() {
  if (state.loaded !== Infinity) state.loaded = now();
}

/** The head of an answer is there before its body: it is read when its text was handed over. */
function watchReading() {
  const end = () => {
    startTimer(() => {
      state.reading -= 1;
    }, 0);
  };
  /** @type {any} */
  const answers = Response.prototype;
  for (const name of ["arrayBuffer", "blob", "formData", "json", "text"]) {
    const read = answers[name];
    answers[name] = {
      /** @param {any[]} given */
      [name](...given) {
        const promise = apply(read, this, given);
        state.reading += 1;
        if (counts()) promise.then(noteAnswered, noteAnswered);
        promise.then(end, end);
        return promise;
      },
    }[name];
  }
}

function watchConnections() {
  const note = (/** @type {EventTarget} */ connection) => {
    if (counts()) awaitFirst(connection);
  };
  for (const name of ["EventSource", "WebSocket"]) watchMade(name, note);
}

/**
 * @param {string} name of a constructor
 * @param {(made: any) => void} note
 */
function watchMade(name, note) {
  const Real = /** @type {any} */ (window)[name];
  if (!Real) return;
  /** @type {any} */ (window)[name] = new Proxy(Real, {
    construct(target, given, kind) {
      const made = construct(target, given, kind);
      note(made);
      return made;
    },
  });
}

/** What is measured, scrolled or exchanged by itself begins with the next frame; what renders in steps posts these. */
function watchShowing() {
  const note = () => {
    state.awaitsFrames = true;
  };
  for (const name of ["MessageChannel", "ResizeObserver", "Worker"]) watchMade(name, note);
  for (const name of ["IntersectionObserver", "ResizeObserver"]) watchMade(name, awaitObserved);
  const scrolling = ["scroll", "scrollBy", "scrollIntoView", "scrollTo"];
  for (const [owner, names] of /** @type {[any, string[]][]} */ ([
    [window, scrolling],
    [Element.prototype, scrolling],
    [Document.prototype, ["startViewTransition"]],
  ]))
    for (const name of names) {
      const real = owner[name];
      if (!real) continue;
      owner[name] = {
        /** @param {any[]} given */
        [name](...given) {
          note();
          if (owner !== Document.prototype && isSmooth(given[0]) && counts()) awaitScrolled();
          return apply(real, this, given);
        },
      }[name];
    }
}

/**
 * @param {any} asked how to scroll, or where to
 * @returns {boolean} whether it is shown step by step
 */
function isSmooth(asked) {
  const behavior = asked && typeof asked === "object" && asked.behavior;
  if (behavior && behavior !== "auto") return behavior === "smooth";
  const root = document.documentElement;
  return Boolean(root) && apply(styleOf, window, [root]).scrollBehavior === "smooth";
}

/** Its steps come with the frames, which are late on a busy machine. */
function awaitScrolled() {
  let still = 0;
  let isOver = false;
  state.scrolls += 1;
  const step = () => {
    still = 0;
  };
  const end = () => {
    if (isOver) return;
    isOver = true;
    state.scrolls -= 1;
    apply(unlisten, window, ["scroll", step, true]);
  };
  const countFrame = () => {
    still += 1;
    if (still > STILL_FRAMES) end();
    else if (!isOver) apply(askFrame, window, [countFrame]);
  };
  apply(listen, window, ["scroll", step, true]);
  // The page's own listeners come first.
  apply(listen, window, ["scrollend", () => startTimer(end, 0), { capture: true, once: true }]);
  apply(askFrame, window, [countFrame]);
}

/** What an observer is told first comes at the end of a frame, which is over with the next one. */
function awaitObserved() {
  if (!countsShown()) return;
  state.observers += 1;
  const end = () => {
    state.observers -= 1;
  };
  apply(askFrame, window, [() => apply(askFrame, window, [end])]);
}

function noteHearing() {
  state.hearsMotion = true;
}

/**
 * @param {Document} page
 * @returns {number} the short animations and transitions that began while the page was loaded and whose end is heard,
 *   and was not told yet: a frame tells it, maybe a while after its time
 */
function motionsOf(page) {
  if (!state.hearsMotion) return 0;
  for (const motion of apply(animationsOf, page, []))
    if (!motions.has(motion) && isShortMotion(motion)) {
      motions.add(motion);
      const end = () => motions.delete(motion);
      const endAfterFrame = () => apply(askFrame, window, [() => startTimer(end, 0)]);
      motion.finished.then(endAfterFrame, endAfterFrame);
    }
  return motions.size;
}

/**
 * @param {Animation} motion
 * @returns {boolean}
 */
function isShortMotion(motion) {
  if (motion.playState !== "running" || Number(motion.startTime ?? 0) > state.loaded + LOADED_MS) return false;
  return Number(motion.effect?.getComputedTiming().endTime ?? Infinity) <= SOON_MS;
}

/** @param {EventTarget} connection */
function awaitFirst(connection) {
  let isOver = false;
  state.connections += 1;
  const end = () => {
    if (!isOver) state.connections -= 1;
    isOver = true;
  };
  const endSoon = () => startTimer(end, 0);
  apply(listen, connection, ["open", () => startTimer(end, SILENT_MS)]);
  for (const event of ["message", "error", "close"]) apply(listen, connection, [event, endSoon]);
}
