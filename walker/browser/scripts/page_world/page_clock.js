// Sets the clock and the random numbers of a page, in the page's own world only: our scripts, which live in another,
// keep theirs.

// Multipliers of mulberry32, and of the hash that mixes the address into the seed (FNV-1a).
const STEP = 0x6d2b79f5;
const HASH = 0x01000193;
const RANGE = 4294967296;

/**
 * @param {{began: number, tick: number, seed: number}} set where the clock starts, in seconds since the epoch;
 *   milliseconds that it goes on with each read, 0 for a clock that runs; where the random numbers start
 */
export function setClock({ began, tick, seed }) {
  const start = Math.floor(began * 1000);
  if (tick) setDate(pinnedClock(start, tick));
  else {
    const realNow = Date.now;
    const ahead = began * 1000 - realNow();
    setDate(() => realNow() + ahead);
  }
  const draw = randomNumbers(seed);
  Math.random = () => draw() / RANGE;
  if (!tick) return;
  pinFrames(start, tick);
  pinValues(draw);
}

/**
 * @param {number} start
 * @param {number} tick
 * @returns {() => number} milliseconds, further on with each call
 */
function pinnedClock(start, tick) {
  let reads = 0;
  return () => {
    reads += 1;
    return start + reads * tick;
  };
}

/** @param {() => number} now */
function setDate(now) {
  const Real = Date;
  const { construct } = Reflect;
  globalThis.Date = new Proxy(Real, {
    apply: () => new Real(now()).toString(),
    construct: (target, given, kind) => construct(target, given.length ? given : [now()], kind),
  });
  Real.prototype.constructor = globalThis.Date;
  Real.now = () => now();
}

/**
 * @param {number} seed
 * @returns {() => number} 32 bits each (mulberry32), of the seed and the address of the document
 */
function randomNumbers(seed) {
  let state = seed;
  for (const letter of location.href) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), HASH) >>> 0;
  return () => {
    state = (state + STEP) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/**
 * @param {number} start
 * @param {number} tick
 */
function pinFrames(start, tick) {
  let frames = 0;
  const since = () => {
    frames += 1;
    return frames * tick;
  };
  Performance.prototype.now = function now() {
    return since();
  };
  Object.defineProperty(Performance.prototype, "timeOrigin", { configurable: true, get: () => start });
  const frame = globalThis.requestAnimationFrame;
  globalThis.requestAnimationFrame = (step) => frame(() => step(since()));
}

/** @param {() => number} draw */
function pinValues(draw) {
  const fill = (/** @type {Uint8Array} */ bytes) => {
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = draw();
  };
  Crypto.prototype.getRandomValues = function getRandomValues(values) {
    const { buffer, byteOffset, byteLength } = /** @type {ArrayBufferView} */ (values);
    fill(new Uint8Array(buffer, byteOffset, byteLength));
    return values;
  };
  if (!Crypto.prototype.randomUUID) return;
  Crypto.prototype.randomUUID = function randomUUID() {
    const bytes = new Uint8Array(16);
    fill(bytes);
    return uuidOf(bytes);
  };
}

/**
 * @param {Uint8Array} bytes sixteen
 * @returns {`${string}-${string}-${string}-${string}-${string}`} an id of RFC 9562, version 4
 */
function uuidOf(bytes) {
  const marked = bytes.map((byte, at) => {
    if (at === 6) return (byte & 15) | 64;
    return at === 8 ? (byte & 63) | 128 : byte;
  });
  const hex = Array.from(marked, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
