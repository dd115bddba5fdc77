// Takes what other scripts in the page's own world keep. Pages may have meddled with it.

/** @returns {object[]} each event stream with what came since it was asked last, none where nothing is watched */
export function takeEvents() {
  return /** @type {any} */ (globalThis)[Symbol.for("walker.streams")]?.() ?? [];
}

/** @returns {object[]} of each kind of read: how often, what changed with it, and whether it shows */
export function takeWitness() {
  return /** @type {any} */ (globalThis)[Symbol.for("walker.witness")]?.() ?? [];
}
