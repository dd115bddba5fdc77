"""Sets the clock and the random numbers of a page, in the page's own world only: our scripts, which live in another, keep theirs."""

from __future__ import annotations

import msgspec

TICK_MS = 16.0
"""What a pinned clock goes on with each read: a frame, so that what waits for time to pass or moves with it comes to its end."""

_CONTROLS = r"""(({began, tick, seed}) => {
  const Real = Date, realNow = Real.now, apply = Reflect.apply, construct = Reflect.construct;
  const ahead = began * 1000 - realNow();
  let reads = 0;
  const now = tick ? () => Math.floor(began * 1000) + (reads += 1) * tick : () => realNow() + ahead;
  globalThis.Date = new Proxy(Real, {
    apply: () => new Real(now()).toString(),
    construct: (target, given, kind) => construct(target, given.length ? given : [now()], kind),
  });
  Real.prototype.constructor = globalThis.Date;
  Real.now = () => now();

  let state = seed;
  for (const letter of location.href) state = Math.imul(state ^ letter.codePointAt(0), 0x01000193) >>> 0;
  const draw = () => {
    state = (state + 0x6D2B79F5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  Math.random = () => draw() / 4294967296;
  if (!tick) return;

  let frames = 0;
  const since = () => (frames += 1) * tick;
  Performance.prototype.now = function () { return since(); };
  Object.defineProperty(Performance.prototype, 'timeOrigin', {configurable: true, get: () => Math.floor(began * 1000)});
  const frame = globalThis.requestAnimationFrame;
  globalThis.requestAnimationFrame = (step) => frame(() => step(since()));
  const fill = (bytes) => { for (let at = 0; at < bytes.length; at += 1) bytes[at] = draw(); };
  Crypto.prototype.getRandomValues = function (values) {
    fill(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    return values;
  };
  if (Crypto.prototype.randomUUID) Crypto.prototype.randomUUID = function () {
    const bytes = new Uint8Array(16);
    fill(bytes);
    bytes[6] = (bytes[6] & 15) | 64;
    bytes[8] = (bytes[8] & 63) | 128;
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  };
})"""
"""Random numbers are mulberry32, from a seed and the address of the document; ids have the form of RFC 9562, version 4."""


def running_clock(began: float, *, seed: int = 1) -> str:
    """The script for a clock that starts at a moment (seconds since the epoch) and runs on."""
    return _call(began, 0.0, seed)


def pinned_clock(began: float, *, seed: int = 1) -> str:
    """The script for a clock that starts at a moment in every document and goes on when it is read, and then only."""
    return _call(began, TICK_MS, seed)


def _call(began: float, tick: float, seed: int) -> str:
    return f"{_CONTROLS}({msgspec.json.encode({'began': began, 'tick': tick, 'seed': seed}).decode()})"
