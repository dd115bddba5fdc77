// Values of a record, which may lie in a blob, or be gone.

/** @import { BlobRef, Kept } from "../types.d.ts" */

/**
 * A list, empty where it is not at hand.
 * @template T
 * @param {Kept<readonly T[]> | undefined | null} value
 * @returns {readonly T[]}
 */
export function list(value) {
  return Array.isArray(value) ? value : [];
}

/** @param {Partial<BlobRef> | null | undefined} ref */
export function digestOf(ref) {
  return ref?.$b?.replace("sha256:", "") ?? "";
}
