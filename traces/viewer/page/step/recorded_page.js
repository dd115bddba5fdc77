// The page as it was recorded, in a frame without scripts, forms, popups or an origin.

/** @import { Quote } from "../types.d.ts" */

import { h, put } from "../elements/dom.js";
import { empty } from "../elements/parts.js";
import { cleaned } from "./cleaned_page.js";

const HINT =
  "As recorded, without what lies outside the record: scripts, style sheets and remote pictures stay off. Links lead nowhere.";

/**
 * @param {Element} place
 * @param {string} html
 * @param {readonly Quote[]} quotes
 */
export function recordedPage(place, html, quotes) {
  if (!html.trim()) {
    put(place, empty("The recorded page is empty."));
    return;
  }
  const frame = h("iframe", {
    class: "recorded",
    title: "The page as recorded",
    sandbox: "",
    referrerpolicy: "no-referrer",
    credentialless: true,
    srcdoc: cleaned(html, quotes),
    loading: "eager",
  });
  put(place, frame, h("p", { class: "hint" }, HINT));
}
