// What a site keeps in the browser for itself.

const RESTORED = "walker-restored";

/**
 * Gives an origin what it had stored, once in a window: what the site itself takes away afterwards stays away.
 * @param {Record<string, [name: string, value: string][]>} stored by origin
 */
export function restoreStorage(stored) {
  const items = stored[location.origin];
  if (!items || sessionStorage.getItem(RESTORED)) return;
  sessionStorage.setItem(RESTORED, "1");
  for (const [name, value] of items) localStorage.setItem(name, value);
}

/** @returns {string} JSON of a `StoredOrigin` */
export function takeStorage() {
  const items = Object.entries(localStorage).map(([name, value]) => ({ name, value }));
  return JSON.stringify({ origin: location.origin, localStorage: items });
}
