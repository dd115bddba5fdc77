// The page of a job while it runs.

import { ENDED, part, signIn, write } from "./parts.js";

/**
 * @typedef {{ number: number; kind: string; text: string; url: string; until: number; choices: { text: string; detail: string; url: string }[] }} Asks
 * @typedef {{ id: string; about: string; kind: string; state: string; created: number; ended: number; pages: number; most_pages: number; most_seconds: number; run: string; error: string;
 *   asks: Asks | null; window: string; links: Record<string, string>; request: Record<string, any>; result: Record<string, any> | null }} Job
 */

const MOST_LISTED = 200;
const OF_THE_JOB = ["job.started", "job.restarted", "job.paused", "job.asks", "job.answered", "job.ended"];
const job = decodeURIComponent(location.pathname.split("/").pop() ?? "");
const key = new URLSearchParams(location.search).get("key");

/** @param {string} path */
function addressOf(path) {
  return key === null ? path : `${path}?key=${encodeURIComponent(key)}`;
}

/** @param {Record<string, any>} result */
function shown(result) {
  const data = result.data === undefined ? "" : JSON.stringify(result.data);
  const nearest = result.nearest ? `Not sure. Nearest: ${result.nearest}` : "";
  return String(result.answer || data || nearest || `None (${result.stop_reason}).`);
}

class LivePage {
  constructor() {
    this.drawing = 0;
    /** @type {Job | null} */
    this.job = null;
    this.control = false;
    /** Pages that events told of. */
    this.seen = 0;
    /** @type {EventSource | null} */
    this.events = null;
  }

  async start() {
    const rights = await fetch(addressOf("/v1/rights"));
    if (rights.status === 401) {
      signIn();
      return;
    }
    this.control = (await rights.json()).control;
    await this.read();
    if (this.job === null) return;
    part("main").hidden = false;
    this.follow();
    setInterval(() => this.drawBudgets(), 1000);
  }

  async read() {
    const answer = await fetch(addressOf(`/v1/jobs/${job}`));
    const said = await answer.json();
    if (!answer.ok) {
      write("state", said.error);
      return;
    }
    this.job = said;
    this.draw();
  }

  follow() {
    this.events = new EventSource(addressOf(`/v1/jobs/${job}/events`));
    const kinds = [
      "page.open",
      "page",
      "page.fail",
      "gate",
      "look",
      "findings",
      "verdict",
      "move",
      "refusal",
      "fields",
      "run.end",
    ];
    for (const kind of [...kinds, ...OF_THE_JOB]) {
      this.events.addEventListener(kind, (event) => this.take(kind, JSON.parse(event.data).data ?? {}));
    }
  }

  /**
   * @param {string} kind
   * @param {Record<string, any>} data
   */
  take(kind, data) {
    this.list(kind, data);
    if (kind === "page.open" || kind === "page") {
      // A page of hits is Walker's own, and in no budget.
      if (!String(data.final_url || data.url).startsWith("https://library.invalid/")) this.seen += 1;
      write("page", [data.title, data.final_url || data.url].filter(Boolean).join(" · "));
    } else if (kind === "move") {
      write("move", `${data.move} ${data.url ?? ""}`);
      write("why", data.reason ?? "");
    } else if (kind === "verdict" && data.answer) {
      write("answer", data.answer);
      write("more", `confidence ${Number(data.confidence).toFixed(2)}, ${data.reason || "no more is known"}`);
    } else if (kind.startsWith("job.")) {
      this.turn(kind);
    }
    if (kind !== "page") this.drawPicture();
  }

  /** @param {string} kind */
  turn(kind) {
    if (kind === "job.restarted") this.seen = 0;
    if (kind === "job.ended") this.events?.close();
    void this.read();
  }

  /**
   * @param {string} kind
   * @param {Record<string, any>} data
   */
  list(kind, data) {
    const line = document.createElement("li");
    const told = data.final_url ?? data.url ?? data.answer ?? data.state ?? data.choice ?? "";
    line.textContent = `${kind} ${String(told).slice(0, 200)}`;
    const events = part("events");
    events.prepend(line);
    if (events.children.length > MOST_LISTED) events.lastElementChild?.remove();
  }

