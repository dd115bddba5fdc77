// Remembers the closed shadow roots that the page's scripts attach, in the page's own world, and shows them to ours
// when it asks (../shadow_roots.js). To the page they stay closed: nothing that it can read changes.

// As they were before the page could change them.
const { apply } = Reflect;
const listen = EventTarget.prototype.addEventListener;
const { deref } = WeakRef.prototype;

/** Remembers closed roots from now on. */
export function watchClosedRoots() {
  const page = document;
  const send = page.dispatchEvent.bind(page);
  const [Told, Carrier, Weak] = [TouchEvent, Touch, WeakRef];
  /** @type {WeakRef<ShadowRoot>[]} */
  const roots = [];
  // Of a proxy of a built-in function the name, the length and the text are the function's own.
  Element.prototype.attachShadow = new Proxy(Element.prototype.attachShadow, {
    apply: (attach, host, given) => {
      const root = apply(attach, host, given);
      if (root.mode === "closed") roots[roots.length] = new Weak(root);
      return root;
    },
  });
  const tell = () => {
    const carriers = [];
    for (let i = 0; i < roots.length; i += 1) {
      /** @type {ShadowRoot | undefined} */
      const root = apply(deref, roots[i], []);
      // Of all events only those of touching hand a closed root from one world to another as it is.
      if (root) carriers[carriers.length] = new Carrier({ identifier: i, target: root });
    }
    if (carriers.length) send(new Told("walker-closed-roots", { changedTouches: carriers }));
  };
  apply(listen, page, ["walker-closed-roots?", tell]);
}
