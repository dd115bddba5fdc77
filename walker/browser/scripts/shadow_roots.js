// Shadow roots, open and closed: those that scripts of the page closed are told of by page_world/closed_roots.js, where
// it watches.

/** @type {WeakMap<Document, Map<Element, ShadowRoot>>} */
const closed = new WeakMap();

/**
 * @param {Element} el
 * @returns {ShadowRoot | null} what hangs in it
 */
export function shadowRootOf(el) {
  return el.shadowRoot ?? closedRoots(el.ownerDocument).get(el) ?? null;
}

/** @returns {(Document | ShadowRoot)[]} the document, and the shadow roots in it and in one another, outer first */
export function allRoots() {
  closed.delete(document);
  const told = closedRoots(document);
  /** @type {(Document | ShadowRoot)[]} */
  const roots = [document];
  for (const root of roots)
    for (const el of root.querySelectorAll("*")) {
      const inner = el.shadowRoot ?? told.get(el);
      if (inner) roots.push(inner);
    }
  return roots;
}

/**
 * @param {Document} owner
 * @returns {Map<Element, ShadowRoot>} closed roots by their hosts, as they were when they were asked for first
 */
export function closedRoots(owner) {
  let found = closed.get(owner);
  if (!found) {
    found = askForClosedRoots(owner);
    closed.set(owner, found);
  }
  return found;
}

/**
 * @param {Document} owner
 * @returns {Map<Element, ShadowRoot>}
 */
function askForClosedRoots(owner) {
  /** @type {Map<Element, ShadowRoot>} */
  const found = new Map();
  const hear = (/** @type {Event} */ event) => {
    for (const { target } of /** @type {TouchEvent} */ (event).changedTouches) {
      const root = /** @type {ShadowRoot} */ (target);
      if (root.host) found.set(root.host, root);
    }
  };
  owner.addEventListener("walker-closed-roots", hear);
  owner.dispatchEvent(new Event("walker-closed-roots?"));
  owner.removeEventListener("walker-closed-roots", hear);
  return found;
}
