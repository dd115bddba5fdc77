// The newest jobs side by side, those that run first, each with its last picture.

import { ENDED, part, signIn, write } from "./parts.js";

/**
 * @typedef {{ id: string; about: string; kind: string; state: string; pages: number; most_pages: number; last_page: string; run: string; error: string; asks: object | null;
 *   links: Record<string, string> }} JobHead
 */

const MOST = 24;
const AGAIN_MS = 2000;

class JobGrid {
  constructor() {
    /** @type {Map<string, HTMLElement>} By the id of the job. */
    this.cards = new Map();
    /** @type {Map<string, string>} What each picture shows: job to number of pages. */
    this.pictured = new Map();
  }

  async follow() {
    try {
      if (!(await this.read())) return;
    } catch {
      write("state", "The service does not answer; it is asked again.");
    }
    setTimeout(() => void this.follow(), AGAIN_MS);
  }

  /** Whether it may be read again. */
  async read() {
    const answer = await fetch(`/v1/jobs?limit=${MOST}`);
    if (answer.status === 401) {
      signIn();
      return false;
    }
    const said = await answer.json();
    if (answer.ok) this.draw(said.jobs);
    else write("state", said.error);
    return true;
  }

  /** @param {JobHead[]} jobs */
  draw(jobs) {
    const running = jobs.filter((job) => !ENDED.includes(job.state));
    write("state", jobs.length ? `${running.length} of the newest ${jobs.length} go on.` : "No job yet.");
    const order = [...running, ...jobs.filter((job) => ENDED.includes(job.state))];
    part("jobs").replaceChildren(...order.map((job) => this.card(job)));
  }

  /** @param {JobHead} job */
  card(job) {
    const card = this.cards.get(job.id) ?? made(job);
    this.cards.set(job.id, card);
    tell(card, "h2", job.about);
    tell(card, ".state", job.asks === null ? job.state : "asks you");
    tell(card, ".spent", `${job.kind}, ${job.pages} of ${job.most_pages} pages`);
    tell(card, ".last", job.error || job.last_page);
    const bar = /** @type {HTMLProgressElement} */ (card.querySelector("progress"));
    bar.max = job.most_pages;
    bar.value = Math.min(job.pages, job.most_pages);
    this.picture(card, job);
    return card;
  }

  /**
   * A new picture where the job has opened a page since, or has ended.
   * @param {HTMLElement} card
   * @param {JobHead} job
   */
  picture(card, job) {
    const now = `${job.pages} ${job.state}`;
    if (!job.run || this.pictured.get(job.id) === now) return;
    this.pictured.set(job.id, now);
    const picture = /** @type {HTMLImageElement} */ (card.querySelector("img"));
    picture.onload = () => (picture.hidden = false);
    picture.src = `${job.links.self}/picture?at=${encodeURIComponent(now)}`;
  }
}

/** @param {JobHead} job */
function made(job) {
  const template = /** @type {HTMLTemplateElement} */ (part("job"));
  const copy = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
  const card = /** @type {HTMLElement} */ (copy.firstElementChild);
  /** @type {HTMLAnchorElement} */ (card.querySelector("a")).href = job.links.live ?? "";
  return card;
}

/**
 * @param {HTMLElement} card
 * @param {string} where
 * @param {string} text
 */
function tell(card, where, text) {
  const found = card.querySelector(where);
  if (found !== null && found.textContent !== text) found.textContent = text;
}

void new JobGrid().follow();
