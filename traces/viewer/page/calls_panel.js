// Calls of models: the messages, the pictures, the raw reply, what was made of it, tokens, price and time.

import { bytes, empty, facts, h, money, number, pill, plural, seconds } from "./dom.js";
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

export function callNode({ event, mind }, { source, run, prices, open, onStep }) {
  const { request = {}, outcome = {}, error, seconds: took } = event.d;
  const reply = outcome ?? {};
  const failed = error || reply.kind;
  const tokens = (reply.prompt_tokens ?? 0) + (reply.completion_tokens ?? 0);
  const cost = ((reply.prompt_tokens ?? 0) * prices.prompt + (reply.completion_tokens ?? 0) * prices.reply) / 1e6;
  const body = h("div", { class: "call-body" });
  const node = h(
    "details",
    { class: "call", id: `call-${event.seq}` },
    h("summary", {}, h("span", { class: "call-name" }, h("b", {}, request.schema_name || request.prompt || "call"), h("span", { class: "dim" }, ` ${request.model ?? ""}`)), h("span", { class: "call-facts" }, failed ? pill(reply.kind ?? "failed", "bad") : null, reply.attempts > 1 ? pill(`${reply.attempts} attempts`, "warn") : null, reply.cached_tokens ? pill(`${number(reply.cached_tokens)} cached`, "good") : null, h("span", {}, tokens ? `${number(tokens)} tokens` : ""), h("span", {}, seconds(took)))),
    body,
  );
  const fill = () => {
    if (node.open && !body.childElementCount) {
      body.append(
        facts([
          ["Prompt", request.prompt], ["Tokens", tokens ? `${number(reply.prompt_tokens)} in (${number(reply.cached_tokens ?? 0)} from the cache), ${number(reply.completion_tokens)} out${reply.estimated ? ", estimated" : ""}` : ""],
          ["Cost", money(cost)], ["Time", seconds(took)], ["Finish", reply.finish], ["Refusal", reply.refusal], ["At most", request.max_tokens ? `${number(request.max_tokens)} tokens` : ""],
          ["Error", error || reply.message], ["Step", onStep ? h("button", { type: "button", class: "link", onclick: () => onStep(event.step, event.seq) }, String(event.step)) : ""],
        ]),
        ...list(request.messages).map((message) => messageNode(message, source, run)),
        reply.reasoning ? messageNode({ role: "reasoning", content: reply.reasoning }, source, run) : "",
        reply.text !== undefined ? messageNode({ role: "reply", content: reply.text }, source, run) : "",
        mind ? h("div", { class: "message parsed" }, h("h4", {}, `Parsed as ${mind.d.seam}.${mind.d.method}`), json(mind.d.outcome)) : "",
        reply.$missing ? empty(reply.$missing) : "",
      );
    }
  };
  node.addEventListener("toggle", fill);
  if (open) {
    node.open = true;
    fill();
  }
  return node;
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

export function callTotals(calls) {
  const sum = (name) => calls.reduce((total, { event }) => total + (event.d.outcome?.[name] ?? 0), 0);
  return `${plural(calls.length, "call")}, ${number(sum("prompt_tokens") + sum("completion_tokens"))} tokens`;
}
