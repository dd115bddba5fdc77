// Lets a page be pressed without anything being sent: while ours says so, requests that are no reading fail, forms are
// not submitted, and windows are not opened but told of. It also says which elements hear presses. Kept in the page's
// own world, in every document of it, before its scripts run; ours talks to it by events (../press_guard.js).

const READING = /^(get|head|options)$/i;
const PRESSES = /^(click|mouse(down|up|over|enter)|pointer(down|up|over|enter)|touchstart|focus(in)?|toggle)$/;
const MOST_HEARING = 2000;

// As they were before the page could change them.
const { apply, construct } = Reflect;
const { deref } = WeakRef.prototype;
const listen = EventTarget.prototype.addEventListener;
const Refused = DOMException;

const state = { holds: false };
/** @type {WeakRef<Element>[]} */
const hearing = [];

/** Waits for ours to say that the page is pressed. */
export function guardPresses() {
  const page = document;
  const send = page.dispatchEvent.bind(page);
  const [Told, Carrier] = [TouchEvent, Touch];
  guardRequests();
  guardForms();
  guardWindows((url) => send(new CustomEvent("walker-opened-window", { detail: url })));
  noteListeners();
  apply(listen, page, ["walker-hold!", hold]);
  apply(listen, page, ["walker-holds?", (/** @type {Event} */ event) => state.holds && event.preventDefault()]);
  state.holds = parentHolds();
  const tell = () => {
    const carriers = [];
    for (const weak of hearing) {
      /** @type {Element | undefined} */
      const el = apply(deref, weak, []);
      if (el) carriers[carriers.length] = new Carrier({ identifier: carriers.length, target: el });
    }
    if (carriers.length) send(new Told("walker-hearing", { changedTouches: carriers }));
  };
  apply(listen, page, ["walker-hearing?", tell]);
}

function hold() {
  state.holds = true;
  for (let i = 0; i < window.length; i += 1) tellFrame(/** @type {Window} */ (window[i]));
}

/** @param {Window} frame */
function tellFrame(frame) {
  try {
    frame.document.dispatchEvent(new Event("walker-hold!"));
  } catch {
    // Of another origin: nothing in it is pressed.
  }
}

/** @returns {boolean} whether the page around this document is being pressed */
function parentHolds() {
  try {
    return (
      window.parent !== window &&
      !window.parent.document.dispatchEvent(new Event("walker-holds?", { cancelable: true }))
    );
  } catch {
    return false;
  }
}

function guardRequests() {
  const { fetch: request, Request: Asked } = window;
  window.fetch = new Proxy(request, {
    apply: (target, self, given) =>
      state.holds && !READING.test(methodOf(given, Asked))
        ? Promise.reject(new TypeError("Failed to fetch"))
        : apply(target, self, given),
  });
  /** @type {WeakMap<XMLHttpRequest, string>} */
  const methods = new WeakMap();
  XMLHttpRequest.prototype.open = new Proxy(XMLHttpRequest.prototype.open, {
    apply: (target, self, given) => {
      methods.set(self, String(given[0]));
      return apply(target, self, given);
    },
  });
  XMLHttpRequest.prototype.send = new Proxy(XMLHttpRequest.prototype.send, {
    apply: (target, self, given) => {
      if (!state.holds || READING.test(methods.get(self) ?? "")) return apply(target, self, given);
      throw new Refused("The request was not sent", "NetworkError");
    },
  });
  Navigator.prototype.sendBeacon = new Proxy(Navigator.prototype.sendBeacon, {
    apply: (target, self, given) => state.holds || apply(target, self, given),
  });
  WebSocket.prototype.send = new Proxy(WebSocket.prototype.send, {
    apply: (target, self, given) => (state.holds ? undefined : apply(target, self, given)),
  });
}

/**
 * @param {any[]} given what `fetch` was given
 * @param {typeof Request} Asked
 * @returns {string}
 */
function methodOf([asked, init], Asked) {
  return String(init?.method ?? (asked instanceof Asked ? asked.method : "GET"));
}

function guardForms() {
  for (const name of /** @type {const} */ (["submit", "requestSubmit"]))
    HTMLFormElement.prototype[name] = new Proxy(HTMLFormElement.prototype[name], {
      apply: (target, self, given) => (state.holds ? undefined : apply(target, self, given)),
    });
  const stop = (/** @type {Event} */ event) => {
    if (!state.holds) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  apply(listen, window, ["submit", stop, true]);
}

/** @param {(url: string) => void} tell */
function guardWindows(tell) {
  window.open = new Proxy(window.open, {
    apply: (target, self, given) => {
      if (!state.holds) return apply(target, self, given);
      try {
        tell(new URL(String(given[0] ?? ""), document.baseURI).href);
      } catch {
        // No address.
      }
      return null;
    },
  });
}

function noteListeners() {
  EventTarget.prototype.addEventListener = new Proxy(EventTarget.prototype.addEventListener, {
    apply: (target, self, given) => {
      if (self instanceof Element && PRESSES.test(String(given[0])) && hearing.length < MOST_HEARING)
        hearing[hearing.length] = construct(WeakRef, [self]);
      return apply(target, self, given);
    },
  });
}
