// Where the driver has no events for them, dialogs open no window, and are told of: the page's own world sends an event
// of the document for each, and ours keeps them until they are taken.

const TEXT_CHARS = 200;

/**
 * Replaces, in the page's own world, what would ask somebody.
 * @param {number} most dialogs of a page: one that asks without end would never come to rest
 */
export function guardPage(most) {
  const send = document.dispatchEvent.bind(document);
  const Told = CustomEvent;
  let opened = 0;
  const tell = (/** @type {string} */ kind, /** @type {unknown} */ message) => {
    send(new Told("walker-dialog", { detail: `${kind}: ${String(message ?? "").slice(0, TEXT_CHARS)}` }));
    opened += 1;
    if (opened > most) throw new Error("too many dialogs");
  };
  window.alert = function alert(/** @type {unknown} */ message) {
    tell("alert", message);
  };
  window.confirm = function confirm(message) {
    tell("confirm", message);
    return false;
  };
  window.prompt = function prompt(message) {
    tell("prompt", message);
    return null;
  };
  window.print = function print() {};
  // Nobody is asked whether a page may be left.
  addEventListener("beforeunload", (event) => event.stopImmediatePropagation(), true);
  // A worker would ask the network beside the page.
  if (navigator.serviceWorker)
    navigator.serviceWorker.register = () => Promise.reject(new DOMException("not allowed here", "SecurityError"));
}

/** Keeps, in our world, what dialogs the page opens. */
export function hearDialogs() {
  /** @type {string[]} */
  const heard = [];
  globalThis.walkerDialogs = heard;
  document.addEventListener("walker-dialog", (event) => {
    heard.push(String(/** @type {CustomEvent} */ (event).detail));
  });
}

/** @returns {string[]} "kind: message" of each since they were taken last */
export function takeDialogs() {
  return (globalThis.walkerDialogs ?? []).splice(0);
}
