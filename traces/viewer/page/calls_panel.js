// Calls of models: the messages, the pictures, the raw reply, what was made of it, tokens, price and time.

import { bytes, empty, facts, h, money, number, pill, plural, put, seconds } from "./dom.js";
import { list } from "./quotes.js";
import { digestOf } from "./picture_panel.js";

const MINDS = ["explorer", "critic", "vision", "vision_model"];

// Calls of models with the call of the mind that made them, which ends behind them and says what was parsed.
export function modelCalls(events) {
  const calls = events.filter((event) => event.k === "call");
  return calls
    .filter((event) => event.d.seam === "chat")
    .map((event) => {
      const began = event.t - event.d.seconds * 1e6;
      const mind = calls.find((other) => MINDS.includes(other.d.seam) && other.seq > event.seq && other.t - other.d.seconds * 1e6 <= began + 1000 && fits(other, event));
      return { event, mind };
    });
}

function fits(mind, event) {
  const schema = event.d.request?.schema_name ?? "";
  if (schema.startsWith("critic")) return mind.d.seam === "critic" && mind.d.method === schema.replace("critic_", "");
  if (schema === "look") return mind.d.seam.startsWith("vision");
  if (schema.startsWith("explor")) return mind.d.seam === "explorer";
  return true;
}

// What the list of calls says of each; the calls of a step are told in the same words.
export function rowOf({ event }) {
  const { request, outcome, error, seconds: took } = event.d;
  return { seq: event.seq, step: event.step, seconds: took, name: request?.schema_name || request?.prompt, model: request?.model, prompt_tokens: outcome?.prompt_tokens ?? 0, completion_tokens: outcome?.completion_tokens ?? 0, cached_tokens: outcome?.cached_tokens ?? 0, attempts: outcome?.attempts ?? 1, failed: outcome?.kind || error };
}

// One call, its words fetched when it is opened. `load` gives the event of the call and that of the mind behind it.
export function callNode(row, load, { source, run, prices, open, onStep }) {
  const tokens = row.prompt_tokens + row.completion_tokens;
  const body = h("div", { class: "call-body" });
  const node = h(
    "details",
    { class: "call", id: `call-${row.seq}` },
    h("summary", {}, h("span", { class: "call-name" }, onStep ? h("span", { class: "dim" }, `${row.step}  `) : null, h("b", {}, row.name || "call"), h("span", { class: "dim" }, ` ${row.model ?? ""}`)), h("span", { class: "call-facts" }, row.failed ? pill(row.failed.length < 24 ? row.failed : "failed", "bad", row.failed) : null, row.attempts > 1 ? pill(`${row.attempts} attempts`, "warn") : null, row.cached_tokens ? pill(`${number(row.cached_tokens)} cached`, "good") : null, h("span", {}, tokens ? `${number(tokens)} tokens` : ""), h("span", {}, seconds(row.seconds)))),
    body,
  );
  const fill = async () => {
    if (!node.open || body.childElementCount) return;
    put(body, h("p", { class: "dim" }, "…"));
    try {
      const one = await load();
      put(body, one ? callBody(one, row, { source, run, prices, onStep }) : empty("The call is not on record."));
    } catch (error) {
      put(body, empty(`The call cannot be shown: ${error.message}`));
    }
  };
  node.addEventListener("toggle", fill);
  if (open) {
    node.open = true;
    fill();
  }
  return node;
}

function callBody({ event, mind }, row, { source, run, prices, onStep }) {
  const { request = {}, outcome, error } = event.d;
  const reply = outcome ?? {};
  const cost = (row.prompt_tokens * prices.prompt + row.completion_tokens * prices.reply) / 1e6;
  return [
    facts([
      ["Prompt", request.prompt], ["Tokens", row.prompt_tokens + row.completion_tokens ? `${number(row.prompt_tokens)} in (${number(row.cached_tokens)} from the cache), ${number(row.completion_tokens)} out${reply.estimated ? ", estimated" : ""}` : ""],
      ["Cost", money(cost)], ["Time", seconds(row.seconds)], ["Finish", reply.finish], ["Refusal", reply.refusal], ["At most", request.max_tokens ? `${number(request.max_tokens)} tokens` : ""],
      ["Error", error || reply.message], ["Step", onStep ? h("button", { type: "button", class: "link", onclick: () => onStep(row.step, row.seq) }, String(row.step)) : ""],
    ]),
    request.$missing ? empty(request.$missing) : null,
    list(request.messages).map((message) => messageNode(message, source, run)),
    reply.reasoning ? messageNode({ role: "reasoning", content: reply.reasoning }, source, run) : null,
    reply.text !== undefined ? messageNode({ role: "reply", content: reply.text }, source, run) : null,
    mind ? h("div", { class: "message parsed" }, h("h4", {}, `Parsed as ${mind.d.seam}.${mind.d.method}`), json(mind.d.outcome)) : null,
    reply.$missing ? empty(reply.$missing) : null,
  ];
}

function messageNode(message, source, run) {
  const pictures = h("div", { class: "strip" });
  for (const image of list(message.images)) {
    source.pictureUrl(run, digestOf(image.data)).then((url) => pictures.append(h("figure", {}, h("img", { src: url, alt: `Picture sent to the model, ${image.width} × ${image.height}` }), h("figcaption", { class: "dim small" }, `${image.width} × ${image.height}, ${image.tokens} tokens`))), () => pictures.append(pill("picture missing", "bad")));
  }
  return h("div", { class: `message ${message.role}` }, h("h4", {}, message.role, h("span", { class: "dim" }, ` ${bytes(new Blob([message.content ?? ""]).size)}`)), h("pre", { tabindex: "0" }, message.content || "(empty)"), list(message.images).length ? pictures : null);
}

export function json(value) {
  return h("pre", { class: "json", tabindex: "0" }, JSON.stringify(value, null, 2) ?? "null");
}

export function callTotals(rows) {
  return `${plural(rows.length, "call")}, ${number(rows.reduce((total, row) => total + row.prompt_tokens + row.completion_tokens, 0))} tokens`;
}
