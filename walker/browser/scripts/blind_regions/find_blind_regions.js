// Finds what the text of a page does not carry: from what is drawn, never from what words are on the page.

import { findGeneratedText } from "./generated_text.js";
import { findGlyphs, findOverlays, findScrambledText } from "./letters.js";
import { findColouredCells, findMarks } from "./marks.js";
import { findImageMaps, findNamelessControls, findPictures } from "./pictures_and_controls.js";
import { described, regions } from "./regions.js";

/**
 * @param {import("./regions.js").Picture[]} pictures of the page
 * @returns {{blind: import("./regions.js").Region[], described: import("./regions.js").Region[]}} from the top down
 */
export function findBlindRegions(pictures) {
  if (!document.body) return { blind: [], described: [] };
  findPictures(pictures);
  findNamelessControls();
  findImageMaps();
  findMarks();
  findColouredCells();
  findGeneratedText();
  findScrambledText();
  findOverlays();
  findGlyphs();
  return { blind: regions.sort(fromTheTop), described: described.sort(fromTheTop) };
}

/**
 * @param {import("./regions.js").Region} one
 * @param {import("./regions.js").Region} other
 * @returns {number}
 */
function fromTheTop(one, other) {
  return one.box.y - other.box.y;
}
