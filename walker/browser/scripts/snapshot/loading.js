/**
 * @param {number} mostMs
 * @returns {Promise<boolean>} whether the document is parsed, within a time
 */
export function waitUntilParsed(mostMs) {
  return new Promise((done) => {
    if (document.readyState !== "loading") {
      done(true);
      return;
    }
    document.addEventListener("DOMContentLoaded", () => done(true), { once: true });
    setTimeout(() => done(document.readyState !== "loading"), mostMs);
  });
}

/**
 * @param {number} mostMs
 * @returns {Promise<boolean>} whether the page is loaded with all its parts, within a time
 */
export function waitUntilLoaded(mostMs) {
  return new Promise((done) => {
    if (document.readyState === "complete") {
      done(true);
      return;
    }
    window.addEventListener("load", () => done(true), { once: true });
    setTimeout(() => done(false), mostMs);
  });
}
