// What an element is: its text, its name and its role (ARIA in HTML, Accessible Name 1.2).

import { wellFormed } from "../well_formed.js";

/** Elements that show nothing of their own. */
export const SILENT_TAGS = new Set(
  (
    "script style template noscript head meta link title br wbr option optgroup source track param map datalist col " +
    "colgroup"
  ).split(" "),
);
/** Elements that stand within a line of text. */
export const PHRASING_TAGS = new Set(
  (
    "b i em strong span a code small sub sup mark u s abbr time kbd samp var q cite dfn font bdi bdo ruby rt rp ins " +
    "del label big tt data"
  ).split(" "),
);
const ROLES = new Map(
  Object.entries({
    a: "link",
    area: "link",
    button: "button",
    select: "combobox",
    textarea: "textbox",
    summary: "button",
    img: "img",
    canvas: "img",
    svg: "img",
    video: "video",
    iframe: "iframe",
    h1: "heading",
    h2: "heading",
    h3: "heading",
    h4: "heading",
    h5: "heading",
    h6: "heading",
    li: "listitem",
    td: "cell",
    th: "columnheader",
    p: "paragraph",
    object: "img",
    embed: "img",
  }),
);
const ROLES_OF_INPUTS = new Map(
  Object.entries({
    checkbox: "checkbox",
    radio: "radio",
    range: "slider",
    number: "spinbutton",
    search: "searchbox",
    button: "button",
    submit: "button",
    reset: "button",
    image: "button",
    file: "button",
    color: "button",
  }),
);
const NAME_CHARS = 200;
// Types of nodes: asking `Node` for them costs as much as the rest of the loop.
const ELEMENT = 1;
const TEXT = 3;

/**
 * @param {string} text
 * @returns {string} with single spaces
 */
export function clean(text) {
  return wellFormed(text.replace(/\s+/g, " ").trim());
}

/**
 * @param {Element} el
 * @returns {boolean} whether text stands in it directly
 */
export function hasOwnText(el) {
  for (let node = el.firstChild; node; node = node.nextSibling) {
    if (node.nodeType === TEXT && /\S/.test(/** @type {Text} */ (node).data)) return true;
  }
  return false;
}

/**
 * Text of an element with its phrasing children; what stands in blocks of its own is left to them.
 * @param {Element} el
 * @param {number} limit characters after which no further child is read
 * @param {boolean} all blocks too, and what pictures are called
 * @returns {string} spaces as they come
 */
export function runText(el, limit, all) {
  let text = "";
  for (let node = el.firstChild; node && text.length < limit; node = node.nextSibling) {
    if (node.nodeType === TEXT) text += /** @type {Text} */ (node).data;
    else if (node.nodeType === ELEMENT) text += childText(/** @type {Element} */ (node), limit, all);
    else text += " ";
  }
  return text;
}

/**
 * @param {Element} el
 * @param {number} limit
 * @param {boolean} all
 * @returns {string} what it adds to the text around it
 */
function childText(el, limit, all) {
  const tag = el.localName;
  if (SILENT_TAGS.has(tag)) return " ";
  if (tag === "img" || tag === "svg") return ` ${all ? alternativeOf(el, tag) : ""} `;
  if (!(all || PHRASING_TAGS.has(tag)) || !el.checkVisibility()) return " ";
  const label = all ? el.getAttribute("aria-label") : null;
  if (label) return ` ${label} `;
  const text = runText(el, limit, all);
  return all && !PHRASING_TAGS.has(tag) ? ` ${text}` : text;
}

/**
 * @param {Element} el
 * @param {string} tag
 * @returns {string} the text that stands for a picture
 */
function alternativeOf(el, tag) {
  return (tag === "img" ? el.getAttribute("alt") : el.querySelector("title")?.textContent) ?? "";
}

/**
 * @param {Element} el
 * @returns {string} what the style sheet puts before and after it
 */
function pseudoText(el) {
  let text = "";
  for (const side of ["::before", "::after"]) {
    const content = getComputedStyle(el, side).content;
    if (content && content[0] === '"') text += content.slice(1, -1);
  }
  return text;
}

/**
 * @param {Element} el
 * @param {string} tag
 * @param {boolean} presses whether it can be pressed or typed into: then what stands in it names it
 * @returns {string} its accessible name, "" for none
 */
export function nameOf(el, tag, presses) {
  const labelled = labelledBy(el);
  if (labelled) return labelled;
  const label = el.getAttribute("aria-label");
  if (label && label.trim()) return clean(label);
  let name = nameOfKind(el, tag, presses, label) ?? "";
  if (!name.trim()) name = el.getAttribute("title") ?? "";
  if (!name.trim() && presses) name = generatedName(el);
  return clean(name).slice(0, NAME_CHARS);
}

/**
 * @param {Element} el
 * @returns {string} words of the elements that are said to label it
 */
function labelledBy(el) {
  const ids = el.getAttribute("aria-labelledby");
  if (!ids) return "";
  const root = /** @type {Document} */ (el.getRootNode());
  const words = ids.split(/\s+/).map((id) => root.getElementById?.(id)?.textContent ?? "");
  return clean(words.join(" "));
}

/**
 * @param {Element} el
 * @param {string} tag
 * @param {boolean} presses
 * @param {string | null} label its own, blank
 * @returns {string | null | undefined} what names elements of its kind, null or undefined where it has that not
 */
function nameOfKind(el, tag, presses, label) {
  if (tag === "img" || tag === "area") return el.getAttribute("alt");
  if (tag === "svg") return el.querySelector("title")?.textContent;
  if (tag === "input" || tag === "select" || tag === "textarea")
    return nameOfField(/** @type {HTMLInputElement} */ (el), label);
  return presses ? runText(el, NAME_CHARS, true) : null;
}

/**
 * @param {HTMLInputElement} el or a list or a text area
 * @param {string | null} label its own, blank
 * @returns {string | null}
 */
function nameOfField(el, label) {
  let name = label;
  if (el.type === "image") name = el.getAttribute("alt");
  else if (el.type === "submit") name = el.value || "Submit";
  else if (el.type === "reset") name = el.value || "Reset";
  else if (el.type === "button") name = el.value;
  if (!name && el.labels) name = [...el.labels].map((each) => each.textContent).join(" ");
  return name && name.trim() ? name : el.getAttribute("title") || el.getAttribute("placeholder");
}

/**
 * @param {Element} el
 * @returns {string} words that the style sheet shows in it; letters of a private plane are icons, not words
 */
function generatedName(el) {
  const name = pseudoText(el).replace(/[\ue000-\uf8ff]/g, "");
  return /[\p{L}\p{N}]/u.test(name) ? name : "";
}

/**
 * @param {Element} el
 * @param {string} tag
 * @returns {string} its ARIA role, written or of its tag; "" for none
 */
export function roleOf(el, tag) {
  const written = el.getAttribute("role");
  if (written) return written.trim().split(/\s+/)[0].toLowerCase();
  if (tag === "input") return ROLES_OF_INPUTS.get(/** @type {HTMLInputElement} */ (el).type) ?? "textbox";
  if (tag === "a" && !el.hasAttribute("href")) return "";
  return ROLES.get(tag) ?? "";
}
