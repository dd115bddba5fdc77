// Two walks beside each other: what was decided otherwise first and why, what came of it, and every step of both, aligned.

import { card, empty, h, money, number, pill, plural, put, say, seconds, shortUrl } from "./dom.js";
import { apart, brief } from "./values.js";
import { hashOf } from "./route.js";
import { label, rowsOf } from "./run_page.js";
import { stateKind, stateWord } from "./runs_page.js";
import { marks } from "./timeline.js";

const MOST_DRAWN = 200;
const COSTS = { pages: ["Pages", number], looks: ["Looks", number], model_calls: ["Model calls", number], prompt_tokens: ["Tokens in", number], completion_tokens: ["Tokens out", number], seconds: ["Time", seconds] };
const CHOICES = { read: "read", glance: "glanced", look: "looked" };

export function comparePage(place, source, one, other) {
  const main = h("main", { id: "main", class: "compare", tabindex: "-1" }, h("p", { class: "opening" }, "Comparing the two walks…"));
  const back = h("a", { class: "back", href: "#" }, "‹ Runs");
  const turn = h("a", { class: "plain", href: hashOf({ compare: other, other: one }) }, "Swap sides");
  put(place, h("header", { class: "top compare-top" }, back, h("h1", {}, "Two walks compared"), turn), main);
  document.title = "Two walks compared · Walker";
  let pairs = null;

  async function load() {
    try {
      const [left, right, diff] = await Promise.all([source.json(one, "overview"), source.json(other, "overview"), source.json(one, "diff", other)]);
      if (!place.contains(main)) return;
      const sides = [left, right].map((overview, at) => side(source, [one, other][at], overview));
      pairs = pairList(diff, sides);
      put(main, heads(sides), oneSite(diff), answers(diff), why(diff, pairs.show), settings(diff), pairs.node);
      document.title = `${left.summary.question} · compared · Walker`;
      say(diff.is_equal ? "The walks are equal" : `${plural(pairs.count, "step")} differ`);
    } catch (error) {
      put(main, empty(`These two cannot be compared here: ${error.message}`));
    }
  }

  load();
  return {
    leave: () => null,
    key: (event) => {
      if (event.key === "g") location.hash = "";
      else if (pairs && ["n", "j", "p", "k"].includes(event.key)) pairs.go(event.key === "n" || event.key === "j" ? 1 : -1);
      else return false;
      return true;
    },
  };
}

function side(source, name, overview) {
  const rows = rowsOf(overview);
  label(rows);
  return { name, overview, summary: overview.summary, rows: new Map(rows.map((row) => [row.step, row])), pictureUrl: (digest) => source.pictureUrl(name, digest) };
}

function heads(sides) {
  return h(
    "div",
    { class: "sides heads" },
    sides.map(({ name, summary }, at) =>
      h(
        "section",
        { class: "card", "aria-label": `Walk ${"AB"[at]}` },
        h("header", {}, h("h2", {}, h("span", { class: `letter side-${"ab"[at]}` }, "AB"[at]), h("a", { href: hashOf({ run: name }) }, summary.question || name)), pill(stateWord(summary), stateKind(summary))),
        h("p", { class: "says" }, summary.answer || "no answer"),
        h("p", { class: "dim small site" }, summary.model || "built-in minds", " · ", name),
      ),
    ),
  );
}

// Where the walks began at different origins, one page is another by its path.
function oneSite(diff) {
  return diff.origins.map(([left, right]) => h("p", { class: "dim small one-site" }, "Taken for one site: ", h("b", {}, left), " in A and ", h("b", {}, right), " in B."));
}

function answers(diff) {
  const line = (name, left, right, isOther) => h("tr", { class: isOther ? "differs" : "" }, h("th", { scope: "row" }, name), h("td", { "data-label": "A" }, left), h("td", { "data-label": "B" }, right));
  const costs = Object.entries(diff.cost).filter(([, [left, right]]) => left || right);
  const end = diff.end.map((one) => { const [left, right] = apart(one.expected, one.got); return line(one.field.replaceAll("_", " "), left, right, true); });
  return card("Outcome and cost", diff.end.length ? plural(diff.end.length, "difference") : "the same outcome", sideTable("Outcome and cost", [...end, ...costs.map(([name, [left, right]]) => line(COSTS[name]?.[0] ?? name, told(name, left), told(name, right), left !== right && name !== "seconds"))]));
}

