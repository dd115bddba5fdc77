// The steps of a run as a list of which only the visible part exists, with the stack drawn beside it like branches.

import { h, number, put, s, say, shortUrl } from "./dom.js";

const ROW = 58;
const MARGIN = 6;
const LEFT = 11;
const INDENT = 11;
const DEEPEST = 7;

export function kindOf(row) {
  if (row.outcome === "failed" || row.outcome === "error") return "bad";
  if (row.outcome === "rejected") return "off";
  if (row.sufficient) return "good";
  if (row.choice === "look") return "look";
  if (row.choice === "glance") return "glance";
  return "read";
}

export function timeline({ pictureUrl, onChoose }) {
  let rows = [];
  let lanes = new Map();
  let chosen = null;
  let places = new Map();
  let hasPictures = false;
  const drawn = new Map();
  const list = h("div", { class: "rows", role: "listbox", "aria-label": "Steps", tabindex: "0", id: "timeline" });
  const box = h("div", { class: "timeline", onscroll: draw }, list);
  new ResizeObserver(draw).observe(box);

  function show(next, allRows) {
    rows = next;
    lanes = lanesOf(allRows);
    places = new Map(rows.map((row, place) => [row.step, place]));
    hasPictures = allRows.some((row) => row.picture);
    for (const node of drawn.values()) node.remove();
    drawn.clear();
    list.style.height = `${rows.length * ROW}px`;
    draw();
  }

  function draw() {
    const from = Math.max(0, Math.floor(box.scrollTop / ROW) - MARGIN);
    const to = Math.min(rows.length, Math.ceil((box.scrollTop + (box.clientHeight || 800)) / ROW) + MARGIN);
    for (const [place, node] of drawn) {
      if (place < from || place >= to) {
        node.remove();
        drawn.delete(place);
      }
    }
    for (let place = from; place < to; place += 1) {
      if (!drawn.has(place)) {
        const node = rowNode(rows[place], place);
        drawn.set(place, node);
        list.append(node);
      }
    }
  }

  function rowNode(row, place) {
    const node = h(
      "div",
      {
        class: `row ${kindOf(row)}`, id: `step-${row.step}`, role: "option", "aria-selected": String(row.step === chosen), "aria-posinset": String(place + 1), "aria-setsize": String(rows.length),
        "aria-label": described(row), onclick: () => onChoose(row.step), style: { transform: `translateY(${place * ROW}px)` },
      },
      rail(row),
      hasPictures ? thumbnail(row) : null,
      h("div", { class: "what" }, h("div", { class: "title" }, row.label), h("div", { class: "where" }, h("span", { class: "step" }, `${row.step}`), row.why && row.outcome ? row.why : shortUrl(row.url))),
      h("div", { class: "marks" }, marks(row)),
    );
    return node;
  }

  function thumbnail(row) {
    const frame = h("div", { class: "thumb", "aria-hidden": "true" });
    if (row.picture) {
      pictureUrl(row.picture).then((url) => frame.append(h("img", { src: url, alt: "", loading: "lazy", decoding: "async" })), () => frame.classList.add("gone"));
    }
    return frame;
  }

  function rail(row) {
    const lane = lanes.get(row.step);
    const width = LEFT * 2 + Math.min(DEEPEST, lane.most) * INDENT;
    const x = (depth) => LEFT + Math.min(DEEPEST, Math.max(0, depth - 1)) * INDENT;
    const here = x(row.depth);
    const lines = lane.through.map((depth) => s("line", { x1: x(depth), x2: x(depth), y1: 0, y2: ROW }));
    const bend = lane.above ? s("path", { d: `M${x(lane.above)} 0V${ROW / 2 - 9}Q${x(lane.above)} ${ROW / 2} ${Math.min(here, x(lane.above) + 9)} ${ROW / 2}H${here}` }) : null;
    const down = lane.goesOn ? s("line", { x1: here, x2: here, y1: ROW / 2, y2: ROW }) : null;
    return s("svg", { class: "rail", width, height: ROW, "aria-hidden": "true" }, lines, bend, down, s("circle", { cx: here, cy: ROW / 2, r: 4.5 }));
  }

  function choose(step, { scroll = true } = {}) {
    chosen = step;
    for (const [place, node] of drawn) node.setAttribute("aria-selected", String(rows[place].step === step));
    const place = places.get(step);
    if (place === undefined) return;
    if (scroll) {
      const top = place * ROW;
      if (top < box.scrollTop + ROW) box.scrollTop = Math.max(0, top - ROW);
      else if (top + 2 * ROW > box.scrollTop + box.clientHeight) box.scrollTop = top + 2 * ROW - box.clientHeight;
    }
    draw();
    list.setAttribute("aria-activedescendant", `step-${step}`);
    say(described(rows[place]));
  }

  return { node: box, list, show, choose };
}

function described(row) {
  const parts = [`Step ${row.step}`, row.label];
  if (row.outcome) parts.push(`${row.outcome}: ${row.why}`);
  else if (row.trust >= 0) parts.push(`${row.choice || "read"}, trust ${Math.round(row.trust)}`);
  if (row.findings) parts.push("found something");
  if (row.items) parts.push(`counted ${row.items}`);
  if (row.sufficient) parts.push(`answer: ${row.answer}`);
  if (row.refusals) parts.push(`${row.refusals} refused`);
  return parts.filter(Boolean).join(", ");
}

export function marks(row) {
  const found = [];
  if (row.errors) found.push(["bad", "!", `${row.errors} errors`]);
  if (row.outcome === "rejected") found.push(["off", "left", row.why]);
  if (row.choice === "glance" || row.choice === "look") found.push([row.choice, row.choice === "look" ? "looked" : "glanced", "The picture was looked at"]);
  if (row.refusals) found.push(["warn", "refused", `${row.refusals} proposals were refused`]);
  if (row.items) found.push(["good", `+${number(row.items)}`, `${row.items} items counted here`]);
  else if (row.findings && !row.sufficient) found.push(["read", row.findings > 0 ? `${row.findings} found` : "found", "Findings"]);
  if (row.sufficient) found.push(["good", "answer", row.answer]);
  return found.slice(0, 3).map(([kind, words, title]) => h("span", { class: `mark ${kind}`, title }, words));
}

// Which lines pass each row: from every page down to the last page that was opened from it.
function lanesOf(rows) {
  const lanes = new Map(rows.map((row) => [row.step, { through: [], above: 0, goesOn: false, most: 0 }]));
  const places = new Map(rows.map((row, place) => [row.step, place]));
  const last = new Map();
  for (const row of rows) if (places.has(row.parent)) last.set(row.parent, row.step);
  const most = rows.reduce((deepest, row) => Math.max(deepest, row.depth - 1), 0);
  const open = [];
  for (const row of rows) {
    const lane = lanes.get(row.step);
    lane.most = most;
    lane.above = places.has(row.parent) ? rows[places.get(row.parent)].depth : 0;
    for (let at = open.length - 1; at >= 0; at -= 1) {
      if (open[at].until <= row.step) open.splice(at, 1);
      else lane.through.push(open[at].depth);
    }
    if (last.has(row.step)) {
      open.push({ depth: row.depth, until: last.get(row.step) });
      lane.goesOn = true;
    }
  }
  return lanes;
}
