// The page of the viewer: which view is shown, and where keys go.

/** @import { ShownPage } from "./types.d.ts" */

import { takeKey } from "./answer_key.js";
import { ComparePage } from "./compare/compare_page.js";
import { readRoute } from "./route.js";
import { RunPage } from "./run/run_page.js";
import { RunsPage } from "./runs/runs_page.js";
import { openSource } from "./source.js";

/** Where keys write. */
const FIELDS = "input:not([type=checkbox]), textarea, select";
/** What arrow keys scroll, or go through. */
const SCROLLED = "[role=tablist], .paper, .stage, pre, .map-box";

const app = /** @type {Element} */ (document.getElementById("app"));
const source = openSource();
const { opening, run: single = null } = document.documentElement.dataset;

/** @type {{ name: string | undefined; page: ShownPage | null }} */
const shown = { name: undefined, page: null };

function turnTo() {
  const { run, compare, other } = readRoute();
  const name = compare !== null && other !== null ? `compare ${compare}/${other}` : `run ${run ?? single ?? ""}`;
  if (name === shown.name) {
    shown.page?.route?.();
    return;
  }
  shown.page?.leave();
  shown.name = name;
  shown.page = pageOf(run ?? single, compare, other);
}

/**
 * @param {string | null} run
 * @param {string | null} compare
 * @param {string | null} other
 */
function pageOf(run, compare, other) {
  if (compare !== null && other !== null) return new ComparePage(app, source, compare, other);
  return run === null ? new RunsPage(app, source) : new RunPage(app, source, run, single !== null);
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const target = event.target instanceof Element ? event.target : null;
  const field = target?.closest(FIELDS);
  if (field instanceof HTMLElement) {
    if (event.key === "Escape") field.blur();
    return;
  }
  if (target?.closest(SCROLLED) && event.key.startsWith("Arrow")) return;
  if (shown.page?.key(event)) event.preventDefault();
}

window.addEventListener("hashchange", turnTo);
window.addEventListener("route", turnTo);
window.addEventListener("keydown", onKey);
const hasKey = takeKey();
if (opening && !location.hash) history.replaceState(null, "", `#${opening}`);
void hasKey.finally(turnTo);
