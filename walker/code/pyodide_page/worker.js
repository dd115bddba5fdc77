// Python in a worker: what it needs is loaded once, and then the ways to anywhere are taken away.

const PACKAGE = "/package/";
const OURS = ["value_text.py", "error_text.py", "in_pyodide.py"];
const PAGES = 2048; // of 64 KiB: what the interpreter takes itself, and as much again for the code
const WAYS_OUT = [
  "fetch",
  "XMLHttpRequest",
  "WebSocket",
  "WebSocketStream",
  "WebTransport",
  "EventSource",
  "BroadcastChannel",
  "Worker",
  "indexedDB",
  "caches",
  "importScripts",
];

/** @type {((request: string) => string) | null} */
let run = null;

function limitMemory() {
  const Memory = WebAssembly.Memory;
  WebAssembly.Memory = class extends Memory {
    /** @param {WebAssembly.MemoryDescriptor} described */
    constructor(described) {
      super({ ...described, maximum: Math.min(described.maximum ?? PAGES, PAGES) });
    }
  };
}

async function begin() {
  limitMemory();
  const sources = await Promise.all(OURS.map(async (name) => (await fetch(`/python/${name}`)).text()));
  const { loadPyodide } = await import(`${PACKAGE}pyodide.mjs`);
  // `import js` gives Python this object instead of all that a worker has.
  const pyodide = await loadPyodide({
    indexURL: PACKAGE,
    jsglobals: { setTimeout, clearTimeout, Object, Array, Promise },
    env: {},
  });
  pyodide.FS.mkdirTree("/home/pyodide/walker/code");
  for (const folder of ["walker", "walker/code"]) pyodide.FS.writeFile(`/home/pyodide/${folder}/__init__.py`, "");
  OURS.forEach((name, place) => pyodide.FS.writeFile(`/home/pyodide/walker/code/${name}`, sources[place]));
  run = pyodide.pyimport("walker.code.in_pyodide").run;
  for (const name of WAYS_OUT) Reflect.deleteProperty(globalThis, name);
}

globalThis.onmessage = async ({ data }) => {
  if (data.begin) {
    await begin();
    globalThis.postMessage("");
    return;
  }
  globalThis.postMessage(run ? run(data.request) : "");
};
