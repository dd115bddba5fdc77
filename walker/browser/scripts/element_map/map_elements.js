// Measures every element of a page that a person could read or press.

import { markCovered } from "./covering.js";
import { WINDOW } from "../geometry.js";
import { emptyMap } from "./rows.js";
import { steps } from "./selector_steps.js";
import { keepUnnamed } from "./unnamed.js";
import { walk } from "./walk.js";

/**
 * @param {[whole: boolean, most: number, keep: number]} asked all of the page or the window alone; elements at most;
 *   controls without a name to keep for `unnamedControls`
 * @returns {string} JSON: the rows, and apart from them the steps of selectors
 */
export function mapElements([whole, most, keep]) {
  const map = emptyMap(whole, most);
  walk(map, document.documentElement, { frame: "", dx: WINDOW.x, dy: WINDOW.y }, 0);
  markCovered(map);
  if (keep) keepUnnamed(map, keep);
  const page = document.scrollingElement ?? document.documentElement;
  return JSON.stringify({
    elements: map.rows,
    steps,
    paths: map.paths,
    viewport: WINDOW,
    page_width: page.scrollWidth,
    page_height: page.scrollHeight,
    is_whole: whole,
    cut_off: map.cutOff,
  });
}
