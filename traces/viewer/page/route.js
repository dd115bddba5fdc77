// What the address names: #run=NAME&view=steps&step=12&call=34&pane=text&words=…, or two runs: #compare=NAME&with=NAME. Each part may
// be left out.

/** @import { Route } from "./types.d.ts" */

export function readRoute() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const count = (/** @type {string} */ name) => (/^\d+$/.test(parts.get(name) ?? "") ? Number(parts.get(name)) : null);
  return {
    run: parts.get("run"),
    view: parts.get("view") ?? "steps",
    step: count("step"),
    call: count("call"),
    pane: parts.get("pane"),
    words: parts.get("words") ?? "",
    compare: parts.get("compare"),
    other: parts.get("with"),
  };
}

/** @param {Route} route */
export function hashOf({ run, view, step, call, pane, words, compare, other }) {
  const named = [
    ["compare", compare],
    ["with", compare ? other : null],
    ["run", run],
    ["view", view === "steps" ? null : view],
    ["step", step],
    ["call", call],
    ["pane", pane],
    ["words", words],
  ];
  const parts = named.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return `#${parts.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join("&")}`;
}

/**
 * @param {Route} route
 * @param {{ replace?: boolean; quiet?: boolean }} [how] `quiet` tells nobody that the address is another
 */
export function goTo(route, { replace = false, quiet = false } = {}) {
  const hash = hashOf(route);
  if (hash === location.hash && quiet) return;
  if (replace || hash === location.hash) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
  if (!quiet) window.dispatchEvent(new Event("route"));
}
