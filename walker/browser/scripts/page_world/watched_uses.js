// Notes which events a page's scripts listen to, and which properties they use. For scripts in the page's own world.

// As they were before the page could change them.
const { apply } = Reflect;

/**
 * @param {RegExp} kinds names of events
 * @param {() => void} note called when a script adds a listener for one
 */
export function watchListeners(kinds, note) {
  const real = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function addEventListener(/** @type {any} */ kind, ...given) {
    if (kinds.test(kind)) note();
    return apply(real, this ?? window, [kind, ...given]);
  };
}

/**
 * @param {RegExp} names of properties that take a handler, such as `onscroll`
 * @param {() => void} note called when a script sets one
 */
export function watchHandlers(names, note) {
  for (const owner of [window, Document.prototype, HTMLElement.prototype, SVGElement.prototype])
    for (const name of Object.getOwnPropertyNames(owner)) if (names.test(name)) watchProperty(owner, name, "set", note);
}

/**
 * @param {any} owner
 * @param {string} name
 * @param {"get" | "set"} how it is used
 * @param {() => void} note called when a script uses it
 */
export function watchProperty(owner, name, how, note) {
  const real = Object.getOwnPropertyDescriptor(owner, name);
  const way = real?.[how];
  if (!real?.configurable || !way) return;
  Object.defineProperty(owner, name, {
    ...real,
    /** @param {any[]} given */
    [how](...given) {
      note();
      return apply(way, this, given);
    },
  });
}
