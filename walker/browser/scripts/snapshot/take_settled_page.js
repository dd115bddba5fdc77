// Takes a page as a walk reads it as soon as it has settled, in one call: the way there and back is not made for each
// part.

import { expectNoMore, expectWork } from "../pending_work.js";
import { passBanner } from "./consent_banner.js";
import { settlePage } from "./settle_page.js";
import { snapshotOf } from "./take_snapshot.js";

/**
 * @param {[passesBanner: boolean, ...waits: import("./settle_page.js").Waits]} asked whether a banner is passed
 * @returns {Promise<string>} JSON of `Taken`: a driver's own serialiser takes nine times as long
 */
export async function takeSettledPage([passesBanner, ...waits]) {
  const unsettled = await settlePage(waits);
  const banner = passesBanner ? passBanner(expectWork) : { done: "", isPressed: false };
  // What its button sets off is waited for, and may be another page.
  if (banner.isPressed) return JSON.stringify({ pressed: banner.done });
  expectNoMore();
  return JSON.stringify({ page: { ...snapshotOf(), banner: banner.done, unsettled } });
}
