// Why this number: every item that was counted, where it stands, and what was taken for the same.

import { empty, h, number, plural, put, shortUrl } from "./dom.js";
import { list } from "./quotes.js";

export function counterView(place, { events }, { onStep }) {
  const counted = events.filter((event) => event.d.mode !== "none");
  if (!counted.length) return put(place, empty("Nothing was counted in this walk: the question asks for no number of things."));
  const last = counted.at(-1).d;
  const items = counted.flatMap((event) => list(event.d.added).map((item) => ({ ...item, at: event.step })));
  const merges = counted.flatMap((event) => list(event.d.merged).map((merge) => ({ ...merge, at: event.step })));
  const into = Map.groupBy ? Map.groupBy(merges, (merge) => merge.into) : grouped(merges);
  const search = h("input", { type: "search", placeholder: "Search items", "aria-label": "Search items", oninput: draw });
  const body = h("tbody", {});
  const verdict = last.complete ? "complete" : last.done ? "done; a lower bound" : "not finished";
  put(
    place,
    h("div", { class: "count-head" }, h("b", { class: "huge" }, number(last.found)), h("div", {}, h("p", {}, last.target ? `of ${number(last.target)} wanted, ${verdict}` : `counted, ${verdict}`), h("p", { class: "dim small" }, `${plural(items.length, "item")} on ${plural(new Set(items.map((item) => item.at)).size, "page")}, ${plural(merges.length, "candidate")} merged`)), search),
    h("div", { class: "wide" }, h("table", { class: "plain items-table" }, h("thead", {}, h("tr", {}, ["#", "Item", "Quote", "Step", "Taken for the same"].map((name) => h("th", { scope: "col" }, name)))), body)),
  );
  draw();

  function draw() {
    const words = search.value.toLowerCase();
    const shown = items.map((item, place) => ({ ...item, place })).filter((item) => `${item.name} ${item.quote} ${item.page_url}`.toLowerCase().includes(words)).slice(0, 2000);
    put(
      body,
      shown.map((item) =>
        h(
          "tr",
          {},
          h("td", { class: "number dim" }, number(item.place + 1)),
          h("th", { scope: "row" }, item.name, item.key ? h("span", { class: "dim block small" }, shortUrl(item.key)) : null),
          h("td", {}, item.quote && item.quote !== item.name ? h("q", {}, item.quote.slice(0, 240)) : ""),
          h("td", {}, h("button", { type: "button", class: "link", onclick: () => onStep(item.at) }, String(item.at))),
          h("td", { class: "small" }, (into.get(item.name) ?? []).map((merge) => h("span", { class: "block" }, merge.name, h("span", { class: "dim" }, ` ${merge.reason}${merge.similarity < 1 ? ` ${Math.round(merge.similarity * 100)} %` : ""}, step ${merge.at}`)))),
        ),
      ),
    );
  }
}

function grouped(merges) {
  const groups = new Map();
  for (const merge of merges) groups.set(merge.into, [...(groups.get(merge.into) ?? []), merge]);
  return groups;
}
