// What the browser showed, with what was known of it laid over.

/** @import { Observation, Picture, Source, StepDetail, View } from "../types.d.ts" */

import { h, put } from "../elements/dom.js";
import { empty } from "../elements/parts.js";
import { messageOf } from "../elements/words.js";
import { picturesOf } from "../record/step_pages.js";
import { layOver } from "./picture_layers.js";

const NONE =
  "No picture of this step is on record: the page's text was trusted, so nothing was drawn. " +
  "The recorded page and its text are beside this.";

/**
 * @typedef {object} Pictured
 * @property {Source} source
 * @property {string} run
 * @property {StepDetail} detail
 * @property {Observation | null} observation
 */

/**
 * @param {Element} place
 * @param {Pictured} pictured
 */
export function picturePanel(place, pictured) {
  const pictures = picturesOf(pictured.detail);
  if (!pictures.length) {
    put(place, empty(NONE));
    return;
  }
  const nodes = {
    stage: h("div", { class: "stage", tabindex: "0", role: "group", "aria-label": "Screenshot" }),
    tip: h("div", { class: "tip", "aria-live": "polite" }, "Point at a rectangle to see what it is."),
    toggles: h("div", { class: "chips", role: "group", "aria-label": "Layers" }),
  };
  const buttons = pictures.map((picture) => pictureButton(picture, pictured, () => show(picture)));
  const strip = h("div", { class: "strip", role: "group", "aria-label": "Pictures of this step" }, buttons);
  put(place, nodes.toggles, pictures.length > 1 ? strip : null, nodes.stage, nodes.tip);
  show(pictures[0]);

  function show(/** @type {Picture} */ chosen) {
    pictures.forEach((one, at) => buttons[at].setAttribute("aria-pressed", String(one === chosen)));
    showPicture(chosen, pictured, nodes);
  }
}

/**
 * @param {Picture} picture
 * @param {Pictured} pictured
 * @param {() => void} onclick
 */
function pictureButton(picture, { source, run }, onclick) {
  const button = h("button", { type: "button", class: "shot", onclick }, h("span", {}, picture.label));
  source.pictureUrl(run, picture.digest).then(
    (src) => button.prepend(h("img", { src, alt: "" })),
    () => button.prepend("missing"),
  );
  return button;
}

/**
 * @param {Picture} picture
 * @param {Pictured} pictured
 * @param {{ stage: HTMLElement; tip: HTMLElement; toggles: HTMLElement }} nodes
 */
async function showPicture(picture, { source, run, detail, observation }, nodes) {
  const { stage, toggles } = nodes;
  try {
    const [src, view] = await Promise.all([source.pictureUrl(run, picture.digest), viewOf(picture, source, run)]);
    const image = h("img", { class: "shown", src, alt: `${picture.label} of ${view?.url ?? "the page"}` });
    put(stage, image);
    await image.decode().catch(() => null);
    if (view?.shown) layOver(nodes, view, view.shown, { detail, observation, picture });
    else put(toggles);
  } catch (error) {
    put(stage, empty(`The picture cannot be shown: ${messageOf(error)}`));
  }
}

/**
 * What was known of the page when the picture was taken, null where that is not on record.
 * @param {Picture} picture
 * @param {Source} source
 * @param {string} run
 * @returns {Promise<View | null>}
 */
async function viewOf(picture, source, run) {
  if (!picture.view) return null;
  try {
    return JSON.parse(await source.text(run, picture.view));
  } catch {
    return null;
  }
}
