/**
 * @param {Element} el
 * @returns {boolean}
 */
export function isFrame(el) {
  return el.localName === "iframe" || el.localName === "frame";
}

/**
 * @param {HTMLIFrameElement} frame
 * @returns {Document | null} what it shows, null where that is of another origin
 */
export function documentOf(frame) {
  try {
    return frame.contentDocument;
  } catch {
    return null;
  }
}

/**
 * @param {Element} frame
 * @returns {boolean} whether what it shows can be read from the page around it
 */
export function isReadable(frame) {
  return Boolean(/** @type {HTMLIFrameElement} */ (frame).contentDocument);
}
