// Calls of models: the messages, the pictures, the raw reply, what was made of it, tokens, price and time.

/** @import { CallContext, CallRow, Child, EdgeOutcome, EdgeRequest, Message, ModelCall } from "../types.d.ts" */

import { h, put } from "../elements/dom.js";
import { dim, empty, facts, json, linkButton, pill } from "../elements/parts.js";
import { bytes, messageOf, money, number, plural, seconds } from "../elements/words.js";
import { digestOf, list } from "../record/values.js";

/** Characters of a failure that fit into a pill. */
const SHORT = 24;

/**
 * One call, its words fetched when it is opened.
 * @param {CallRow} row
 * @param {() => Promise<ModelCall | undefined>} load
 * @param {CallContext} context
 */
export function callNode(row, load, context) {
  const body = h("div", { class: "call-body" });
  const node = h("details", { class: "call", id: `call-${row.seq}` }, summaryOf(row, Boolean(context.onStep)), body);
  const fill = async () => {
    if (!node.open || body.childElementCount) return;
    put(body, h("p", { class: "dim" }, "…"));
    try {
      const call = await load();
      put(body, call ? callBody(call, row, context) : empty("The call is not on record."));
    } catch (error) {
      put(body, empty(`The call cannot be shown: ${messageOf(error)}`));
    }
  };
  node.addEventListener("toggle", fill);
  if (context.open) {
    node.open = true;
    fill();
  }
  return node;
}

/** @param {readonly CallRow[]} rows */
export function callTotals(rows) {
  const tokens = rows.reduce((total, row) => total + row.prompt_tokens + row.completion_tokens, 0);
  return `${plural(rows.length, "call")}, ${number(tokens)} tokens`;
}

/**
 * @param {CallRow} row
 * @param {boolean} namesStep
 */
function summaryOf(row, namesStep) {
  const tokens = row.prompt_tokens + row.completion_tokens;
  const failed = row.failed ? pill(row.failed.length < SHORT ? row.failed : "failed", "bad", row.failed) : null;
  const step = namesStep ? dim(`${row.step}  `) : null;
  return h(
    "summary",
    {},
    h("span", { class: "call-name" }, step, h("b", {}, row.name || "call"), dim(` ${row.model ?? ""}`)),
    h(
      "span",
      { class: "call-facts" },
      failed,
      row.attempts > 1 ? pill(`${row.attempts} attempts`, "warn") : null,
      row.cached_tokens ? pill(`${number(row.cached_tokens)} cached`, "good") : null,
      h("span", {}, tokens ? `${number(tokens)} tokens` : ""),
      h("span", {}, seconds(row.seconds)),
    ),
  );
}

/**
 * @param {ModelCall} call
 * @param {CallRow} row
 * @param {CallContext} context
 * @returns {Child}
 */
function callBody({ event, strategy }, row, context) {
  const request = event.d.request ?? {};
  const reply = event.d.outcome ?? {};
  return [
    callFacts(request, reply, event.d.error, row, context),
    request.$missing ? empty(request.$missing) : null,
    list(request.messages).map((message) => messageNode(message, context)),
    reply.reasoning ? messageNode({ role: "reasoning", content: reply.reasoning }, context) : null,
    reply.text !== undefined ? messageNode({ role: "reply", content: reply.text }, context) : null,
    strategy ? parsedNode(strategy) : null,
    reply.$missing ? empty(reply.$missing) : null,
  ];
}

/** @param {NonNullable<ModelCall["strategy"]>} strategy */
function parsedNode({ d }) {
  return h("div", { class: "message parsed" }, h("h4", {}, `Parsed as ${d.seam}.${d.method}`), json(d.outcome));
}

/**
 * @param {EdgeRequest} request
 * @param {EdgeOutcome} reply
 * @param {string} error
 * @param {CallRow} row
 * @param {CallContext} context
 */
function callFacts(request, reply, error, row, { prices, onStep }) {
  const cost = (row.prompt_tokens * prices.prompt + row.completion_tokens * prices.reply) / 1e6;
  return facts([
    ["Prompt", request.prompt],
    ["Tokens", tokenWords(row, reply)],
    ["Cost", money(cost)],
    ["Time", seconds(row.seconds)],
    ["Finish", reply.finish],
    ["Refusal", reply.refusal],
    ["At most", request.max_tokens ? `${number(request.max_tokens)} tokens` : ""],
    ["Error", error || reply.message],
    ["Step", onStep ? linkButton(String(row.step), () => onStep(row.step, row.seq)) : ""],
  ]);
}

/**
 * @param {CallRow} row
 * @param {EdgeOutcome} reply
 */
function tokenWords(row, reply) {
  if (!row.prompt_tokens && !row.completion_tokens) return "";
  const sent = `${number(row.prompt_tokens)} in (${number(row.cached_tokens)} from the cache)`;
  return `${sent}, ${number(row.completion_tokens)} out${reply.estimated ? ", estimated" : ""}`;
}

/**
 * @param {Message} message
 * @param {CallContext} context
 */
function messageNode({ role, content, images }, context) {
  const size = bytes(new Blob([content ?? ""]).size);
  const pictures = list(images).map((image) => pictureNode(image, context));
  return h(
    "div",
    { class: `message ${role}` },
    h("h4", {}, role, dim(` ${size}`)),
    h("pre", { tabindex: "0" }, content || "(empty)"),
    pictures.length ? h("div", { class: "strip" }, pictures) : null,
  );
}

/**
 * A picture that a model was sent.
 * @param {NonNullable<Message["images"]>[number]} image
 * @param {CallContext} context
 */
function pictureNode({ data, width, height, tokens }, { source, run }) {
  const size = `${width} × ${height}`;
  const caption = h("figcaption", { class: "dim small" }, `${size}, ${tokens} tokens`);
  const node = h("figure", {}, caption);
  source.pictureUrl(run, digestOf(data)).then(
    (src) => node.prepend(h("img", { src, alt: `Picture sent to the model, ${size}` })),
    () => node.replaceWith(pill("picture missing", "bad")),
  );
  return node;
}
