// The site as the walk came to know it: every page as many columns from the root as it is links away, the way of the walk, and the
// links between pages.

/** @import { MapPage, Row, SiteMap, Spot } from "../types.d.ts" */

import { h, put, s } from "../elements/dom.js";
import { dim, empty, linkButton, more } from "../elements/parts.js";
import { number, plural, shortUrl } from "../elements/words.js";
import { DOWN, laidOut, WIDE } from "../record/map_layout.js";
import { kindOf } from "../record/rows.js";

const MOST_DRAWN = 3000;
const HIGH = DOWN - 8;
/** Letters of a title that fit into a node. */
const MOST_LETTERS = 25;
const BEND = 34;

/**
 * @typedef {object} MapContext
 * @property {(step: number) => void} onStep
 * @property {readonly Row[]} rows
 * @property {number | null} chosen
 */

/**
 * @param {Element} place
 * @param {SiteMap} map
 * @param {MapContext} context
 */
export function mapView(place, { pages, links }, { onStep, rows, chosen }) {
  if (!pages.length) {
    put(place, empty("No page was opened."));
    return;
  }
  const drawn = pages.slice(0, MOST_DRAWN);
  const spots = laidOut(drawn, links);
  const others = s(
    "g",
    { class: "links" },
    links.map((link) => linkPath(link, spots)),
  );
  const ways = s(
    "g",
    { class: "ways" },
    drawn.map((page) => wayPath(page, spots)),
  );
  const byStep = new Map(rows.map((row) => [row.step, row]));
  const aside = h("aside", { class: "map-side", "aria-live": "polite" });
  const tell = (/** @type {MapPage} */ page) => {
    markChosen(chart, others, String(page.step));
    put(aside, aboutPage(page, onStep));
  };
  const nodes = drawn.map((page) => pageNode(page, spots.get(page.step), byStep.get(page.step), { tell, onStep }));
  const chart = s("svg", chartAttributes([...spots.values()]), others, ways, nodes);
  const box = { class: "map-box", tabindex: "0", role: "region", "aria-label": "Site map, scrolls" };
  put(
    place,
    mapTools(pages.length, links.length, chart),
    h("div", { class: "map-columns" }, h("div", box, chart), aside),
  );
  tell(drawn.find((page) => chosen !== null && page.steps.includes(chosen)) ?? drawn[0]);
}

/** @param {readonly Spot[]} spots */
function chartAttributes(spots) {
  const width = Math.max(...spots.map((spot) => spot.x)) + WIDE + 40;
  const height = Math.max(...spots.map((spot) => spot.y)) + 2 * DOWN;
  return {
    class: "map",
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: "group",
    "aria-label": "Map of the pages that were opened",
  };
}

/**
 * @param {number} pages
 * @param {number} links
 * @param {SVGSVGElement} chart
 */
function mapTools(pages, links, chart) {
  const words = `${plural(pages, "page")} opened; columns are links from the root, lines the way of the walk.`;
  /** @type {HTMLInputElement} */
  const box = h("input", { type: "checkbox", onchange: () => chart.classList.toggle("all-links", box.checked) });
  return h(
    "div",
    { class: "map-tools" },
    h("span", { class: "hint" }, words),
    h("label", { class: "check" }, box, ` all ${number(links)} links between them`),
  );
}

/**
 * @param {[number, number]} link
 * @param {Map<number, Spot>} spots
 */
function linkPath([from, to], spots) {
  const [one, two] = [spots.get(from), spots.get(to)];
  return one && two ? s("path", { d: curve(one, two), "data-from": from, "data-to": to }) : null;
}

/**
 * @param {MapPage} page
 * @param {Map<number, Spot>} spots
 */
function wayPath({ parent, step }, spots) {
  const [above, here] = [spots.get(parent), spots.get(step)];
  return above && here ? s("path", { d: curve(above, here) }) : null;
}

/**
 * @param {MapPage} page
 * @param {Spot | undefined} spot
 * @param {Row | undefined} row
 * @param {{ tell: (page: MapPage) => void; onStep: (step: number) => void }} actions
 */
function pageNode(page, { x, y } = { x: 0, y: 0 }, row, { tell, onStep }) {
  const label = row?.label || page.title || shortUrl(page.url);
  const short = label.length > MOST_LETTERS ? `${label.slice(0, MOST_LETTERS - 1)}…` : label;
  const group = s(
    "g",
    {
      class: `node ${row ? kindOf(row) : ""}`,
      transform: `translate(${x} ${y})`,
      role: "button",
      tabindex: "0",
      "aria-label": `Step ${page.step}: ${label}`,
      "data-step": page.step,
    },
    s("rect", { width: WIDE, height: HIGH, rx: 7 }),
    s("circle", { cx: 13, cy: HIGH / 2, r: 4.5 }),
    s("text", { x: 25, y: HIGH / 2 + 4.5 }, short),
    s("title", {}, page.url),
  );
  group.addEventListener("click", () => tell(page));
  group.addEventListener("focus", () => tell(page));
  group.addEventListener("dblclick", () => onStep(page.step));
  group.addEventListener("keydown", (event) => {
    if (event.key === "Enter") onStep(page.step);
  });
  return group;
}

/**
 * @param {SVGSVGElement} chart
 * @param {SVGGElement} links
 * @param {string} step
 */
function markChosen(chart, links, step) {
  for (const group of chart.querySelectorAll("g")) {
    if (group.classList.contains("node")) group.classList.toggle("chosen", group.dataset.step === step);
  }
  for (const path of links.querySelectorAll("path")) {
    path.classList.toggle("near", path.dataset.from === step || path.dataset.to === step);
  }
}

/**
 * @param {MapPage} page
 * @param {(step: number) => void} onStep
 */
function aboutPage(page, onStep) {
  const steps = page.steps.map((step) => [linkButton(`step ${step}`, () => onStep(step)), " "]);
  const unopened = page.unopened.map(([url, label]) =>
    h("li", {}, h("b", {}, label || "(no words)"), " ", dim(shortUrl(url))),
  );
  const count = page.unopened.length + page.more;
  return [
    h("h3", {}, page.title || shortUrl(page.url)),
    h("p", { class: "url" }, page.url),
    h("p", { class: "small" }, "Stood on at ", steps),
    count ? more(`Links never opened (${number(count)})`, true, h("ul", { class: "links" }, unopened)) : null,
  ];
}

/**
 * @param {Spot} one
 * @param {Spot} two
 */
function curve(one, two) {
  const isRight = two.x > one.x;
  const isLeft = two.x < one.x;
  const from = { x: one.x + (isLeft ? 0 : WIDE), y: one.y + HIGH / 2 };
  const to = { x: two.x + (isRight ? 0 : WIDE), y: two.y + HIGH / 2 };
  const isBelow = !isRight && !isLeft;
  const [leaving, arriving] = isBelow ? [from.x + BEND, to.x + BEND] : [(from.x + to.x) / 2, (from.x + to.x) / 2];
  return `M${from.x} ${from.y}C${leaving} ${from.y} ${arriving} ${to.y} ${to.x} ${to.y}`;
}
