// What the browser showed, with what was known of it laid over: elements, marks, rectangles that text does not carry, what was
// read there, and the crops that were looked at.

import { empty, h, put, s, squeezed } from "./dom.js";
import { list, quotesOf } from "./quotes.js";

const LAYERS = [
  ["elements", "Elements", "Everything to press or read"],
  ["marks", "Numbers", "The number of each element, as a model is shown it"],
  ["blind", "Not in the text", "Rectangles that carry meaning which the text does not"],
  ["regions", "Crops", "Rectangles that were looked at"],
  ["seen", "Read there", "What was read, and where"],
  ["quotes", "Quotes", "Where the findings of this step stand"],
  ["answer", "Answer", "Where the answer stands"],
];
const remembered = new Set(["blind", "seen", "quotes", "answer"]);
const LEAST_SHARED = 12;

export function picturesOf(detail) {
  const found = [];
  for (const event of detail.events) {
    if (event.k !== "call") continue;
    const { seam, method, request, outcome } = event.d;
    if ((seam === "browser" || seam === "picture") && method === "see" && outcome?.picture) {
      found.push({ digest: digestOf(outcome.picture), view: digestOf(outcome.view), label: request?.box ? "Crop" : request?.whole ? "Whole page" : "Window", event });
    }
    for (const message of list(request?.messages)) {
      for (const image of list(message.images)) if (image.data?.$b) found.push({ digest: digestOf(image.data), view: null, label: "Sent to the model", event });
    }
  }
  // What the walk itself looked at comes before what was only kept for people, and a picture is shown once.
  const first = found.filter(({ event }) => event.d.seam !== "picture");
  return [...first, ...found.filter(({ event, digest }) => event.d.seam === "picture" && !first.some((other) => other.digest === digest)).slice(0, 1)];
}

export function digestOf(ref) {
  return ref?.$b?.replace("sha256:", "") ?? "";
}

export function looksOf(detail) {
  return detail.events.filter((event) => event.k === "call" && ["vision", "vision_model"].includes(event.d.seam));
}

export function picturePanel(place, { source, run, detail, observation }) {
  const pictures = picturesOf(detail);
  if (!pictures.length) return put(place, empty("No picture of this step is on record: the page's text was trusted, so nothing was drawn. The recorded page and its text are beside this."));
  const stage = h("div", { class: "stage", tabindex: "0", role: "group", "aria-label": "Screenshot" });
  const tip = h("div", { class: "tip", "aria-live": "polite" }, "Point at a rectangle to see what it is.");
  const strip = h("div", { class: "strip", role: "group", "aria-label": "Pictures of this step" });
  const toggles = h("div", { class: "chips", role: "group", "aria-label": "Layers" });
  put(place, toggles, pictures.length > 1 ? strip : null, stage, tip);
  put(strip, pictures.map((picture) => thumb(picture)));
  show(pictures[0]);

  function thumb(picture) {
    const button = h("button", { type: "button", class: "shot", onclick: () => show(picture) }, h("span", {}, picture.label));
    picture.button = button;
    source.pictureUrl(run, picture.digest).then((url) => button.prepend(h("img", { src: url, alt: "" })), () => button.prepend("missing"));
    return button;
  }

  async function show(picture) {
    for (const other of pictures) other.button?.setAttribute("aria-pressed", String(other === picture));
    try {
      const [url, view] = await Promise.all([source.pictureUrl(run, picture.digest), picture.view ? source.text(run, picture.view).then(JSON.parse).catch(() => null) : null]);
      const image = h("img", { class: "shown", src: url, alt: `${picture.label} of ${view?.url ?? "the page"}` });
      put(stage, image);
      await image.decode().catch(() => null);
      if (view?.shown) layOver(stage, toggles, tip, view, { detail, observation, picture });
      else put(toggles);
    } catch (error) {
      put(stage, empty(`The picture cannot be shown: ${error.message}`));
    }
  }
}

