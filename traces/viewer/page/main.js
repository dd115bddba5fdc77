// The page of the viewer: which view is shown, and where keys go.

import { comparePage } from "./compare_page.js";
import { readRoute } from "./route.js";
import { runPage } from "./run_page.js";
import { runsPage } from "./runs_page.js";
import { openSource } from "./source.js";

const app = document.getElementById("app");
const source = openSource();
const single = document.documentElement.dataset.run ?? null;
const { opening } = document.documentElement.dataset;
let shown = { name: undefined, page: null };

function turnTo() {
  const { run, compare, other } = readRoute();
  const isPair = compare !== null && other !== null;
  const name = isPair ? `${compare}/${other}` : run ?? single;
  if (name === shown.name) {
    shown.page.route?.();
    return;
  }
  shown.page?.leave();
  shown = { name, page: isPair ? comparePage(app, source, compare, other) : name === null ? runsPage(app, source) : runPage(app, source, name, { single: single !== null }) };
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const field = event.target.closest?.("input, textarea, select");
  if (field && field.type !== "checkbox") {
    if (event.key === "Escape") field.blur();
    return;
  }
  if (event.target.closest?.("[role=tablist], .paper, .stage, pre, .map-box") && event.key.startsWith("Arrow")) return;
  if (shown.page?.key?.(event)) event.preventDefault();
}

window.addEventListener("hashchange", turnTo);
window.addEventListener("route", turnTo);
window.addEventListener("keydown", onKey);
if (opening && !location.hash) history.replaceState(null, "", `#${opening}`);
turnTo();
