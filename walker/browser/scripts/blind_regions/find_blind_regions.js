// Finds what the text of a page does not carry: from what is drawn, never from what words are on the page.

import { findGeneratedText } from "./generated_text.js";
import { findGlyphs, findOverlays, findScrambledText } from "./letters.js";
import { findColouredCells, findMarks } from "./marks.js";
import { findImageMaps, findNamelessControls, findPictures } from "./pictures_and_controls.js";
import { regions } from "./regions.js";

/**
 * @param {import("./regions.js").Picture[]} pictures of the page
 * @returns {import("./regions.js").Region[]} from the top down
 */
export function findBlindRegions(pictures) {
  if (!document.body) return [];
  findPictures(pictures);
  findNamelessControls();
  findImageMaps();
  findMarks();
  findColouredCells();
  findGeneratedText();
  findScrambledText();
  findOverlays();
  findGlyphs();
  return regions.sort((one, other) => one.box.y - other.box.y);
}
