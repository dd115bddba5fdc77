// What other thresholds of the gate would have decided. The gate's own code says for each decision up to which threshold the text is
// trusted; here numbers are only compared.

/** @import { GateCase, Scenario } from "../types.d.ts" */

/**
 * @param {readonly GateCase[]} cases
 * @param {number | null} tau of the glance; null is the walk's own
 * @param {number | null} tau2 of the look
 * @returns {Scenario}
 */
export function scenario(cases, tau, tau2) {
  const flips = [];
  const dropped = new Set();
  const after = { glance: 0, look: 0, read: 0 };
  const before = { glance: 0, look: 0, read: 0 };
  for (const one of cases) {
    before[one.was] += 1;
    if (one.is_second && dropped.has(one.step)) continue; // without a glance nobody asks for a look
    const becomes = decided(one, one.is_second ? tau2 : tau);
    after[becomes] += 1;
    if (becomes === one.was) continue;
    flips.push({ ...one, becomes });
    if (one.was === "glance") dropped.add(one.step);
  }
  return {
    flips,
    glances: after.glance,
    looks: after.look,
    glancesBefore: before.glance,
    looksBefore: before.look,
    saved: before.glance + before.look - after.glance - after.look,
    leaves: flips.length ? Math.min(...flips.map((flip) => flip.step)) : 0,
  };
}

/**
 * @param {GateCase} one
 * @param {number | null} threshold
 */
function decided(one, threshold) {
  if (threshold === null) return one.own;
  return threshold <= one.read_up_to ? "read" : one.otherwise;
}