function told(name, value) {
  return (COSTS[name]?.[1] ?? money)(value) || "0";
}

function sideTable(name, lines) {
  return h("table", { class: "plain versus" }, h("caption", { class: "unseen" }, name), h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "unseen" }, "What")), h("th", { scope: "col" }, "A"), h("th", { scope: "col" }, "B"))), h("tbody", {}, lines));
}

function settings(diff) {
  if (!diff.settings.length) return null;
  return card("Set otherwise", plural(diff.settings.length, "setting"), sideTable("Set otherwise", diff.settings.map((one) => h("tr", { class: "differs" }, h("th", { scope: "row" }, one.field), h("td", { "data-label": "A" }, brief(one.expected)), h("td", { "data-label": "B" }, brief(one.got))))));
}

// From what was decided otherwise first back to what it came from.
function why(diff, show) {
  if (diff.is_equal) return h("p", { class: "verdict good" }, `Equal: ${plural(diff.pairs.length, "step")}, the same decisions, findings and answer.`);
  if (!diff.chain.length && !diff.first) return null;
  const first = diff.first;
  const where = (cause) => (cause.one_step || cause.other_step ? h("button", { type: "button", class: "link", onclick: () => show(cause.one_step, cause.other_step) }, `step ${numbers(cause.one_step, cause.other_step)}`) : null);
  return card(
    "Why they differ",
    first ? h("button", { type: "button", class: "link", onclick: () => show(first.one, first.other) }, `first difference: step ${numbers(first.one, first.other)}`) : null,
    diff.chain.length
      ? h("ol", { class: "chain" }, diff.chain.map((cause, at) => {
          const [left, right] = apart(cause.one, cause.other);
          return h("li", {}, h("p", {}, at ? h("span", { class: "dim" }, "because ") : null, h("b", {}, words(cause)), " ", where(cause)), valuePair(left, right));
        }))
      : h("p", { class: "dim" }, "Nothing was decided otherwise on a page that both walks read."),
  );
}

function words(cause) {
  return `${cause.stage} ${cause.field}`.trim().replaceAll("_", " ");
}

function numbers(one, other) {
  return one === other || !one || !other ? String(one || other) : `${one} | ${other}`;
}

function valuePair(left, right) {
  return h("div", { class: "values" }, h("div", {}, h("span", { class: "letter side-a" }, "A"), h("span", { class: "value" }, left)), h("div", {}, h("span", { class: "letter side-b" }, "B"), h("span", { class: "value" }, right)));
}

