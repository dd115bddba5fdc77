"""What runs in a page before its own scripts, where the driver has no events: dialogs open no window, and are told of."""

DIALOGS_A_PAGE = 20
"""A page that opens more is stopped."""

GUARD_PAGE = r"""
(() => {
  const most = MOST_DIALOGS;
  const send = document.dispatchEvent.bind(document), Told = CustomEvent;
  let opened = 0;
  const tell = (kind, message) => {
    send(new Told('walker-dialog', {detail: kind + ': ' + String(message ?? '').slice(0, 200)}));
    // A page that asks without end would never come to rest.
    if ((opened += 1) > most) throw new Error('too many dialogs');
  };
  window.alert = function alert(message) { tell('alert', message); };
  window.confirm = function confirm(message) { tell('confirm', message); return false; };
  window.prompt = function prompt(message) { tell('prompt', message); return null; };
  window.print = function print() {};
  // Nobody is asked whether a page may be left.
  addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), true);
  // A worker would ask the network beside the page.
  if (navigator.serviceWorker) navigator.serviceWorker.register = () =>
    Promise.reject(new DOMException('not allowed here', 'SecurityError'));
})();
""".replace("MOST_DIALOGS", str(DIALOGS_A_PAGE))
"""In the page's own world."""

HEAR_DIALOGS = r"""
globalThis.walkerDialogs = [];
document.addEventListener('walker-dialog', (event) => { globalThis.walkerDialogs.push(String(event.detail)); });
"""
"""In ours."""

TAKE_DIALOGS = "(globalThis.walkerDialogs ?? []).splice(0)"

RESTORE_STORAGE = r"""
(stored) => {
  // Once in a window for each origin: what the site itself takes away afterwards stays away.
  const items = stored[location.origin];
  if (!items || sessionStorage.getItem('walker-restored')) return;
  sessionStorage.setItem('walker-restored', '1');
  for (const [name, value] of items) localStorage.setItem(name, value);
}
"""

TAKE_STORAGE = r"""
JSON.stringify({origin: location.origin, localStorage: Object.entries(localStorage).map(([name, value]) => ({name, value}))})
"""

WAIT_UNTIL_PARSED = r"""
(mostMs) => new Promise((done) => {
  if (document.readyState !== 'loading') { done(true); return; }
  document.addEventListener('DOMContentLoaded', () => done(true), {once: true});
  setTimeout(() => done(document.readyState !== 'loading'), mostMs);
})
"""

WAIT_UNTIL_LOADED = r"""
(mostMs) => new Promise((done) => {
  if (document.readyState === 'complete') { done(true); return; }
  window.addEventListener('load', () => done(true), {once: true});
  setTimeout(() => done(false), mostMs);
})
"""

FIND_DEEP = r"""
const find = (root) => {
  let found = root.querySelector(arguments[0]);
  if (found) return found;
  for (const host of root.querySelectorAll('*')) if (host.shadowRoot && (found = find(host.shadowRoot))) return found;
  return null;
};
const place = find(document);
place?.closest('a, form')?.removeAttribute('target');
return place;
"""
"""The first element that a selector finds, open shadow roots included; what it leads to opens in this window."""
