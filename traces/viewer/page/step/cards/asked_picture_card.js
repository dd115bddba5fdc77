// The picture that the question is about, with the part that is meant, and what was read in it.

/** @import { Box, Observation, PictureAsked, SeenText, StepContext, StepDetail } from "../../types.d.ts" */

import { h, put, s } from "../../elements/dom.js";
import { card, dim, empty, pill } from "../../elements/parts.js";
import { messageOf, percent, plural } from "../../elements/words.js";
import { looksOf, readingOf } from "../../record/step_pages.js";
import { digestOf, list } from "../../record/values.js";

/** How the page that shows the picture names it (walker/asked_picture/drawn_picture.py). */
const NAME = "the picture of the question";

/**
 * Stands on the page that shows the picture, and on the first step of what opens no page. The picture is named before that step.
 * @param {StepDetail} detail
 * @param {StepContext} context
 */
export function askedPictureCard(detail, context) {
  const asked = detail.events.find((event) => event.k === "picture")?.d;
  if (!asked) return null;
  const place = h("div", { class: "later" });
  showPicture(place, asked, detail, context);
  return place;
}

/**
 * @param {Element} place
 * @param {PictureAsked} asked
 * @param {StepDetail} detail
 * @param {StepContext} context
 */
async function showPicture(place, asked, detail, { source, runId }) {
  try {
    const reading = digestOf(readingOf(detail));
    /** @type {Observation | null} */
    const observation = reading ? JSON.parse(await source.text(runId, reading)) : null;
    const seen = looksOf(detail).flatMap(({ d }) => list(d.outcome?.seen));
    const once = seen.filter(({ text }, at) => seen.findIndex((one) => one.text === text) === at);
    const src = await source.pictureUrl(runId, digestOf(asked.file)).catch(() => "");
    put(place, pictureNode(asked, src, once, placeOf(observation)));
  } catch (error) {
    put(place, card("Picture of the question", null, empty(`It cannot be shown: ${messageOf(error)}`)));
  }
}

/**
 * Where on its page the picture lies.
 * @param {Observation | null} observation
 */
function placeOf(observation) {
  return list(observation?.blind).find(({ heading }) => heading === NAME)?.box ?? null;
}

/**
 * @param {PictureAsked} asked
 * @param {string} src
 * @param {readonly SeenText[]} seen
 * @param {Box | null} page
 */
function pictureNode(asked, src, seen, page) {
  const [left = 0, top = 0, right = 1, bottom = 1] = list(asked.box);
  const isPart = list(asked.box).length === 4;
  const meant = isPart
    ? s("rect", { x: left, y: top, width: right - left, height: bottom - top, class: "meant" })
    : null;
  // In the picture's own pixels, so that the drawing is as high as the picture is.
  const { width, height } = asked;
  const shares = { transform: `scale(${width} ${height})` };
  const overlay = s(
    "svg",
    { class: "overlay", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    s("g", { class: "layer seen", ...shares }, page ? seen.flatMap((one) => seenBox(one, page)) : null),
    s("g", { class: "layer answer", ...shares }, meant),
  );
  const image = src ? h("img", { class: "shown", src, alt: "The picture of the question" }) : null;
  const place = `about the part from ${percent(left)}, ${percent(top)} to ${percent(right)}, ${percent(bottom)}`;
  return card(
    "Picture of the question",
    `${asked.width} × ${asked.height}`,
    image ? h("div", { class: "stage asked-picture" }, image, overlay) : empty("Its bytes are not at hand."),
    h("p", { class: "small dim" }, isPart ? place : "about all of it"),
    seen.length ? h("h4", {}, `Read in it: ${plural(seen.length, "text")}`) : null,
    seen.length ? h("ul", { class: "read-there" }, seen.map(seenNode)) : null,
  );
}

/**
 * @param {SeenText} seen
 * @param {Box} page
 */
function seenBox({ box }, page) {
  if (!box || !(page.width > 0) || !(page.height > 0)) return [];
  const x = (box.x - page.x) / page.width;
  const y = (box.y - page.y) / page.height;
  return [s("rect", { x, y, width: box.width / page.width, height: box.height / page.height })];
}

/** @param {SeenText} seen */
function seenNode({ text, source, confidence }) {
  const sure = confidence === undefined ? "" : ` ${percent(confidence)}`;
  return h("li", {}, text, " ", pill(source, "look"), dim(sure));
}
