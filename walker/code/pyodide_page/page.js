// Holds the worker that runs code, and ends it when its time is over.

/** @typedef {{ failure: { kind: string, message: string } }} Failed */

/** @type {Worker | null} */
let worker = null;

/**
 * What the worker says next; a failure where it says nothing in time, and the worker is then ended.
 * @param {unknown} message
 * @param {number} milliseconds
 * @returns {Promise<unknown>}
 */
function ask(message, milliseconds) {
  return new Promise((resolve) => {
    const asked = worker ?? new Worker("/worker.js", { type: "module" });
    worker = asked;
    const timer = setTimeout(() => end("time", "the code took longer than it may"), milliseconds);
    asked.onmessage = ({ data }) => {
      clearTimeout(timer);
      resolve(data);
    };
    asked.onerror = (event) => end("unavailable", event.message || "the interpreter does not load");
    asked.postMessage(message);

    /**
     * @param {string} kind
     * @param {string} reason
     */
    function end(kind, reason) {
      clearTimeout(timer);
      asked.terminate();
      worker = null;
      resolve(JSON.stringify({ failure: { kind, message: reason } }));
    }
  });
}

Object.assign(globalThis, {
  /**
   * Loads the interpreter, if there is none; "" once it is there, else why not, as JSON.
   * @param {number} milliseconds
   */
  beginCode: (milliseconds) => (worker ? "" : ask({ begin: true }, milliseconds)),

  /** @param {{ request: string, milliseconds: number }} asked */
  runCode: ({ request, milliseconds }) => ask({ request }, milliseconds),
});
