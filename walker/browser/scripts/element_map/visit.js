// What is known of an element when it is come to: its role, its style, and once it is asked for, its box.

import { lookOf, paints } from "./contrast.js";
import { boxAround, isInWindow, moved } from "../geometry.js";
import { hasOwnText, PHRASING_TAGS, roleOf } from "./naming.js";

/** @typedef {import("../geometry.js").Box} Box */
/** @typedef {import("./contrast.js").Look} Look */
/** @typedef {import("./rows.js").ElementMap} ElementMap */

/**
 * Where a document stands: the address of its frame, "" for the page itself, and how far its boxes are moved.
 * @typedef {{frame: string, dx: number, dy: number}} Place
 */
/**
 * What an element gets from those above it: its paint order, whether its text belongs to a run of text that was told or
 * to a control, and whether it is pointed at.
 * @typedef {{z: number, inRun: boolean, inControl: boolean, isPointer: boolean}} Above
 */
/**
 * @typedef {object} Visit
 * @property {Place} place
 * @property {Element} el
 * @property {string} tag
 * @property {string} figure its kind where it is a picture, else ""
 * @property {boolean} isPhrase
 * @property {boolean} hasText text stands in it directly
 * @property {string} role
 * @property {boolean} presses it can be pressed or typed into
 * @property {Look | null} look
 * @property {number} z
 * @property {boolean} isPointer
 * @property {boolean} inRun
 * @property {boolean} inControl
 * @property {boolean} isMeasured
 * @property {Box} box once it is measured
 * @property {boolean} isShown once it is measured
 */

const FIGURES = new Map(
  Object.entries({ img: "img", canvas: "canvas", svg: "svg", video: "video", object: "object", embed: "object" }),
);
/** Roles of what can be pressed or typed into. */
export const PRESSED_ROLES = new Set(
  (
    "button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option combobox textbox searchbox " +
    "slider spinbutton treeitem gridcell"
  ).split(" "),
);
const NOWHERE = { x: 0, y: 0, width: 0, height: 0 };
const LEAST_LAYER = 400;
const PICTURES_OF_A_LINK = 8;

/**
 * @param {string} tag
 * @returns {string} the kind of figure that it is, "" for none
 */
export function figureOf(tag) {
  return FIGURES.get(tag) ?? "";
}

/**
 * @param {ElementMap} map
 * @param {Place} place
 * @param {Element} el
 * @param {Above} above
 * @returns {Visit}
 */
export function visitOf(map, place, el, above) {
  const tag = el.localName;
  const figure = figureOf(tag);
  const visit = {
    place,
    el,
    tag,
    figure,
    isPhrase: PHRASING_TAGS.has(tag),
    hasText: !figure && hasOwnText(el),
    role: roleOf(el, tag),
    presses: false,
    look: null,
    z: above.z,
    isPointer: above.isPointer,
    inRun: above.inRun,
    inControl: above.inControl,
    isMeasured: false,
    box: NOWHERE,
    isShown: true,
  };
  if (!visit.isPhrase || visit.hasText || !el.firstElementChild || el.hasAttribute("style") || el.className) {
    applyStyle(map, visit);
  }
  visit.presses = isPressed(visit, above);
  return visit;
}

/**
 * @param {ElementMap} map
 * @param {Visit} visit
 */
function applyStyle(map, visit) {
  const { el } = visit;
  const look = lookOf(el);
  const { style, position } = look;
  visit.look = look;
  visit.isPointer = style.cursor === "pointer";
  if (position === "static") return;
  const index = parseInt(style.zIndex, 10);
  if (Number.isNaN(index)) visit.z += 1;
  else visit.z += index < 0 ? -1 : index + 1;
  if (position === "relative") return;
  if ((visit.figure || paints(look)) && Number(style.opacity) > 0.5) {
    const box = el.getBoundingClientRect();
    if (box.width * box.height > LEAST_LAYER) map.layers.push({ el, z: visit.z, box });
  }
}

/**
 * @param {Visit} visit
 * @param {Above} above
 * @returns {boolean}
 */
function isPressed({ el, tag, role, isPointer }, above) {
  if (PRESSED_ROLES.has(role) || tag === "input") return true;
  if (tag === "label" && /** @type {HTMLLabelElement} */ (el).control) return true;
  if (isEdited(/** @type {HTMLElement} */ (el)) || el.hasAttribute("onclick")) return true;
  if (isPointer && !above.isPointer && !above.inControl) return true;
  return el.hasAttribute("tabindex") && /** @type {HTMLElement} */ (el).tabIndex >= 0 && tag !== "iframe";
}

/**
 * Attributes are asked for first: what a browser works out from them costs five times as much.
 * @param {HTMLElement} el
 * @returns {boolean} whether its text can be changed, and not that of its parent
 */
function isEdited(el) {
  return el.hasAttribute("contenteditable") && el.isContentEditable && !el.parentElement?.isContentEditable;
}

/**
 * Measures an element once.
 * @param {ElementMap} map
 * @param {Visit} visit
 * @returns {boolean} whether it has a size, and is in the map's part of the page
 */
export function measure(map, visit) {
  if (!visit.isMeasured) {
    const { el, place } = visit;
    const box = moved(el.getBoundingClientRect(), place.dx, place.dy);
    visit.box = visit.presses ? withPictures(el, box, place) : box;
    visit.isShown = isInMap(map, visit.box);
    visit.isMeasured = true;
  }
  return visit.isShown;
}

/**
 * @param {ElementMap} map
 * @param {Box} box
 * @returns {boolean} whether it has a size, and is in the map's part of the page
 */
export function isInMap(map, box) {
  return box.width > 0 && box.height > 0 && (map.whole || isInWindow(box));
}

/**
 * A link flows around its picture: its own box is that of one line of letters, and the picture is pressed as well.
 * @param {Element} el
 * @param {Box} box
 * @param {Place} place
 * @returns {Box} around both
 */
function withPictures(el, box, { dx, dy }) {
  if (!el.firstElementChild) return box;
  const inside = [...el.querySelectorAll("img, canvas, svg, video")].slice(0, PICTURES_OF_A_LINK);
  if (!inside.length || lookOf(el).style.overflow !== "visible") return box;
  const found = inside.filter((picture) => picture.checkVisibility()).map((picture) => picture.getBoundingClientRect());
  const parts = found.filter((part) => part.width >= 8 && part.height >= 8).map((part) => moved(part, dx, dy));
  if (box.width && box.height) parts.push(box);
  return parts.length ? boxAround(parts) : box;
}
