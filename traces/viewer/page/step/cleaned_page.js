// A recorded page is hostile. Before it is shown under a policy that lets nothing load, everything that could reach out is taken
// from it.

/** @import { Quote } from "../types.d.ts" */

import { placesOf } from "../elements/marked.js";

const TAKEN_OUT =
  "script, link, meta, base, iframe, frame, frameset, object, embed, applet, portal, fencedframe, noscript, template, " +
  "dialog:not([open])";
const KEPT_ADDRESSES = /^data:(image\/(png|gif|jpeg|webp|avif|bmp)|font\/)/i;
const ADDRESSES = new Set(
  (
    "src srcset href xlink:href action formaction poster background ping data cite longdesc usemap manifest imagesrcset " +
    "lowsrc dynsrc codebase archive classid"
  ).split(" "),
);
const BLOCKS =
  "p, li, td, th, h1, h2, h3, h4, h5, h6, dt, dd, div, section, article, main, header, footer, nav, aside, blockquote, pre, " +
  "figcaption, caption, body";
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";
const MOST_ROUNDS = 6;
const MOST_TITLE = 500;
const STYLE = `
:where(html) { color-scheme: light; background: #fff; color: #1d2424; font: 15px/1.55 system-ui, sans-serif; }
:where(body) { margin: 24px auto; padding: 0 24px; max-width: 980px; }
:where(img) { box-sizing: border-box; max-width: 100%; }
:where(img:not([src])) {
  display: inline-block; min-width: 36px; min-height: 22px; padding: 2px 8px;
  border: 1px dashed #b8c2c2; border-radius: 6px; color: #5d6a6a; font-size: 12px;
}
:where(a) { color: #17666b; text-decoration: underline; cursor: default; }
:where(table) { border-collapse: collapse; }
:where(td, th) { padding: 3px 10px 3px 0; text-align: left; vertical-align: top; }
mark.walker-found { background: #ffe9a8 !important; color: #222 !important; border-radius: 3px; }
mark.walker-cited { background: #b9ecd0 !important; color: #12301f !important; border-radius: 3px; }
mark.walker-first { scroll-initial-target: nearest; scroll-margin: 120px; }
[data-walker-hidden] { display: none !important; }
`;

/**
 * Markup of the page without anything that runs, loads or leads away, its quotes marked.
 * @param {string} html
 * @param {readonly Quote[]} quotes
 */
export function cleaned(html, quotes) {
  let text = html;
  for (let times = 0; times < MOST_ROUNDS; times += 1) {
    const page = new DOMParser().parseFromString(text, "text/html");
    if (!takeOut(page)) {
      highlight(page, quotes);
      return dressed(page);
    }
    text = page.documentElement.outerHTML; // markup may turn into something else when it is read again: look again
  }
  const plain = new DOMParser().parseFromString("<!doctype html>", "text/html");
  const source = plain.createElement("pre");
  source.textContent = html;
  plain.body.append(source);
  return dressed(plain);
}

/**
 * Takes out what runs, loads or leads away; tells whether there was anything.
 * @param {Document} page
 */
function takeOut(page) {
  const nodes = page.querySelectorAll(TAKEN_OUT);
  for (const node of nodes) node.remove();
  let isTaken = nodes.length > 0;
  for (const node of page.querySelectorAll("*")) {
    for (const { name, value } of [...node.attributes]) if (takeAttribute(node, name, value)) isTaken = true;
  }
  for (const style of page.querySelectorAll("style")) {
    const rules = withoutAddresses(style.textContent);
    if (rules === style.textContent) continue;
    style.textContent = rules;
    isTaken = true;
  }
  return isTaken;
}

/**
 * @param {Element} node
 * @param {string} name
 * @param {string} value
 */
function takeAttribute(node, name, value) {
  const lower = name.toLowerCase();
  const isOutside = ADDRESSES.has(lower) && !KEPT_ADDRESSES.test(value.trim());
  if (lower.startsWith("on") || isOutside || lower === "autofocus" || lower === "target") {
    node.removeAttribute(name);
    if (lower === "href" && !node.getAttribute("title")) node.setAttribute("title", value.slice(0, MOST_TITLE));
    return true;
  }
  if (lower !== "style") return false;
  const rules = withoutAddresses(value);
  if (rules !== value) node.setAttribute(name, rules);
  return rules !== value;
}

/** @param {string} rules */
function withoutAddresses(rules) {
  return rules
    .replace(/@import[^;]*;?/gi, "")
    .replace(/url\(\s*(?!\s*["']?data:)[^)]*\)?/gi, "none")
    .replace(/</g, "\\3c ");
}

/**
 * The page's markup with a policy and a style of our own.
 * @param {Document} page
 */
function dressed(page) {
  const policy = page.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = POLICY;
  const style = page.createElement("style");
  style.textContent = STYLE;
  page.head.prepend(policy, style);
  return `<!doctype html>${page.documentElement.outerHTML}`;
}

/**
 * @param {Document} page
 * @param {readonly Quote[]} quotes
 */
function highlight(page, quotes) {
  if (!quotes.length) return;
  const { text, nodes } = textNodesOf(page);
  const places = placesOf(text, quotes);
  for (const { node, start } of nodes.reverse()) {
    const end = start + node.data.length;
    const within = places.filter(([from, to]) => from < end && to > start);
    for (const [from, to, kind] of within.reverse()) {
      mark(node, Math.max(0, from - start), Math.min(node.data.length, to - start), kind);
    }
  }
  page.querySelector("mark[class^=walker-]")?.classList.add("walker-first");
}

/**
 * The text of a page with a space between its blocks, and where in it each text node begins.
 * @param {Document} page
 */
function textNodesOf(page) {
  /** @type {{ node: Text; start: number }[]} */
  const nodes = [];
  const walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  let text = "";
  let block = null;
  while (walker.nextNode()) {
    const node = /** @type {Text} */ (walker.currentNode);
    if (node.parentElement?.closest("style, [data-walker-hidden]")) continue;
    const around = node.parentElement?.closest(BLOCKS);
    if (around !== block) text += " ";
    block = around;
    nodes.push({ node, start: text.length });
    text += node.data;
  }
  return { text, nodes };
}

/**
 * @param {Text} node
 * @param {number} from
 * @param {number} to
 * @param {Quote["kind"]} kind
 */
function mark(node, from, to, kind) {
  const range = node.ownerDocument.createRange();
  range.setStart(node, from);
  range.setEnd(node, to);
  if (!range.toString().trim()) return;
  const marked = node.ownerDocument.createElement("mark");
  marked.className = `walker-${kind}`;
  range.surroundContents(marked);
}
