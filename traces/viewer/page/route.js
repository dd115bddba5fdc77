// What the address names: #run=NAME&view=steps&step=12&call=34&pane=text&words=…, or two runs: #compare=NAME&with=NAME. Each part may be left out.

export function readRoute() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const count = (name) => (/^\d+$/.test(parts.get(name) ?? "") ? Number(parts.get(name)) : null);
  return { run: parts.get("run"), view: parts.get("view") ?? "steps", step: count("step"), call: count("call"), pane: parts.get("pane"), words: parts.get("words") ?? "", compare: parts.get("compare"), other: parts.get("with") };
}

export function hashOf(route) {
  const parts = [];
  if (route.compare) parts.push(`compare=${encodeURIComponent(route.compare)}`, `with=${encodeURIComponent(route.other)}`);
  if (route.run) parts.push(`run=${encodeURIComponent(route.run)}`);
  if (route.view && route.view !== "steps") parts.push(`view=${route.view}`);
  if (route.step !== null && route.step !== undefined) parts.push(`step=${route.step}`);
  if (route.call !== null && route.call !== undefined) parts.push(`call=${route.call}`);
  if (route.pane) parts.push(`pane=${route.pane}`);
  if (route.words) parts.push(`words=${encodeURIComponent(route.words)}`);
  return `#${parts.join("&")}`;
}

export function goTo(route, { replace = false, quiet = false } = {}) {
  const hash = hashOf(route);
  if (hash === location.hash && quiet) return;
  if (replace || hash === location.hash) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
  if (!quiet) window.dispatchEvent(new Event("route"));
}
