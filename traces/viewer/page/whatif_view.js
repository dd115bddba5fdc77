// Other thresholds and weights of the gate: which pages flip, what is saved, where the walk would leave its tape. The gate's own
// code says for each decision up to which threshold the text is trusted; here numbers are only compared.

import { card, empty, h, number, pill, plural, put, s, say, shortUrl } from "./dom.js";

const BARS = 50;
const MOST_FLIPS = 400;
const WEIGHT_WORDS = { intercept: "To begin with", understanding: "How well the text is understood", answered: "The text answers the question", blind: "Meaning outside the text", gap: "What is asked for is not spoken of" };
const KINDS = { read: "", glance: "look", look: "look" };

// What these thresholds would have decided; null is the walk's own.
export function scenario(cases, tau, tau2) {
  const flips = [];
  const dropped = new Set();
  const count = { glance: 0, look: 0, read: 0 };
  for (const one of cases) {
    if (one.is_second && dropped.has(one.step)) continue; // without a glance nobody asks for a look
    const given = one.is_second ? tau2 : tau;
    const becomes = given === null ? one.own : given <= one.read_up_to ? "read" : one.otherwise;
    count[becomes] += 1;
    if (becomes === one.was) continue;
    flips.push({ ...one, becomes });
    if (one.was === "glance") dropped.add(one.step);
  }
  const before = (choice) => cases.filter((one) => one.was === choice).length;
  const [glancesBefore, looksBefore] = [before("glance"), before("look")];
  return { flips, glances: count.glance, looks: count.look, glancesBefore, looksBefore, saved: glancesBefore + looksBefore - count.glance - count.look, leaves: flips.length ? Math.min(...flips.map((flip) => flip.step)) : 0 };
}

