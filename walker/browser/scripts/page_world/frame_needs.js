// Whether a page that is never drawn would miss its frames: scripts that wait for one, or for what comes with it. Kept
// in the page's own world, where its scripts are, and asked for from ours (../pending_work.js). What counts is that it
// is used at all, not what for.

import { watchHandlers, watchListeners, watchProperty } from "./watched_uses.js";

// As they were before the page could change them.
const { apply, construct } = Reflect;
const listen = EventTarget.prototype.addEventListener;

const EVENTS = /^(?:webkit|moz|ms|o)?(?:animation|transition)|^(?:scroll|wheel|contentvisibility|pagereveal|pageswap)/i;
const HANDLERS = /^on(?:webkit)?(?:animation|transition|scroll|wheel|contentvisibility|pagereveal|pageswap)/;
const MADE = [
  "IntersectionObserver",
  "ResizeObserver",
  "PerformanceObserver",
  "ScrollTimeline",
  "ViewTimeline",
  "Animation",
];

const state = { isNeeded: false };

/** Notes what is used from now on, and tells it when it is asked. */
export function watchFrameNeeds() {
  const page = document;
  const send = page.dispatchEvent.bind(page);
  const Told = CustomEvent;
  const write = JSON.stringify;
  watchCalls();
  watchListeners(EVENTS, note);
  watchHandlers(HANDLERS, note);
  const tell = () => send(new Told("walker-frame-needs", { detail: write({ needed: state.isNeeded }) }));
  apply(listen, page, ["walker-frame-needs?", tell]);
}

function note() {
  state.isNeeded = true;
}

function watchCalls() {
  /** @type {[any, string[]][]} */
  const owners = [
    [window, ["requestAnimationFrame", "webkitRequestAnimationFrame", "requestIdleCallback"]],
    [Element.prototype, ["animate", "getAnimations"]],
    [Document.prototype, ["startViewTransition", "getAnimations"]],
    [HTMLImageElement.prototype, ["decode"]],
    [HTMLVideoElement.prototype, ["requestVideoFrameCallback"]],
  ];
  for (const [owner, names] of owners) for (const name of names) watchCall(owner, name);
  for (const name of MADE) {
    const Real = /** @type {any} */ (window)[name];
    if (Real)
      /** @type {any} */ (window)[name] = new Proxy(Real, {
        construct(target, given, kind) {
          note();
          return construct(target, given, kind);
        },
      });
  }
  watchProperty(Document.prototype, "fonts", "get", note);
}

/**
 * @param {any} owner
 * @param {string} name of a function
 */
function watchCall(owner, name) {
  const real = owner[name];
  if (!real) return;
  owner[name] = {
    /** @param {any[]} given */
    [name](...given) {
      note();
      return apply(real, this ?? window, given);
    },
  }[name];
}
