"""Runs in every document of a walk whose network is recorded, before its own scripts: keeps the messages of event streams, which
the driver does not tell of. What the page gets is not changed."""

EVENT_SOURCES = r"""
(() => {
  const Real = globalThis.EventSource;
  if (!Real) return;
  const MOST_MESSAGES = 2000, MOST_CHARS = 4000000;
  const streams = [], origin = performance.timeOrigin, tick = performance.now.bind(performance);
  const listen = EventTarget.prototype.addEventListener, apply = Reflect.apply;
  const now = () => (origin + tick()) / 1000;
  const follow = (source) => {
    const stream = {url: source.url, at: now(), messages: [], dropped: 0, is_closed: false};
    const heard = new Set();
    let messages = 0, chars = 0;
    const keep = (event) => {
      const text = String(event.data);
      messages += 1; chars += text.length;
      if (messages > MOST_MESSAGES || chars > MOST_CHARS) { stream.dropped += 1; return; }
      stream.messages.push({at: now(), text, event: event.type, id: event.lastEventId});
    };
    const hear = (name) => {
      if (heard.has(name) || name === 'open' || name === 'error') return;
      heard.add(name);
      apply(listen, source, [name, keep]);
    };
    hear('message');
    // Events of another name reach those alone who listen for it.
    Object.defineProperty(source, 'addEventListener', {configurable: true, writable: true, value: function (name, ...rest) {
      hear(String(name));
      return apply(listen, this, [name, ...rest]);
    }});
    apply(listen, source, ['error', () => { stream.is_closed ||= source.readyState === 2; }]);
    streams.push(stream);
  };
  globalThis.EventSource = new Proxy(Real, {construct: (target, given, kind) => {
    const made = Reflect.construct(target, given, kind);
    follow(made);
    return made;
  }});
  Real.prototype.constructor = globalThis.EventSource;
  Object.defineProperty(globalThis, Symbol.for('walker.streams'), {value: () =>
    streams.map((stream, number) => {
      const part = {...stream, key: `${origin} ${number}`};
      stream.messages = []; stream.dropped = 0;
      return part;
    })});
})();
"""

TAKE_EVENTS = "() => globalThis[Symbol.for('walker.streams')]?.() ?? []"
"""Each stream with what came since it was asked last."""
