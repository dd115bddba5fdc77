// Nodes. Text is only ever set as text: nothing that was recorded is parsed as markup here.

/** @import { Attributes, Child } from "../types.d.ts" */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element of HTML.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * An element of SVG.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 */
export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * @template {HTMLElement | SVGElement} Filled
 * @param {Filled} node
 * @param {Attributes | undefined} attributes
 * @param {readonly Child[]} children
 */
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value !== null && value !== undefined && value !== false) setAttribute(node, name, value);
  }
  node.append(...shown(children).filter((child) => child !== ""));
  return node;
}

/**
 * @param {HTMLElement | SVGElement} node
 * @param {string} name
 * @param {unknown} value
 */
function setAttribute(node, name, value) {
  if (typeof value === "function") {
    node.addEventListener(name.slice("on".length), /** @type {EventListener} */ (value));
  } else if (name === "style") {
    for (const [rule, to] of Object.entries(value ?? {})) node.style.setProperty(rule, to);
  } else if (name in node && typeof value !== "string" && node.namespaceURI !== SVG) {
    Reflect.set(node, name, value);
  } else {
    node.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * Those of the children that are shown.
 * @param {readonly Child[]} children
 * @returns {(Node | string)[]}
 */
function shown(children) {
  return children.flatMap((child) => {
    if (Array.isArray(child)) return shown(child);
    return child === null || child === undefined || child === false ? [] : [/** @type {Node | string} */ (child)];
  });
}

/**
 * Puts the children in place of what the parent holds.
 * @template {Element} Parent
 * @param {Parent} parent
 * @param {...Child} children
 */
export function put(parent, ...children) {
  parent.replaceChildren(...shown(children));
  return parent;
}

/**
 * Says something to whoever listens to the page.
 * @param {string | null} words
 */
export function say(words) {
  const place = document.getElementById("said");
  if (place && place.textContent !== words) place.textContent = words;
}