// Steps of both walks. Those that are equal lie folded together; a step of one walk alone shifts nothing.
function pairList(diff, sides) {
  const isOther = (pair) => !pair.one || !pair.other || pair.differences.length > 0;
  const groups = [];
  for (const pair of diff.pairs) {
    if (isOther(pair) || !groups.length || isOther(groups.at(-1)[0])) groups.push([pair]);
    else groups.at(-1).push(pair);
  }
  const others = diff.pairs.filter(isOther);
  const list = h("ol", { class: "pairs" });
  const more = h("button", { type: "button", class: "plain", onclick: () => extend(MOST_DRAWN) });
  let drawn = 0;
  extend(MOST_DRAWN);

  function extend(count) {
    for (const end = Math.min(groups.length, drawn + count); drawn < end; drawn += 1) {
      const group = groups[drawn];
      list.append(isOther(group[0]) ? pairNode(group[0]) : foldNode(group));
    }
    more.hidden = drawn === groups.length;
    more.textContent = `Show more (${number(groups.length - drawn)})`;
  }

  function foldNode(group) {
    const inner = h("ol", { class: "pairs" });
    const [from, to] = [group[0], group.at(-1)];
    const name = group.length === 1 ? `Step ${numbers(from.one, from.other)} is equal` : `${plural(group.length, "equal step")}: ${numbers(from.one, from.other)} to ${numbers(to.one, to.other)}`;
    const node = h("details", { class: "fold", ontoggle: () => { if (node.open && !inner.childElementCount) fill(0); } }, h("summary", {}, name, group.length === 1 ? h("span", { class: "dim" }, ` ${from.title || shortUrl(from.url)}`) : null), inner);
    const fill = (start) => {
      inner.append(...group.slice(start, start + MOST_DRAWN).map(pairNode));
      const left = group.length - start - MOST_DRAWN;
      if (left > 0) inner.append(h("li", {}, h("button", { type: "button", class: "plain", onclick: (event) => { event.target.parentNode.remove(); fill(start + MOST_DRAWN); } }, `Show more (${number(left)})`)));
    };
    return h("li", {}, node);
  }

  function pairNode(pair) {
    const isFirst = diff.first && pair.one === diff.first.one && pair.other === diff.first.other;
    const alone = !pair.other ? "only in A" : !pair.one ? "only in B" : "";
    const stages = pair.differences.map((one) => one.stage).join(", ");
    const name = `Step ${numbers(pair.one, pair.other)}, ${pair.title || shortUrl(pair.url)}: ${alone || (stages ? `differs in ${stages}` : "equal")}`;
    return h(
      "li",
      { class: `pair-of ${isOther(pair) ? "differs" : ""} ${alone ? "alone" : ""}`, id: idOf(pair.one, pair.other), tabindex: isOther(pair) ? "-1" : null, "aria-label": isOther(pair) ? name : null },
      isFirst ? pill("first difference", "bad") : null,
      h("div", { class: "sides" }, sideNode(pair.one, sides[0], "A", alone), sideNode(pair.other, sides[1], "B", alone)),
      pair.differences.length ? h("ul", { class: "differences" }, pair.differences.map((one) => { const [left, right] = apart(one.one, one.other); return h("li", {}, h("p", {}, h("b", {}, one.stage), h("span", { class: "dim" }, ` ${one.field.replaceAll("_", " ")}`)), valuePair(left, right)); })) : null,
    );
  }

  function show(one, other) {
    const at = groups.findIndex((group) => group.some((pair) => pair.one === one && pair.other === other));
    if (at < 0) return;
    if (at >= drawn) extend(at - drawn + MOST_DRAWN);
    const fold = list.children[at].querySelector("details.fold");
    if (fold) fold.open = true;
    const node = document.getElementById(idOf(one, other)) ?? list.children[at];
    node.tabIndex = -1;
    node.focus({ preventScroll: true });
    node.scrollIntoView({ block: "center" });
  }

  function go(by) {
    const here = document.activeElement?.closest(".pair-of")?.id;
    const at = others.findIndex((pair) => idOf(pair.one, pair.other) === here);
    const next = others[at < 0 ? (by > 0 ? 0 : others.length - 1) : at + by];
    if (next) show(next.one, next.other);
  }

  const alone = (name) => others.filter((pair) => !pair[name]).length;
  const aside = [others.length ? plural(others.length - alone("one") - alone("other"), "step differs", "steps differ") : "all equal", alone("other") ? `${number(alone("other"))} only in A` : "", alone("one") ? `${number(alone("one"))} only in B` : ""].filter(Boolean).join(", ");
  const node = card("Steps", aside, others.length ? h("p", { class: "hint" }, h("kbd", {}, "n"), "and ", h("kbd", {}, "p"), "go from difference to difference. Steps are aligned by page and place on the stack.") : null, list, more);
  return { node, show, go, count: others.length };
}

function idOf(one, other) {
  return `pair-${one}-${other}`;
}

function sideNode(step, { name, rows, pictureUrl }, letter, alone) {
  const head = h("span", { class: `letter side-${letter.toLowerCase()}` }, letter);
  if (!step) return h("div", { class: "side-of none" }, head, h("span", { class: "dim" }, `no such step in ${letter}`));
  const row = rows.get(step);
  if (!row) return h("div", { class: "side-of" }, head, `step ${step}`);
  const thumb = row.picture ? h("div", { class: "thumb", "aria-hidden": "true" }) : null;
  if (thumb) pictureUrl(row.picture).then((url) => thumb.append(h("img", { src: url, alt: "" })), () => thumb.classList.add("gone"));
  const scores = [row.score >= 0 ? `understood ${row.score.toFixed(0)}` : "", row.trust >= 0 ? `trust ${row.trust.toFixed(1)} of ${number(row.threshold)}` : "", CHOICES[row.choice] ?? row.outcome, row.move ? `then ${row.move.toLowerCase()}` : ""].filter(Boolean);
  return h(
    "div",
    { class: `side-of ${alone ? "only" : ""}` },
    head,
    thumb,
    h("div", { class: "what" }, h("a", { href: hashOf({ run: name, step }) }, h("span", { class: "dim" }, `${step} `), row.label), h("p", { class: "dim small" }, scores.join(" · "))),
    h("div", { class: "marks" }, marks(row)),
  );
}
