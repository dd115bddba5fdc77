// The site as the walk came to know it: every page as many columns from the root as it is links away, the way of the walk, and the
// links between pages.

import { empty, h, number, plural, put, s, shortUrl } from "./dom.js";
import { kindOf } from "./timeline.js";

const ACROSS = 250;
const DOWN = 34;
const WIDE = 200;
const MOST_DRAWN = 3000;

export function mapView(place, { pages, links }, { onStep, rows, chosen }) {
  if (!pages.length) return put(place, empty("No page was opened."));
  const byStep = new Map(rows.map((row) => [row.step, row]));
  const drawn = pages.slice(0, MOST_DRAWN);
  const at = laidOut(drawn, links);
  const width = Math.max(...[...at.values()].map((spot) => spot.x)) + WIDE + 40;
  const height = Math.max(...[...at.values()].map((spot) => spot.y)) + 2 * DOWN;
  const aside = h("aside", { class: "map-side", "aria-live": "polite" });
  const chart = s("svg", { class: "map", width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "Map of the pages that were opened" });
  const others = s("g", { class: "links" });
  for (const [from, to] of links) {
    const [one, two] = [at.get(from), at.get(to)];
    if (one && two) others.append(s("path", { d: curve(one, two), "data-from": from, "data-to": to }));
  }
  const ways = s("g", { class: "ways" });
  for (const page of drawn) if (at.has(page.parent)) ways.append(s("path", { d: curve(at.get(page.parent), at.get(page.step)) }));
  chart.append(others, ways);
  for (const page of drawn) chart.append(node(page));
  const toggle = h("label", { class: "check" }, h("input", { type: "checkbox", onchange: (event) => chart.classList.toggle("all-links", event.target.checked) }), ` all ${number(links.length)} links between them`);
  put(place, h("div", { class: "map-tools" }, h("span", { class: "hint" }, `${plural(pages.length, "page")} opened; columns are links from the root, lines the way of the walk.`), toggle), h("div", { class: "map-columns" }, h("div", { class: "map-box", tabindex: "0", role: "region", "aria-label": "Site map, scrolls" }, chart), aside));
  const current = drawn.find((page) => page.steps.includes(chosen)) ?? drawn[0];
  tell(current);

  function node(page) {
    const { x, y } = at.get(page.step);
    const row = byStep.get(page.step);
    const label = row?.label || page.title || shortUrl(page.url);
    const group = s("g", { class: `node ${row ? kindOf(row) : ""}`, transform: `translate(${x} ${y})`, role: "button", tabindex: "0", "aria-label": `Step ${page.step}: ${label}`, "data-step": page.step });
    group.append(s("rect", { width: WIDE, height: DOWN - 8, rx: 7 }), s("circle", { cx: 13, cy: (DOWN - 8) / 2, r: 4.5 }), s("text", { x: 25, y: (DOWN - 8) / 2 + 4.5 }, label.length > 25 ? `${label.slice(0, 24)}…` : label), s("title", {}, page.url));
    group.addEventListener("click", () => tell(page));
    group.addEventListener("dblclick", () => onStep(page.step));
    group.addEventListener("keydown", (event) => { if (event.key === "Enter") onStep(page.step); });
    group.addEventListener("focus", () => tell(page));
    return group;
  }

  function tell(page) {
    for (const group of chart.querySelectorAll(".node")) group.classList.toggle("chosen", group.dataset.step === String(page.step));
    for (const path of others.children) path.classList.toggle("near", path.dataset.from === String(page.step) || path.dataset.to === String(page.step));
    put(
      aside,
      h("h3", {}, page.title || shortUrl(page.url)),
      h("p", { class: "url" }, page.url),
      h("p", { class: "small" }, "Stood on at ", page.steps.map((step) => [h("button", { type: "button", class: "link", onclick: () => onStep(step) }, `step ${step}`), " "])),
      page.unopened.length ? h("details", { class: "more", open: true }, h("summary", {}, `Links never opened (${number(page.unopened.length + page.more)})`), h("ul", { class: "links" }, page.unopened.map(([url, label]) => h("li", {}, h("b", {}, label || "(no words)"), " ", h("span", { class: "dim" }, shortUrl(url)))))) : null,
    );
  }
}

function curve(one, two) {
  const isRight = two.x > one.x;
  const isLeft = two.x < one.x;
  const from = { x: one.x + (isLeft ? 0 : WIDE), y: one.y + (DOWN - 8) / 2 };
  const to = { x: two.x + (isRight ? 0 : WIDE), y: two.y + (DOWN - 8) / 2 };
  if (!isRight && !isLeft) return `M${from.x} ${from.y}C${from.x + 34} ${from.y} ${to.x + 34} ${to.y} ${to.x} ${to.y}`;
  const middle = (from.x + to.x) / 2;
  return `M${from.x} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`;
}

// A tidy tree over the shortest ways from the root: leaves take a row each, a page stands in the middle of those below it.
function laidOut(pages, links) {
  const { children, roots } = shortestWays(pages, links);
  const at = new Map();
  let row = 0;
  const stack = roots.toReversed().map((step) => ({ step, depth: 0, done: false }));
  while (stack.length) {
    const { step, depth, done } = stack.pop();
    const below = children.get(step) ?? [];
    if (!below.length || done) {
      const y = below.length ? (at.get(below[0]).y + at.get(below.at(-1)).y) / 2 : 14 + DOWN * row++;
      at.set(step, { x: 14 + depth * ACROSS, y });
    } else {
      stack.push({ step, depth, done: true }, ...below.toReversed().map((child) => ({ step: child, depth: depth + 1, done: false })));
    }
  }
  return at;
}

function shortestWays(pages, links) {
  const ways = new Map(pages.map((page) => [page.step, []]));
  for (const page of pages) ways.get(page.parent)?.push(page.step);
  for (const [from, to] of links) if (ways.has(to)) ways.get(from)?.push(to);
  const children = new Map();
  const roots = [];
  const met = new Set();
  for (const page of pages) {
    if (met.has(page.step)) continue;
    met.add(page.step);
    roots.push(page.step);
    const queue = [page.step];
    while (queue.length) {
      const step = queue.shift();
      const below = ways.get(step).filter((next) => !met.has(next) && met.add(next));
      if (below.length) children.set(step, [...new Set(below)]);
      queue.push(...below);
    }
  }
  return { children, roots };
}
