// What a page still has to do: requests that its scripts wait for, timers that they set, and whether they hear of
// scrolling. A page that looks finished may be filled by a timer of ten seconds, and one that ends may go on when
// somebody scrolls; neither can be told from its document. Kept in the page's own world, where its scripts are, and
// asked for from ours (../pending_work.js).

import { watchListeners } from "./watched_uses.js";

// Shorter ones are over before anybody asks; what is set later was set by something that came of itself.
const LEAST_MS = 500;
const MOST_MS = 15000;
// They come after their time, the more so on a machine that is busy.
const LATE_MS = 300;
// The text of an answer is read in a turn of its own.
const READING_MS = 50;

// As they were before the page could change them.
const { apply } = Reflect;
const now = performance.now.bind(performance);
const listen = EventTarget.prototype.addEventListener;
const { setTimeout: startTimer, fetch: request, IntersectionObserver: Observer } = window;

const work = { requests: 0, due: 0, scrolls: false };

/** Counts what is pending from now on, and tells it when it is asked. */
export function watchPendingWork() {
  const page = document;
  const send = page.dispatchEvent.bind(page);
  const Told = CustomEvent;
  const write = JSON.stringify;
  watchTimers();
  watchRequests();
  watchScrolling();
  const tell = () => {
    const handled = window.onscroll ?? page.onscroll ?? page.body?.onscroll;
    const { requests, due, scrolls } = work;
    send(new Told("walker-pending-work", { detail: write({ requests, due, scrolls: scrolls || Boolean(handled) }) }));
  };
  apply(listen, page, ["walker-pending-work?", tell]);
}

function watchTimers() {
  let loaded = Infinity;
  const noteLoaded = () => {
    loaded = now();
  };
  addEventListener("load", noteLoaded, { once: true });
  Object.assign(window, {
    /**
     * @param {any} handler
     * @param {any} delay
     * @param {any[]} rest
     */
    setTimeout: function setTimeout(handler, delay, ...rest) {
      if (delay >= LEAST_MS && delay <= MOST_MS && now() - loaded < LEAST_MS)
        work.due = Math.max(work.due, now() + Number(delay) + LATE_MS);
      return apply(startTimer, window, [handler, delay, ...rest]);
    },
  });
}

function watchRequests() {
  const end = () => {
    work.requests -= 1;
  };
  if (request)
    window.fetch = function fetch(...given) {
      const answer = apply(request, window, given);
      work.requests += 1;
      answer.then(() => startTimer(end, READING_MS), end);
      return answer;
    };
  const { send: sendRequest } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.send = function send(...given) {
    work.requests += 1;
    try {
      this.addEventListener("loadend", end, { once: true });
      apply(sendRequest, this, given);
    } catch (error) {
      end();
      throw error;
    }
  };
}

function watchScrolling() {
  watchListeners(/^(?:scroll|scrollend|wheel)$/, () => {
    work.scrolls = true;
  });
  if (Observer)
    window.IntersectionObserver = class IntersectionObserver extends Observer {
      /** @param {ConstructorParameters<typeof Observer>} given */
      constructor(...given) {
        super(...given);
        work.scrolls = true;
      }
    };
}
