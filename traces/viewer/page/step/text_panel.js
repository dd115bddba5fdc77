// The page as the reader took it, which is what every strategy was given: text under its headings, links, tables, controls.

/** @import { Attributes, Block, Child, Observation, Quote, RecordSet } from "../types.d.ts" */

import { h, put } from "../elements/dom.js";
import { marked } from "../elements/marked.js";
import { dim, empty, more, table } from "../elements/parts.js";
import { number, plural, shortUrl } from "../elements/words.js";
import { list } from "../record/values.js";

const MOST_BLOCKS = 1500;
const MOST_LINKS = 600;
const MOST_SETS = 40;
const MOST_RECORDS = 200;
const MOST_CAPTION = 90;
/** A page's headings stand under the title of the step. */
const HEADINGS_ABOVE = 2;

/**
 * @param {Element} place
 * @param {Observation | null} observation
 * @param {readonly Quote[]} quotes
 */
export function textPanel(place, observation, quotes) {
  if (!observation) {
    put(place, empty("No text of this step is on record."));
    return;
  }
  const seen = list(observation.seen_text);
  put(
    place,
    h("p", { class: "hint" }, summaryOf(observation)),
    paper(observation, quotes),
    seen.length ? more("Added by a look at the picture", true, h("ul", {}, seenTexts(seen, quotes))) : null,
    linkList(observation),
    list(observation.record_sets).slice(0, MOST_SETS).map(recordSet),
  );
}

/** @param {Observation} observation */
function summaryOf(observation) {
  const blocks = list(observation.blocks);
  const hidden = blocks.filter((block) => block.hidden).length;
  const pictured = blocks.filter((block) => block.pictured).length;
  const parts = [
    plural(blocks.length, "block"),
    `${number(observation.signals?.text_chars ?? 0)} characters`,
    plural(list(observation.links).length, "link"),
    hidden ? `${number(hidden)} hidden from sight` : "",
    pictured ? `${number(pictured)} read in pictures` : "",
    observation.language ? `language ${observation.language}` : "",
  ];
  return parts.filter(Boolean).join(" · ");
}

/**
 * @param {Observation} observation
 * @param {readonly Quote[]} quotes
 */
function paper({ blocks, title, language }, quotes) {
  const shown = list(blocks).slice(0, MOST_BLOCKS);
  const left = list(blocks).length - shown.length;
  return h(
    "article",
    { class: "paper", tabindex: "0", "aria-label": "Text of the page", lang: language || null },
    title ? h("p", { class: "doc-title" }, title) : null,
    shown.map((block) => blockNode(block, quotes)),
    left ? empty(`and ${number(left)} more blocks`) : null,
  );
}

/**
 * @param {Block} block
 * @param {readonly Quote[]} quotes
 */
function blockNode(block, quotes) {
  const text = marked(block.text, quotes);
  const aside = block.region && block.region !== "main" ? block.region : "";
  const classes = ["block", block.kind, aside ? "aside" : "", ...flagsOf(block, "hidden-text", "pictured")];
  const notes = [aside, ...flagsOf(block, "not seen by anybody, kept from strategies", "read in a picture")];
  const attributes = { class: classes.filter(Boolean).join(" "), title: notes.filter(Boolean).join(", ") || null };
  if (block.kind === "heading") return headingNode(block.level || 2, attributes, text);
  return h(block.kind === "code" ? "pre" : "p", attributes, text);
}

/**
 * @param {Block} block
 * @param {string} ifHidden
 * @param {string} ifPictured
 */
function flagsOf({ hidden, pictured }, ifHidden, ifPictured) {
  return [hidden ? ifHidden : "", pictured ? ifPictured : ""];
}

/**
 * @param {number} level
 * @param {Attributes & { class: string }} attributes
 * @param {Child} text
 */
function headingNode(level, attributes, text) {
  const heading = { role: "heading", "aria-level": String(Math.min(6, level + HEADINGS_ABOVE)) };
  return h("p", { ...attributes, ...heading, class: `${attributes.class} level-${level}` }, text);
}

/**
 * @param {readonly string[]} texts
 * @param {readonly Quote[]} quotes
 */
function seenTexts(texts, quotes) {
  return texts.map((text) => h("li", {}, marked(text, quotes)));
}

/** @param {Observation} observation */
function linkList({ links }) {
  const found = list(links);
  if (!found.length) return null;
  const rows = found.slice(0, MOST_LINKS).map((link) => {
    const attributes = { value: link.id, class: link.hidden ? "hidden-text" : "" };
    return h("li", attributes, h("b", {}, link.label || "(no words)"), " ", dim(shortUrl(link.url)));
  });
  return more(`Links (${number(found.length)})`, false, h("ol", { class: "links" }, rows));
}

/** @param {RecordSet} set */
function recordSet(set) {
  const isTable = set.kind === "table" && list(set.columns).length > 0;
  return more(nameOf(set), false, isTable ? recordTable(set) : recordList(set));
}

/** @param {RecordSet} set */
function nameOf({ kind, records, caption, headings }) {
  const about = caption ? caption.slice(0, MOST_CAPTION) : list(headings).at(-1);
  return `${kind === "table" ? "Table" : "List"} of ${number(list(records).length)}${about ? `: ${about}` : ""}`;
}

/** @param {RecordSet} set */
function recordTable({ columns, records }) {
  const head = list(columns).map((name) => h("th", { scope: "col" }, name));
  const body = list(records)
    .slice(0, MOST_RECORDS)
    .map(({ fields }) =>
      h(
        "tr",
        {},
        list(fields).map((field) => h("td", {}, field.value)),
      ),
    );
  return h("div", { class: "wide" }, table("", { class: "plain", head, body }));
}

/** @param {RecordSet} set */
function recordList({ records }) {
  const rows = list(records)
    .slice(0, MOST_RECORDS)
    .map(({ name, text }) => h("li", {}, h("b", {}, name), text === name ? null : dim(` ${text}`)));
  return h("ol", {}, rows);
}
