"""The script that learns where things lead that are no links: it presses them while every navigation is held back."""

PRESS_LINKS = r"""
async ([most, milliseconds]) => {
  const found = new Set();
  // Every way of leaving a document says so first, and may be told not to; what is posted is none of ours.
  const hold = (event) => {
    if (event.cancelable) event.preventDefault();
    if (!event.formData && event.navigationType !== 'traverse' && event.navigationType !== 'reload') found.add(event.destination.url);
  };
  if (!window.navigation) return {found: []};
  navigation.addEventListener('navigate', hold);
  const leads = /location|navigat|href|\.open\s*\(|router|\bgo\w*\s*\(|\burl\b|link|visit|show|page|load/i;
  const harms = /history\.(back|go|forward)|\.submit\s*\(|\bprint\s*\(|\bclose\s*\(|delet|remov|logout|sign.?out|\bpost\b|fetch\s*\(|XMLHttp|confirm\s*\(|prompt\s*\(|alert\s*\(/i;
  const source = (el) => el.getAttribute('onclick') ?? (el.getAttribute('href') ?? '').replace(/^javascript:/i, '');
  const wanted = [...document.querySelectorAll('[onclick], a[href^="javascript:" i], [role=link]:not([href])')].filter((el) => {
    if (el.matches('a[href]:not([href^="javascript:" i]):not([href="#"])') || el.closest('form')) return false;
    const text = source(el);
    return el.getAttribute('role') === 'link' || (leads.test(text) && !harms.test(text));
  });
  const started = performance.now();
  for (const el of wanted.slice(0, most)) {
    if (performance.now() - started > milliseconds) break;
    const before = found.size;
    el.closest('a')?.removeAttribute('target');
    // What the program of an address does to the location cannot be held back; the same program as a handler's can.
    let pressed = el;
    if (/^javascript:/i.test(el.getAttribute('href') ?? '')) {
      let program = source(el);
      try { program = decodeURIComponent(program); } catch { /* it is as it is */ }
      pressed = document.createElement('span');
      pressed.setAttribute('onclick', program);
    }
    try { pressed.click(); } catch { continue; }
    // A handler may wait for the end of its own turn.
    await new Promise((done) => setTimeout(done, 0));
    if (found.size === before) await new Promise((done) => setTimeout(done, 5));
  }
  // Programs of addresses run in turns of their own. What comes later still is held back too: the page is not used any more.
  if (wanted.length) await new Promise((done) => setTimeout(done, 60));
  const here = location.href.split('#')[0];
  return {found: [...found].filter((url) => /^https?:/.test(url) && (url.split('#')[0] !== here || /#[!\/]/.test(url)))};
}
"""
