// The right to answer what a walk asks the person at its terminal: the page that the viewer opened, or whose address it printed, has it.
// The key leaves the address at once, so that a link to a step can be given away, and is shown in a header: no other site can send that.

const KEPT = "walker-key";

export function keyOfPage() {
  return sessionStorage.getItem(KEPT) ?? "";
}

/** Takes the key from the address, or gets it for the code that stands there, which is good once. */
export async function takeKey() {
  const shown = new URLSearchParams(location.search).get("key");
  if (shown === null) return;
  history.replaceState(null, "", location.pathname + location.hash);
  const answer = await fetch("api/key", { method: "POST", headers: { "Walker-Key": shown } });
  if (answer.ok) sessionStorage.setItem(KEPT, await answer.text());
}

/**
 * @param {string} run
 * @param {number} number of what is asked
 * @param {number} choice
 */
export async function sendAnswer(run, number, choice) {
  const headers = { "Walker-Key": keyOfPage(), "Content-Type": "application/json" };
  const body = JSON.stringify({ number, choice });
  const answer = await fetch(`api/${encodeURIComponent(run)}/asked`, { method: "POST", headers, body });
  if (!answer.ok) throw new Error((await answer.text()).trim());
}