export function whatifView(place, slider, { onStep, ask }) {
  if (!slider.cases.length) return put(place, empty("No page of this walk came to the gate: there is nothing to decide otherwise."));
  let { cases } = slider;
  let tau = null;
  let tau2 = null;
  let asked = 0;
  let telling = 0;
  const weights = { ...slider.own_weights };
  const result = h("div", { class: "whatif-result" });
  const first = h("div", {});
  const second = h("div", {});
  const heavy = h("details", { class: "more" }, h("summary", {}, "Weights of the gate"));
  const reset = h("button", { type: "button", class: "plain", onclick: back }, "As recorded");
  put(
    place,
    card("What if the gate had decided otherwise?", reset, h("p", { class: "hint" }, `${plural(cases.length, "decision")} scored again from the terms on the tape; nothing is asked of a model. What comes behind the step at which the walk leaves its tape is not known: walker replay --with tau=… finds out.`), first, second, heavy),
    result,
  );
  sliders();
  draw();

  function sliders() {
    put(first, threshold("Threshold of the glance (tau)", slider.tau, false, () => tau, (value) => { tau = value; }));
    put(second, slider.tau2 === null ? "" : threshold("Threshold of the look by a vision model (tau2)", slider.tau2, true, () => tau2, (value) => { tau2 = value; }));
    if (ask) put(heavy, heavy.firstChild, Object.keys(weights).map(weight), h("p", { class: "hint" }, "Times the input of that name; what each adds to the log odds of the trust stands with every step."));
    else put(heavy, heavy.firstChild, h("p", { class: "hint" }, "Other weights need the code of the gate: open the run with walker view, or use walker whatif --weights FILE."));
  }

  function threshold(label, own, isSecond, now, set) {
    const bars = h("div", { class: "spread" });
    const shown = h("output", {});
    const input = h("input", { type: "range", min: "0", max: "100", step: String(slider.grid), "aria-label": label, oninput: () => { set(Number(input.value)); draw(); } });
    const tell = () => {
      const value = now() ?? own;
      if (Number(input.value) !== value) input.value = String(value);
      shown.textContent = now() === null ? `${value}, as recorded` : `${value} (recorded: ${own})`;
      input.setAttribute("aria-valuetext", shown.textContent);
      spread(bars, cases.filter((one) => one.is_second === isSecond), value, isSecond ? "No vision model was set for this walk" : "No page has anything to look at");
    };
    const node = h("label", { class: "slider" }, h("span", { class: "slider-words" }, h("span", {}, label), shown), bars, input);
    node.addEventListener("tell", tell);
    return node;
  }

  function weight(name) {
    const shown = h("output", {});
    const input = h("input", { type: "range", min: "-10", max: "10", step: "0.1", "aria-label": `Weight: ${WEIGHT_WORDS[name] ?? name}`, oninput: () => { weights[name] = Number(input.value); tell(); weigh(); } });
    const tell = () => {
      input.value = String(weights[name]);
      shown.textContent = `${weights[name]} (recorded: ${slider.own_weights[name]})`;
    };
    const node = h("label", { class: "slider weight" }, h("span", { class: "slider-words" }, h("span", {}, WEIGHT_WORDS[name] ?? name), shown), input);
    node.addEventListener("tell", tell);
    tell();
    return node;
  }

  // While a weight is dragged only the last answer counts.
  async function weigh() {
    const turn = (asked += 1);
    try {
      const next = await ask(Object.values(weights));
      if (turn !== asked) return;
      cases = next.cases;
      draw();
    } catch (error) {
      if (turn === asked) put(result, empty(`These weights cannot be tried: ${error.message}`));
    }
  }

  function back() {
    asked += 1;
    tau = tau2 = null;
    cases = slider.cases;
    Object.assign(weights, slider.own_weights);
    draw();
  }

  function draw() {
    for (const node of place.querySelectorAll(".slider")) node.dispatchEvent(new Event("tell"));
    const found = scenario(cases, tau, tau2);
    reset.disabled = tau === null && tau2 === null && cases === slider.cases;
    put(result, outcome(found), flipsTable(found));
    clearTimeout(telling);
    telling = setTimeout(() => say(`${plural(found.flips.length, "page")} flip, ${savedWords(found)}`), 400);
  }

  function outcome(found) {
    const tile = (value, words, kind = "") => h("div", { class: `tile ${kind}` }, h("b", { class: "huge" }, value), h("span", { class: "dim" }, words));
    const leaves = found.leaves ? h("button", { type: "button", class: "link huge", onclick: () => onStep(found.leaves) }, `step ${found.leaves}`) : "stays";
    return h(
      "div",
      { class: "tiles" },
      tile(number(found.flips.length), found.flips.length === 1 ? "page flips" : "pages flip"),
      tile(number(found.glances), `glances; ${number(found.glancesBefore)} as recorded`),
      tile(number(found.looks), `looks of a vision model; ${number(found.looksBefore)} as recorded`),
      tile(`${found.saved > 0 ? "−" : found.saved < 0 ? "+" : ""}${number(Math.abs(found.saved))}`, found.saved > 0 ? "pictures saved" : found.saved < 0 ? "more pictures" : "pictures more or less", found.saved > 0 ? "good" : found.saved < 0 ? "warn" : ""),
      tile(leaves, found.leaves ? "is where the walk would leave its tape" : "the walk would not leave its tape"),
    );
  }

  function flipsTable(found) {
    if (!found.flips.length) return empty("No page flips.");
    const line = (flip) => {
      const given = flip.is_second ? tau2 : tau;
      const limit = (given ?? (flip.is_second ? slider.tau2 : slider.tau)) * flip.lowering;
      return h("tr", {}, h("td", {}, h("button", { type: "button", class: "link", onclick: () => onStep(flip.step) }, String(flip.step))), h("th", { scope: "row" }, flip.title || shortUrl(flip.url), flip.step === found.leaves ? h("span", { class: "dim block small" }, "leaves the tape here") : null), h("td", {}, pill(flip.was, KINDS[flip.was]), " → ", pill(flip.becomes, KINDS[flip.becomes])), h("td", { class: "number" }, flip.trust.toFixed(1)), h("td", { class: "number" }, limit.toFixed(1)));
    };
    return h("div", { class: "wide" }, h("table", { class: "plain flips" }, h("caption", { class: "unseen" }, "Pages that flip"), h("thead", {}, h("tr", {}, ["Step", "Page", "Decision", "Trust", "Threshold"].map((name, at) => h("th", { scope: "col", class: at > 2 ? "number" : "" }, name)))), h("tbody", {}, found.flips.slice(0, MOST_FLIPS).map(line))), found.flips.length > MOST_FLIPS ? empty(`and ${number(found.flips.length - MOST_FLIPS)} more`) : null);
  }
}

function savedWords(found) {
  if (found.saved > 0) return `${plural(found.saved, "picture")} saved`;
  return found.saved < 0 ? `${plural(-found.saved, "picture")} more` : "as many pictures as before";
}

// How many pages flip at which threshold, on the scale of the slider below: those left of the handle are not read from their text.
function spread(place, cases, value, nothing) {
  const counts = new Array(BARS).fill(0);
  const movable = cases.filter((one) => one.otherwise !== "read");
  for (const one of movable) counts[Math.min(BARS - 1, Math.floor((one.read_up_to / 100) * BARS))] += 1;
  const most = Math.max(1, ...counts);
  const bars = counts.map((count, at) => count ? s("rect", { x: at * 2 + 0.2, width: 1.6, y: 26 - (count / most) * 24 - 2, height: (count / most) * 24 + 2, class: (at + 0.5) * (100 / BARS) < value ? "below" : "" }) : null).filter(Boolean);
  const words = movable.length ? `${plural(movable.length, "page")} with something to look at, by the threshold up to which the text is trusted` : `${nothing}: no threshold changes that`;
  put(place, s("svg", { viewBox: "0 0 100 26", preserveAspectRatio: "none", role: "img", "aria-label": words }, s("title", {}, words), bars), movable.length ? "" : h("p", { class: "dim small" }, words));
}
