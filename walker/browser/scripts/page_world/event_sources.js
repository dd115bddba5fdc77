// Keeps the messages of event streams, which the driver does not tell of. Runs in every document of a walk whose
// network is recorded, before its own scripts; what the page gets is not changed.

const MOST_MESSAGES = 2000;
const MOST_CHARS = 4000000;
const CLOSED = 2;

// As they were before the page could change them.
const { apply, construct } = Reflect;
const listen = EventTarget.prototype.addEventListener;
const origin = performance.timeOrigin;
const tick = performance.now.bind(performance);

/**
 * @typedef {object} Stream
 * @property {string} url
 * @property {number} at when it was opened, in seconds since the epoch
 * @property {{at: number, text: string, event: string, id: string}[]} messages
 * @property {number} dropped messages that were too many
 * @property {boolean} is_closed
 */

/** @type {Stream[]} */
const streams = [];

/** Follows every event stream that the page opens from now on. */
export function watchEventSources() {
  const Real = globalThis.EventSource;
  if (!Real) return;
  globalThis.EventSource = new Proxy(Real, {
    construct: (target, given, kind) => {
      const made = construct(target, given, kind);
      follow(made);
      return made;
    },
  });
  Real.prototype.constructor = globalThis.EventSource;
  Object.defineProperty(globalThis, Symbol.for("walker.streams"), { value: takeStreams });
}

function takeStreams() {
  return streams.map((stream, number) => {
    const part = { ...stream, key: `${origin} ${number}` };
    stream.messages = [];
    stream.dropped = 0;
    return part;
  });
}

/** @returns {number} seconds since the epoch */
function now() {
  return (origin + tick()) / 1000;
}

/** @param {EventSource} source */
function follow(source) {
  /** @type {Stream} */
  const stream = { url: source.url, at: now(), messages: [], dropped: 0, is_closed: false };
  const keep = keeperOf(stream);
  const heard = new Set(["open", "error"]);
  const hear = (/** @type {string} */ name) => {
    if (heard.has(name)) return;
    heard.add(name);
    apply(listen, source, [name, keep]);
  };
  hear("message");
  // Events of another name reach those alone who listen for it.
  Object.defineProperty(source, "addEventListener", {
    configurable: true,
    writable: true,
    value: function addEventListener(/** @type {unknown} */ name, /** @type {any[]} */ ...rest) {
      hear(String(name));
      return apply(listen, this, [name, ...rest]);
    },
  });
  const noteClosed = () => {
    stream.is_closed ||= source.readyState === CLOSED;
  };
  apply(listen, source, ["error", noteClosed]);
  streams.push(stream);
}

/**
 * @param {Stream} stream
 * @returns {(event: MessageEvent) => void} keeps its messages within bounds
 */
function keeperOf(stream) {
  let messages = 0;
  let chars = 0;
  return (event) => {
    const text = String(event.data);
    messages += 1;
    chars += text.length;
    if (messages > MOST_MESSAGES || chars > MOST_CHARS) stream.dropped += 1;
    else stream.messages.push({ at: now(), text, event: event.type, id: event.lastEventId });
  };
}
