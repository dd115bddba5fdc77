// Nodes, numbers and words. Text is only ever set as text: nothing that was recorded is parsed as markup here.

const SVG = "http://www.w3.org/2000/svg";

export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [rule, to] of Object.entries(value)) node.style.setProperty(rule, to);
    else if (name in node && typeof value !== "string" && node.namespaceURI !== SVG) node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false && child !== ""));
  return node;
}

export function put(parent, ...children) {
  parent.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return parent;
}

export function say(words) {
  const place = document.getElementById("said");
  if (place.textContent !== words) place.textContent = words;
}

const whole = new Intl.NumberFormat("en");

export function number(value) {
  return whole.format(Math.round(value));
}

export function plural(count, one, many = `${one}s`) {
  return `${number(count)} ${count === 1 ? one : many}`;
}

export function seconds(value) {
  if (value < 0.0995) return `${Math.round(value * 1000)} ms`;
  if (value < 9.95) return `${value.toFixed(1)} s`;
  if (value < 120) return `${Math.round(value)} s`;
  if (value < 7200) return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
  return `${Math.floor(value / 3600)} h ${Math.round((value % 3600) / 60)} min`;
}

export function day(epoch) {
  return new Date(epoch * 1000).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

export function money(value) {
  return value ? value.toPrecision(value < 0.01 ? 2 : 3).replace(/\.?0+$/, "") : "";
}

export function bytes(count) {
  if (count < 1000) return `${count} B`;
  if (count < 1e6) return `${(count / 1e3).toFixed(1)} KB`;
  return `${(count / 1e6).toFixed(1)} MB`;
}

export function shortUrl(url) {
  try {
    const parts = new URL(url);
    const path = decodeURI(parts.pathname + parts.search);
    return path === "/" ? parts.host : path;
  } catch {
    return url;
  }
}

export function squeezed(text) {
  return text.replace(/\s+/g, " ").trim();
}

export function pill(words, kind = "", title = "") {
  return h("span", { class: `pill ${kind}`, title: title || null }, words);
}

export function card(title, aside, ...children) {
  return h("section", { class: "card", "aria-label": title }, h("header", {}, h("h3", {}, title), aside ? h("div", { class: "aside" }, aside) : null), ...children);
}

export function empty(words) {
  return h("p", { class: "empty" }, words);
}

export function facts(pairs) {
  return h("dl", { class: "facts" }, pairs.filter(([, value]) => value !== "" && value !== null && value !== undefined).map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}
