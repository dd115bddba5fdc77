// Copies of what is in a page, with the contents of its frames and shadow roots in them.

import { documentOf, isFrame } from "../frames.js";
import { shadowRootOf } from "../shadow_roots.js";

/**
 * What goes into a copy: whether a frame's contents do, and those of an element. `isEntered` may mark the element's
 * copy.
 * @typedef {object} Rules
 * @property {(frame: HTMLIFrameElement) => boolean} isShown
 * @property {(el: Element, copy: Element) => boolean} isEntered
 */

// Copies live in a document without a browsing context: nothing in them loads, runs or changes the page.
const inert = document.implementation.createHTMLDocument("");

/**
 * @param {Element} top
 * @param {Rules} rules
 * @returns {Element}
 */
export function copyOf(top, rules) {
  const copy = inert.importNode(top, true);
  const stack = [[top, copy]];
  for (let pair = stack.pop(); pair; pair = stack.pop()) {
    const [el, twin] = pair;
    fillChildren(el, twin, rules, stack);
    const root = shadowRootOf(el);
    if (root) {
      const shadow = boxOf("data-walker-shadow", "", root.childNodes, rules);
      twin.insertBefore(shadow, twin.firstChild);
    }
  }
  return copy;
}

/**
 * Puts the contents of frames among the children of a copy.
 * @param {Element} el
 * @param {Element} twin its copy
 * @param {Rules} rules
 * @param {Element[][]} stack gets the children that are gone into, each with its copy
 */
function fillChildren(el, twin, rules, stack) {
  let child = el.firstElementChild;
  let copy = twin.firstElementChild;
  while (child && copy) {
    const next = child.nextElementSibling;
    const nextCopy = copy.nextElementSibling;
    if (isFrame(child)) {
      const box = contentsOf(/** @type {HTMLIFrameElement} */ (child), rules);
      if (box) copy.replaceWith(box);
    } else if (rules.isEntered(child, copy) && (child.firstElementChild || shadowRootOf(child)))
      stack.push([child, copy]);
    child = next;
    copy = nextCopy;
  }
}

/**
 * @param {HTMLIFrameElement} frame
 * @param {Rules} rules
 * @returns {Element | null} a box with what it shows, null where it shows nothing that can be read
 */
function contentsOf(frame, rules) {
  const inner = documentOf(frame);
  if (!inner?.body || !rules.isShown(frame)) return null;
  const { href } = inner.location;
  const box = boxOf("data-walker-frame", href, inner.body.childNodes, rules);
  // What was written into a frame has the base of the page around it.
  if (inner.baseURI !== href) box.setAttribute("data-walker-base", inner.baseURI);
  return box;
}

/**
 * @param {string} name
 * @param {string} value
 * @param {Iterable<Node>} nodes
 * @param {Rules} rules
 * @returns {Element} a box marked by an attribute, with copies of the nodes
 */
function boxOf(name, value, nodes, rules) {
  const box = inert.createElement("div");
  box.setAttribute(name, value);
  for (const node of nodes) {
    const isElement = node.nodeType === Node.ELEMENT_NODE;
    box.appendChild(isElement ? copyAtTop(/** @type {Element} */ (node), rules) : inert.importNode(node, true));
  }
  return box;
}

/**
 * What stands at the top of a frame may be a frame itself, or hidden.
 * @param {Element} el
 * @param {Rules} rules
 * @returns {Element}
 */
function copyAtTop(el, rules) {
  if (isFrame(el)) return contentsOf(/** @type {HTMLIFrameElement} */ (el), rules) ?? inert.importNode(el, true);
  const copy = copyOf(el, rules);
  rules.isEntered(el, copy);
  return copy;
}
