// Shared workers send requests that no route of the browser's driver sees.

/** Takes the shared workers away: pages find a browser that has none, as some have. */
export function withoutSharedWorkers() {
  Reflect.deleteProperty(window, "SharedWorker");
}
