/**
 * Text that every encoder takes: half a surrogate pair is no text.
 * @param {string} text
 * @returns {string}
 */
export function wellFormed(text) {
  return text.toWellFormed ? text.toWellFormed() : text;
}
