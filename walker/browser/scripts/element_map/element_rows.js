// The rows of an element: as a control or link, a figure, a frame, a background picture, or a run of text.

import { contrastOf, lookOf } from "./contrast.js";
import { intersection, isInWindow, isWithin, moved } from "../geometry.js";
import { clean, nameOf, runText } from "./naming.js";
import { contentsBox } from "./off_screen.js";
import { addRow } from "./rows.js";
import { stepOf } from "./selector_steps.js";
import { whyUnseen } from "./unseen.js";
import { isInMap, measure, PRESSED_ROLES } from "./visit.js";

/** @typedef {import("./rows.js").ElementMap} ElementMap */
/** @typedef {import("./visit.js").Visit} Visit */

const TEXT_CHARS = 300;
const ADDRESS_CHARS = 300;
const LEAST_FIGURE = 8;
const LEAST_BACKGROUND = 16;

/**
 * @param {Visit} visit
 * @returns {import("./contrast.js").Look}
 */
function styleOf(visit) {
  visit.look ??= lookOf(visit.el);
  return visit.look;
}

/**
 * @param {Element} el
 * @returns {string} of its run of text
 */
function textOf(el) {
  return clean(runText(el, TEXT_CHARS, false)).slice(0, TEXT_CHARS);
}

/**
 * @param {HTMLInputElement} el
 * @returns {string} what was typed into it; what is typed into a password field is nobody's business
 */
function valueOf(el) {
  if (!el.value || el.type === "password" || typeof el.value !== "string") return "";
  return clean(el.value).slice(0, TEXT_CHARS);
}

/**
 * @param {ElementMap} map
 * @param {Visit} visit
 * @returns {boolean} whether it is told as a control or a link
 */
export function addControl(map, visit) {
  const { el, tag, role, z } = visit;
  if (!visit.presses || tag === "label" || (visit.inControl && !PRESSED_ROLES.has(role))) return false;
  if (!measure(map, visit) || (tag === "input" && /** @type {HTMLInputElement} */ (el).type === "hidden")) return false;
  const look = styleOf(visit);
  if (look.style.visibility !== "visible") return false;
  const { box } = visit;
  const text = textOf(el) || valueOf(/** @type {HTMLInputElement} */ (el));
  const font = parseFloat(look.style.fontSize);
  addRow(map, el, visit.place.frame, {
    kind: role === "link" ? "link" : "control",
    role: role || "button",
    name: nameOf(el, tag, true),
    text,
    box,
    z,
    font,
    contrast: text ? contrastOf(el, look) : 0,
    unseen: whyUnseen(el, look, box, text, font),
    step: stepOf(el),
  });
  return true;
}

/**
 * @param {ElementMap} map
 * @param {Visit} visit
 * @param {boolean} inControl
 */
export function addFigure(map, visit, inControl) {
  if (measure(map, visit) && visit.box.width >= LEAST_FIGURE && visit.box.height >= LEAST_FIGURE) {
    const look = styleOf(visit);
    if (look.style.visibility === "visible") addPicture(map, visit, look);
  }
  if (visit.tag === "svg" && !inControl) addDrawnText(map, visit);
}

/**
 * @param {ElementMap} map
 * @param {Visit} visit
 * @param {import("./contrast.js").Look} look
 */
function addPicture(map, visit, look) {
  const { el, tag, role, box, z, figure } = visit;
  const name = nameOf(el, tag, false);
  const picture = /** @type {HTMLImageElement & HTMLObjectElement} */ (el);
  const address = picture.currentSrc || picture.src || picture.data || "";
  addRow(map, el, visit.place.frame, {
    kind: "figure",
    role: role || "img",
    name,
    text: "",
    box,
    z,
    figure,
    described: Boolean(name) || Boolean(el.closest("figure")?.querySelector("figcaption")),
    unseen: whyUnseen(el, look, box, "", 0),
    source: typeof address === "string" && !address.startsWith("data:") ? address.slice(0, ADDRESS_CHARS) : "",
  });
  map.pictures.push(box);
}

/**
 * Tells of the words in a drawing.
 * @param {ElementMap} map
 * @param {Visit} visit
 */
function addDrawnText(map, { el, place, z }) {
  for (const part of el.querySelectorAll("text")) {
    const drawn = part.getBoundingClientRect();
    const text = clean(part.textContent).slice(0, TEXT_CHARS);
    if (!text || !drawn.width) continue;
    const box = moved(drawn, place.dx, place.dy);
    if (!map.whole && !isInWindow(box)) continue;
    const font = parseFloat(getComputedStyle(part).fontSize);
    addRow(map, part, place.frame, { kind: "text", role: "text", name: "", text, box, z, font });
  }
}

/**
 * @param {ElementMap} map
 * @param {Visit} visit that is measured
 */
export function addFrame(map, { el, tag, place, box, z }) {
  const { src } = /** @type {HTMLIFrameElement} */ (el);
  const source = (src || "").slice(0, ADDRESS_CHARS);
  const name = nameOf(el, tag, false);
  addRow(map, el, place.frame, { kind: "frame", role: "iframe", name, text: "", box, z, source });
}

/**
 * Tells of the picture behind what stands in an element.
 * @param {ElementMap} map
 * @param {Visit} visit
 */
export function addBackground(map, visit) {
  const { el, tag, look, z } = visit;
  if (!look || look.image === "none" || !look.image.includes("url(") || !measure(map, visit)) return;
  const { box } = visit;
  if (box.width < LEAST_BACKGROUND || box.height < LEAST_BACKGROUND) return;
  const source = /url\("?([^")]*)/.exec(look.image)?.[1] ?? "";
  addRow(map, el, visit.place.frame, {
    kind: "figure",
    role: "img",
    name: nameOf(el, tag, false),
    text: "",
    box,
    z,
    figure: "background",
    described: Boolean(clean(el.textContent.slice(0, 400))) || el.hasAttribute("aria-label"),
    unseen: look.style.visibility === "visible" ? "" : "transparent",
    source: source.startsWith("data:") ? "" : source.slice(0, ADDRESS_CHARS),
  });
  map.pictures.push(box);
}

/**
 * A block is as wide as its column; its letters say where it is read, where it is cut they end with it.
 * @param {ElementMap} map
 * @param {Visit} visit
 */
export function addText(map, visit) {
  const { el, role, z } = visit;
  const { frame, dx, dy } = visit.place;
  const look = styleOf(visit);
  if (look.style.visibility !== "visible") return;
  const letters = moved(contentsBox(el, frame), dx, dy);
  const flows = look.style.overflow === "visible";
  if (!(letters.width > 0) || !(flows ? isInMap(map, letters) : measure(map, visit))) return;
  const text = textOf(el);
  if (!text) return;
  const font = parseFloat(look.style.fontSize);
  addRow(map, el, frame, {
    kind: "text",
    role: role || "text",
    name: "",
    text,
    box: flows || isWithin(letters, visit.box) ? letters : intersection(letters, visit.box),
    z,
    font,
    contrast: contrastOf(el, look),
    unseen: whyUnseen(el, look, flows ? letters : visit.box, text, font, letters),
  });
}
