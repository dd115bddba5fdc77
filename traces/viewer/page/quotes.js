// Quotes within texts: found however the white space falls, and marked.

import { h } from "./dom.js";

export function quotesOf(detail) {
  const quotes = new Map();
  const add = (quote, kind) => {
    const words = typeof quote === "string" ? quote.replace(/\s+/g, " ").trim() : "";
    if (words.length >= 2 && (!quotes.has(words) || kind === "cited")) quotes.set(words, kind);
  };
  for (const event of detail.events) {
    if (event.k === "findings") for (const finding of list(event.d.findings)) add(finding.quote, "found");
    if (event.k === "counter") for (const item of list(event.d.added)) add(item.quote || item.name, "found");
    if (event.k === "verdict") for (const citation of list(event.d.citations)) add(citation.quote, "cited");
  }
  return [...quotes].map(([words, kind]) => ({ words, kind }));
}

export function list(value) {
  return Array.isArray(value) ? value : [];
}

// Places of the quotes in a text as [start, end, kind], in order, none within another.
export function placesOf(text, quotes) {
  const { squeezed, places } = squeeze(text);
  const found = [];
  for (const { words, kind } of quotes) {
    for (const part of words.split(" | ").length > 1 && !squeezed.includes(words) ? words.split(" | ") : [words]) {
      if (part.length < 2) continue;
      let at = squeezed.indexOf(part);
      for (let times = 0; at >= 0 && times < 20; times += 1) {
        found.push([places[at], places[at + part.length - 1] + 1, kind]);
        at = squeezed.indexOf(part, at + part.length);
      }
    }
  }
  found.sort((one, other) => one[0] - other[0] || other[1] - one[1]);
  const apart = [];
  for (const place of found) if (!apart.length || place[0] >= apart.at(-1)[1]) apart.push(place);
  return apart;
}

export function marked(text, quotes) {
  const parts = [];
  let at = 0;
  for (const [start, end, kind] of placesOf(text, quotes)) {
    parts.push(text.slice(at, start), h("mark", { class: kind }, text.slice(start, end)));
    at = end;
  }
  parts.push(text.slice(at));
  return parts.filter((part) => part !== "");
}

function squeeze(text) {
  let squeezed = "";
  const places = [];
  let gap = true;
  for (let at = 0; at < text.length; at += 1) {
    const isSpace = /\s/.test(text[at]);
    if (isSpace && gap) continue;
    squeezed += isSpace ? " " : text[at];
    places.push(at);
    gap = isSpace;
  }
  return { squeezed, places };
}
