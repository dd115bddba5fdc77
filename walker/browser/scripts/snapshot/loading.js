/**
 * @param {number} mostMs
 * @returns {Promise<[isParsed: boolean, url: string]>} whether the document is parsed, within a time, and its address
 */
export function waitUntilParsed(mostMs) {
  return new Promise((done) => {
    const tell = () => done([document.readyState !== "loading", location.href]);
    if (document.readyState !== "loading") {
      tell();
      return;
    }
    document.addEventListener("DOMContentLoaded", tell, { once: true });
    setTimeout(tell, mostMs);
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