function layOver(stage, toggles, tip, view, known) {
  const { x, y, width, height } = view.shown;
  const overlay = s("svg", { class: "overlay", viewBox: `${x} ${y} ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  const layers = Object.fromEntries(LAYERS.map(([name]) => [name, s("g", { class: `layer ${name}` })]));
  fillLayers(layers, view, known, width);
  overlay.append(...Object.values(layers));
  overlay.addEventListener("pointermove", (event) => {
    const words = event.target.dataset?.words;
    if (words) tip.textContent = words;
  });
  const turn = (name) => layers[name].classList.toggle("off", !remembered.has(name));
  LAYERS.forEach(([name]) => turn(name));
  put(
    toggles,
    LAYERS.filter(([name]) => layers[name].childElementCount).map(([name, label, title]) => {
      const button = h("button", { type: "button", class: `chip layer-${name}`, title, "aria-pressed": String(remembered.has(name)) }, h("span", { class: "swatch", "aria-hidden": "true" }), label, h("span", { class: "dim" }, String(layers[name].dataset.count)));
      button.addEventListener("click", () => {
        if (!remembered.delete(name)) remembered.add(name);
        button.setAttribute("aria-pressed", String(remembered.has(name)));
        turn(name);
      });
      return button;
    }),
  );
  stage.append(overlay);
}

function fillLayers(layers, view, { detail, observation, picture }, width) {
  const add = (name, box, words, kind = "") => {
    if (!box || !(box.width > 0) || !(box.height > 0)) return;
    const place = s("rect", { x: box.x, y: box.y, width: box.width, height: box.height, rx: 2, class: kind });
    place.dataset.words = words;
    layers[name].append(place);
  };
  const looked = looksOf(detail);
  for (const [id, kind, role, name, text, x, y, w, height, , , , , , , , unseen] of list(view.map?.elements)) {
    add("elements", { x, y, width: w, height }, `${id}  ${role}  ${name || text}${unseen ? `  (nobody sees it: ${unseen})` : ""}`, `${kind}${unseen ? " hidden" : ""}`);
    if (kind === "control" || kind === "link") {
      const size = Math.max(9, Math.min(15, width / 95));
      layers.marks.append(s("g", {}, s("rect", { x, y: Math.max(view.shown.y, y - size), width: size * (0.75 + 0.6 * String(id).length), height: size * 1.15, rx: 2 }), s("text", { x: x + size * 0.35, y: Math.max(view.shown.y, y - size) + size * 0.92, "font-size": size }, String(id))));
    }
  }
  for (const { words } of quotesOf(detail)) {
    for (const element of list(view.map?.elements)) {
      const text = squeezed(element[4] || "");
      if (text && (text.includes(words) || (text.length >= LEAST_SHARED && words.includes(text)))) add("quotes", { x: element[5], y: element[6], width: element[7], height: element[8] }, `quoted: ${words}`);
    }
  }
  for (const region of list(observation?.blind)) add("blind", region.box, `${region.kind} that the text does not carry  ${region.heading || region.near || ""}`);
  for (const event of looked) {
    for (const box of list(event.d.request?.regions)) add("regions", box, `looked at by ${event.d.outcome?.model ?? event.d.seam}`);
    for (const seen of list(event.d.outcome?.seen)) add("seen", seen.box, `${seen.source}: ${seen.text}${seen.confidence < 1 ? `  (${Math.round((seen.confidence ?? 1) * 100)} %)` : ""}`, seen.source);
    add("answer", event.d.outcome?.answer_box, `answer: ${event.d.outcome?.answer}`);
  }
  for (const event of detail.events) {
    const box = event.d?.request?.box;
    if (event.k === "call" && event.d.method === "see" && box && event !== picture.event) add("regions", box, `drawn anew at ${event.d.request.scale} times its size`, "crop");
  }
  for (const layer of Object.values(layers)) layer.dataset.count = String(layer.childElementCount);
}
