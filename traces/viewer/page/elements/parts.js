// Parts that many views are made of.

/** @import { Child } from "../types.d.ts" */

import { h } from "./dom.js";
import { number } from "./words.js";

/** @param {Child} words */
export function pill(words, kind = "", title = "") {
  return h("span", { class: `pill ${kind}`, title: title || null }, words);
}

/**
 * @param {string} title
 * @param {Child} aside
 * @param {...Child} children
 */
export function card(title, aside, ...children) {
  const head = h("header", {}, h("h3", {}, title), aside ? h("div", { class: "aside" }, aside) : null);
  return h("section", { class: "card", "aria-label": title }, head, ...children);
}

/** @param {string} words */
export function empty(words) {
  return h("p", { class: "empty" }, words);
}

/** @param {string} words */
export function opening(words) {
  return h("p", { class: "opening" }, words);
}

/** @param {...Child} words */
export function dim(...words) {
  return h("span", { class: "dim" }, ...words);
}

/**
 * Names and values; a value that is nothing is left out.
 * @param {[string, Child][]} pairs
 */
export function facts(pairs) {
  const told = pairs.filter(([, value]) => value !== "" && value !== null && value !== undefined);
  return h(
    "dl",
    { class: "facts" },
    told.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]),
  );
}

/**
 * Details that unfold.
 * @param {Child} summary
 * @param {boolean} open
 * @param {...Child} children
 */
export function more(summary, open, ...children) {
  return h("details", { class: "more", open }, h("summary", {}, summary), ...children);
}

/**
 * A button that reads like a link.
 * @param {Child} words
 * @param {() => void} onclick
 */
export function linkButton(words, onclick, kind = "link", title = "") {
  return h("button", { type: "button", class: kind, title: title || null, onclick: () => onclick() }, words);
}

/**
 * A button of a row of which one is pressed.
 * @param {string} label
 * @param {number | null} count
 * @param {boolean} isPressed
 * @param {() => void} onclick
 */
export function chip(label, count, isPressed, onclick) {
  return h(
    "button",
    { type: "button", class: "chip", "aria-pressed": String(isPressed), onclick: () => onclick() },
    label,
    count === null ? null : dim(number(count)),
  );
}

/**
 * @param {string} name what a reader of the screen is told
 * @param {{ class: string; head: Child; body: Child }} parts
 */
export function table(name, parts) {
  return h(
    "table",
    { class: parts.class },
    name ? h("caption", { class: "unseen" }, name) : null,
    h("thead", {}, h("tr", {}, parts.head)),
    h("tbody", {}, parts.body),
  );
}

/** @param {unknown} value */
export function json(value) {
  return h("pre", { class: "json", tabindex: "0" }, JSON.stringify(value, null, 2) ?? "null");
}

/**
 * A small picture that comes when it is there.
 * @param {Promise<string> | null} url
 */
export function thumbnail(url, isLazy = false) {
  const frame = h("div", { class: "thumb", "aria-hidden": "true" });
  const attributes = { alt: "", loading: isLazy ? "lazy" : null, decoding: isLazy ? "async" : null };
  url?.then(
    (src) => frame.append(h("img", { src, ...attributes })),
    () => frame.classList.add("gone"),
  );
  return frame;
}
