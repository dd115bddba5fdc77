// The page as it was recorded. It is hostile: it is shown in a frame without scripts, forms, popups or an origin, under a policy
// that lets nothing load, and everything that could reach out is taken from it before that.

import { empty, h, put } from "./dom.js";
import { placesOf } from "./quotes.js";

const TAKEN_OUT = "script, link, meta, base, iframe, frame, frameset, object, embed, applet, portal, fencedframe, noscript, template, dialog:not([open])";
const KEPT_ADDRESSES = /^data:(image\/(png|gif|jpeg|webp|avif|bmp)|font\/)/i;
const ADDRESSES = ["src", "srcset", "href", "xlink:href", "action", "formaction", "poster", "background", "ping", "data", "cite", "longdesc", "usemap", "manifest", "imagesrcset", "lowsrc", "dynsrc", "codebase", "archive", "classid"];
const BLOCKS = "p, li, td, th, h1, h2, h3, h4, h5, h6, dt, dd, div, section, article, main, header, footer, nav, aside, blockquote, pre, figcaption, caption, body";
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";
const MOST_ROUNDS = 6;
const STYLE = `
:where(html) { color-scheme: light; background: #fff; color: #1d2424; font: 15px/1.55 system-ui, sans-serif; }
:where(body) { margin: 24px auto; padding: 0 24px; max-width: 980px; }
:where(img:not([src])) { display: inline-block; min-width: 36px; min-height: 22px; padding: 2px 8px; border: 1px dashed #b8c2c2; border-radius: 6px; color: #5d6a6a; font-size: 12px; }
:where(a) { color: #17666b; text-decoration: underline; cursor: default; }
:where(table) { border-collapse: collapse; } :where(td, th) { padding: 3px 10px 3px 0; text-align: left; vertical-align: top; }
mark.walker-found { background: #ffe9a8 !important; color: #222 !important; border-radius: 3px; }
mark.walker-cited { background: #b9ecd0 !important; color: #12301f !important; border-radius: 3px; }
mark.walker-first { scroll-initial-target: nearest; scroll-margin: 120px; }
[data-walker-hidden] { display: none !important; }
`;

export function recordedPage(place, html, quotes) {
  if (!html.trim()) return put(place, empty("The recorded page is empty."));
  const page = cleaned(html, quotes);
  const frame = h("iframe", { class: "recorded", title: "The page as recorded", sandbox: "", referrerpolicy: "no-referrer", credentialless: true, srcdoc: page, loading: "eager" });
  return put(
    place,
    frame,
    h("p", { class: "hint" }, "As recorded, without what lies outside the record: scripts, style sheets and remote pictures stay off. Links lead nowhere."),
  );
}

export function cleaned(html, quotes) {
  let text = html;
  for (let times = 0; times < MOST_ROUNDS; times += 1) {
    const page = new DOMParser().parseFromString(text, "text/html");
    if (takeOut(page)) {
      text = page.documentElement.outerHTML; // markup may turn into something else when it is read again: look again
      continue;
    }
    highlight(page, quotes);
    dress(page);
    return `<!doctype html>${page.documentElement.outerHTML}`;
  }
  const plain = new DOMParser().parseFromString("<!doctype html><pre></pre>", "text/html");
  plain.querySelector("pre").textContent = html;
  dress(plain);
  return `<!doctype html>${plain.documentElement.outerHTML}`;
}

// Takes out what runs, loads or leads away; tells whether there was anything.
function takeOut(page) {
  let taken = false;
  for (const node of page.querySelectorAll(TAKEN_OUT)) {
    node.remove();
    taken = true;
  }
  for (const node of page.querySelectorAll("*")) {
    for (const { name, value } of [...node.attributes]) {
      const lower = name.toLowerCase();
      if (lower === "style" && withoutAddresses(value) !== value) {
        node.setAttribute(name, withoutAddresses(value));
        taken = true;
      }
      const isOutside = ADDRESSES.includes(lower) && !KEPT_ADDRESSES.test(value.trim());
      if (!lower.startsWith("on") && !isOutside && lower !== "autofocus" && lower !== "target") continue;
      node.removeAttribute(name);
      if (lower === "href" && !node.title) node.setAttribute("title", value.slice(0, 500));
      taken = true;
    }
  }
  for (const style of page.querySelectorAll("style")) {
    const rules = withoutAddresses(style.textContent);
    if (rules !== style.textContent) {
      style.textContent = rules;
      taken = true;
    }
  }
  return taken;
}

function withoutAddresses(rules) {
  return rules.replace(/@import[^;]*;?/gi, "").replace(/url\(\s*(?!\s*["']?data:)[^)]*\)?/gi, "none").replace(/</g, "\\3c ");
}

function dress(page) {
  const policy = page.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = POLICY;
  const style = page.createElement("style");
  style.textContent = STYLE;
  page.head.prepend(policy, style);
}

function highlight(page, quotes) {
  if (!quotes.length) return;
  const nodes = [];
  const walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  let text = "";
  let block = null;
  while (walker.nextNode()) {
    const around = walker.currentNode.parentElement;
    if (around.closest("style, [data-walker-hidden]")) continue;
    if (around.closest(BLOCKS) !== block) text += " ";
    block = around.closest(BLOCKS);
    nodes.push({ node: walker.currentNode, start: text.length });
    text += walker.currentNode.data;
  }
  const places = placesOf(text, quotes);
  let isFirst = true;
  for (const { node, start } of nodes.reverse()) {
    const end = start + node.data.length;
    for (const [from, to, kind] of places.filter((place) => place[0] < end && place[1] > start).reverse()) {
      const range = page.createRange();
      range.setStart(node, Math.max(0, from - start));
      range.setEnd(node, Math.min(node.data.length, to - start));
      if (!range.toString().trim()) continue;
      const mark = page.createElement("mark");
      mark.className = `walker-${kind}`;
      range.surroundContents(mark);
    }
  }
  for (const mark of page.querySelectorAll("mark[class^=walker-]")) {
    if (isFirst) mark.classList.add("walker-first");
    isFirst = false;
  }
}
