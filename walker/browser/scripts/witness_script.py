"""Runs in every document of a walk whose network is recorded, before its own scripts: whether the page reads the clock or random
numbers, and whether what it was given shows. Nothing that the page gets is another than without it."""

WITNESS = r"""
(() => {
  const MOST_VALUES = 12, MOST_MARKUP = 500000;
  const apply = Reflect.apply, construct = Reflect.construct, later = setTimeout.bind(globalThis);
  const RealDate = Date, print = RealDate.prototype, now = RealDate.now;
  const iso = print.toISOString, local = print.toLocaleTimeString, spoken = print.toTimeString;
  const told = {clock: [], random: []}, reads = {clock: 0, random: 0}, changed = {clock: 0, random: 0};
  const fresh = {clock: false, random: false};
  let ending = false;
  const note = (kind, value) => {
    reads[kind] += 1;
    if (told[kind].length < MOST_VALUES) told[kind].push(value);
    fresh[kind] = true;
    if (!ending) { ending = true; later(() => { ending = fresh.clock = fresh.random = false; }, 0); }
    return value;
  };
  const watch = (owner, name, seen) => {
    const real = owner?.[name];
    if (typeof real !== 'function') return;
    owner[name] = new Proxy(real, {apply: (target, self, given) => seen(apply(target, self, given))});
  };
  watch(RealDate, 'now', (value) => note('clock', value));
  globalThis.Date = new Proxy(RealDate, {
    apply: (target, self, given) => { note('clock', now()); return apply(target, self, given); },
    construct: (target, given, kind) => {
      const made = construct(target, given, kind);
      if (given.length === 0) note('clock', +made);
      return made;
    },
  });
  RealDate.prototype.constructor = globalThis.Date;
  watch(Math, 'random', (value) => note('random', value));
  const crypto = globalThis.Crypto?.prototype;
  watch(crypto, 'randomUUID', (value) => note('random', value));
  watch(crypto, 'getRandomValues', (values) => { note('random', Number(values[0])); return values; });

  // A change to the page in the very turn in which it read: of what is seen, not of scripts that it loads.
  const SILENT = new Set(['SCRIPT', 'LINK', 'META', 'STYLE', 'NOSCRIPT', 'IFRAME']);
  const isSeen = (node) => !!node && !SILENT.has((node.nodeType === 1 ? node : node.parentNode)?.nodeName);
  new MutationObserver((records) => {
    if (!fresh.clock && !fresh.random) return;
    if (!records.some((one) => one.type === 'childList' ? [...one.addedNodes].some(isSeen) : isSeen(one.target))) return;
    for (const kind of ['clock', 'random']) if (fresh[kind]) { changed[kind] += 1; fresh[kind] = false; }
  }).observe(document, {childList: true, characterData: true, subtree: true});

  const formsOf = {
    clock: (value) => {
      const then = new RealDate(value);
      if (isNaN(then)) return [];
      return [String(value), String(Math.floor(value / 1000)), value.toString(36), apply(iso, then, []).slice(11, 16),
              apply(local, then, []), apply(spoken, then, []).slice(0, 5)];
    },
    random: (value) => typeof value === 'string' || value >= 1
      ? [String(value)]
      : [String(value).slice(2, 9), value.toString(36).slice(2, 8), value.toString(16).slice(2, 9)],
  };
  const SHORTEST = {clock: 5, random: 6};
  const stands = (markup, form) => {
    for (let at = markup.indexOf(form); at >= 0; at = markup.indexOf(form, at + 1))
      if (!/[0-9]/.test((markup[at - 1] ?? '') + (markup[at + form.length] ?? ''))) return true;
    return false;
  };
  const isIn = {clock: stands, random: (markup, form) => markup.includes(form)};
  const shows = (kind, markup) => told[kind].some((value) =>
    formsOf[kind](value).some((form) => form.length >= SHORTEST[kind] && isIn[kind](markup, form)));
  Object.defineProperty(globalThis, Symbol.for('walker.witness'), {value: () => {
    const markup = (document.documentElement?.outerHTML ?? '').slice(0, MOST_MARKUP);
    return ['clock', 'random'].map((kind) =>
      ({kind, reads: reads[kind], changed: changed[kind], shows: shows(kind, markup)}));
  }});
})();
"""
"""In the page's own world, where its scripts are. Values that were given are looked for in the markup in the forms that pages write
them in: a time as milliseconds, seconds, base 36 and time of the day; a random number by its first digits, a UUID whole."""

TAKE_WITNESS = "() => globalThis[Symbol.for('walker.witness')]?.() ?? []"