  drawPicture() {
    clearTimeout(this.drawing);
    this.drawing = setTimeout(() => {
      const picture = /** @type {HTMLImageElement} */ (part("picture"));
      picture.onload = () => (picture.hidden = false);
      const path = addressOf(`/v1/jobs/${job}/picture`);
      picture.src = `${path}${path.includes("?") ? "&" : "?"}at=${Date.now()}`;
    }, 300);
  }

  draw() {
    const now = this.job;
    if (now === null) return;
    const start = String(now.request.root ?? now.request.url ?? now.request.start?.[0] ?? "");
    write("what", now.about);
    write("where", start);
    write("state", now.state);
    const isPaused = ["paused", "interrupted"].includes(now.state);
    part("buttons").hidden = !this.control || ENDED.includes(now.state);
    part("pause").hidden = isPaused;
    part("resume").hidden = !isPaused;
    this.drawAsked(now.asks);
    if (now.error) write("more", now.error);
    if (now.result !== null) write("answer", shown(now.result));
    this.drawBudgets();
  }

  /**
   * What the walk asks, a button for each choice.
   * @param {Asks | null} asks
   */
  drawAsked(asks) {
    part("asks").hidden = asks === null;
    part("choices").replaceChildren(...(asks?.choices ?? []).map((choice, place) => this.choice(choice, place + 1)));
    const isWindow = asks !== null && ["challenge page", "login wall"].includes(asks.kind);
    write("asks-text", asks?.text ?? "");
    write("asks-window", isWindow ? (this.job?.window ?? "") : "");
    part("without").hidden = !this.control;
  }

  /**
   * @param {{ text: string; detail: string; url: string }} choice
   * @param {number} number
   */
  choice(choice, number) {
    const line = document.createElement("li");
    const button = document.createElement("button");
    button.disabled = !this.control;
    for (const [name, text] of [
      ["choice", choice.text],
      ["detail", choice.detail],
      ["place", choice.url],
    ]) {
      if (!text) continue;
      const told = document.createElement("span");
      told.className = name;
      told.textContent = text;
      button.append(told);
    }
    button.addEventListener("click", () => void this.answer(number));
    line.append(button);
    return line;
  }

  /** @param {number} choice */
  async answer(choice) {
    const asks = this.job?.asks;
    if (!asks) return;
    for (const button of part("asks").querySelectorAll("button")) button.disabled = true;
    await this.change("answer", { number: asks.number, choice });
    /** @type {HTMLButtonElement} */ (part("without")).disabled = false;
  }

  drawBudgets() {
    const now = this.job;
    if (now === null) return;
    if (now.asks) {
      const left = Math.max(0, Math.round(now.asks.until - Date.now() / 1000));
      const who = this.control ? "" : " Whoever holds the token of the service may choose.";
      write("asks-left", `It goes on without in ${left} s.${who}`);
    }
    const seconds = (now.ended || Date.now() / 1000) - now.created;
    this.drawBudget("pages", Math.max(this.seen, now.pages), now.most_pages);
    this.drawBudget("seconds", Math.round(seconds), now.most_seconds);
  }

  /**
   * @param {string} id
   * @param {number} spent
   * @param {number} most
   */
  drawBudget(id, spent, most) {
    const bar = /** @type {HTMLProgressElement} */ (part(id));
    bar.max = most;
    bar.value = Math.min(spent, most);
    write(`${id}-told`, `${spent} of ${most}`);
  }

  /**
   * @param {string} what
   * @param {Record<string, number> | null} body
   */
  async change(what, body = null) {
    const sent = body === null ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    const answer = await fetch(`/v1/jobs/${job}/${what}`, { method: "POST", ...sent });
    if (!answer.ok) write("state", (await answer.json()).error);
    else await this.read();
  }
}

const page = new LivePage();
for (const what of ["pause", "resume", "stop"]) part(what).addEventListener("click", () => void page.change(what));
part("without").addEventListener("click", () => void page.answer(0));
void page.start();
