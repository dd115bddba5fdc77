// The page as the reader took it, which is what every mind was given: text under its headings, links, tables, controls.

import { empty, h, number, plural, put, shortUrl } from "./dom.js";
import { list, marked } from "./quotes.js";

const MOST_BLOCKS = 1500;

export function textPanel(place, observation, quotes) {
  if (!observation) return put(place, empty("No text of this step is on record."));
  const blocks = list(observation.blocks);
  const hidden = blocks.filter((block) => block.hidden).length;
  const pictured = blocks.filter((block) => block.pictured).length;
  const shown = blocks.slice(0, MOST_BLOCKS);
  return put(
    place,
    h("p", { class: "hint" }, [plural(blocks.length, "block"), `${number(observation.signals?.text_chars ?? 0)} characters`, plural(list(observation.links).length, "link"), hidden ? `${number(hidden)} hidden from sight` : "", pictured ? `${number(pictured)} read in pictures` : "", observation.language ? `language ${observation.language}` : ""].filter(Boolean).join(" · ")),
    h("article", { class: "paper", tabindex: "0", "aria-label": "Text of the page", lang: observation.language || null }, observation.title ? h("p", { class: "doc-title" }, observation.title) : null, shown.map((block) => blockNode(block, quotes)), blocks.length > MOST_BLOCKS ? empty(`and ${number(blocks.length - MOST_BLOCKS)} more blocks`) : null),
    list(observation.seen_text).length ? h("details", { class: "more", open: true }, h("summary", {}, "Added by a look at the picture"), h("ul", {}, observation.seen_text.map((text) => h("li", {}, marked(text, quotes))))) : null,
    links(observation),
    recordSets(observation),
  );
}

function blockNode(block, quotes) {
  const text = marked(block.text, quotes);
  const region = block.region && block.region !== "main" ? block.region : "";
  const attributes = { class: `block ${block.kind} ${region ? "aside" : ""} ${block.hidden ? "hidden-text" : ""} ${block.pictured ? "pictured" : ""}`, title: [region, block.hidden ? "not seen by anybody, kept from minds" : "", block.pictured ? "read in a picture" : ""].filter(Boolean).join(", ") || null };
  if (block.kind === "heading") return h("p", { ...attributes, role: "heading", "aria-level": String(Math.min(6, (block.level || 2) + 2)), class: `${attributes.class} level-${block.level || 2}` }, text);
  if (block.kind === "code") return h("pre", attributes, text);
  return h("p", attributes, text);
}

function links(observation) {
  const found = list(observation.links);
  if (!found.length) return null;
  return h("details", { class: "more" }, h("summary", {}, `Links (${number(found.length)})`), h("ol", { class: "links" }, found.slice(0, 600).map((link) => h("li", { value: link.id, class: link.hidden ? "hidden-text" : "" }, h("b", {}, link.label || "(no words)"), " ", h("span", { class: "dim" }, shortUrl(link.url))))));
}

function recordSets(observation) {
  return list(observation.record_sets).slice(0, 40).map((set) => {
    const records = list(set.records);
    const columns = list(set.columns);
    return h(
      "details",
      { class: "more" },
      h("summary", {}, `${set.kind === "table" ? "Table" : "List"} of ${number(records.length)}${set.caption ? `: ${set.caption.slice(0, 90)}` : list(set.headings).length ? `: ${set.headings.at(-1)}` : ""}`),
      set.kind === "table" && columns.length
        ? h("div", { class: "wide" }, h("table", { class: "plain" }, h("thead", {}, h("tr", {}, columns.map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, records.slice(0, 200).map((record) => h("tr", {}, list(record.fields).map((field) => h("td", {}, field.value)))))))
        : h("ol", {}, records.slice(0, 200).map((record) => h("li", {}, h("b", {}, record.name), record.text !== record.name ? h("span", { class: "dim" }, ` ${record.text}`) : null))),
    );
  });
}
