"""The script that takes a page for a crawl: the document and nothing measured, in one call."""

from walker.browser.scripts.pending_work_script import INTENT
from walker.browser.scripts.snapshot_parts_script import FOLD, WHEN_SETTLED

TAKE_LEAN = (
    "async ([mostElements, mostBytes, shellChars, ...times]) => {"
    + WHEN_SETTLED
    + INTENT
    + FOLD
    + r"""
  const showsFrame = () => true, goesInto = () => true;
  // Visible text is counted without laying the page out: letters below script and style do not count.
  const chars = () => {
    const walk = document.createTreeWalker(document.body ?? document.documentElement, NodeFilter.SHOW_TEXT);
    let sum = 0;
    while (sum < shellChars && walk.nextNode()) {
      const parent = walk.currentNode.parentElement?.localName;
      if (parent !== 'script' && parent !== 'style' && parent !== 'noscript') sum += walk.currentNode.data.trim().length;
    }
    return sum;
  };
  if (document.scripts.length > 0 || leading) await settled(() => chars() < shellChars, times, intent);
  // Frames of the page's own are part of it, and come after it was parsed.
  const waits = (el) => {
    let inner = null;
    try { inner = el.contentDocument; } catch { inner = null; }
    if (!inner) return false;
    if (inner.URL === 'about:blank' && el.src && el.loading !== 'lazy') {
      try { return new URL(el.src).origin === location.origin; } catch { return false; }
    }
    return inner.readyState !== 'complete' || waitsIn(inner);
  };
  const waitsIn = (owner) => [...owner.querySelectorAll('iframe, frame')].some(waits);
  const started = performance.now(), mostMs = times[2];
  while (document.readyState !== 'complete' && performance.now() - started < mostMs && waitsIn(document))
    await new Promise((done) => setTimeout(done, 25));
  const all = document.getElementsByTagName('*');
  const way = performance.getEntriesByType('navigation')[0];
  const facts = {
    url: location.href, title: sound(document.title), type: document.contentType, elements: all.length, html: '',
    status: way?.responseStatus ?? 0, bytes: way?.decodedBodySize ?? 0,
    scrolls: document.scripts.length > 0 && intent().scrolls,
    answer_ms: way ? Math.max(0, way.responseEnd - way.fetchStart) : 0,
    layout: {viewport_width: innerWidth, viewport_height: innerHeight},
  };
  const root = document.documentElement;
  if (!root || all.length > mostElements || facts.bytes > mostBytes) return JSON.stringify(facts);
  let plain = true;
  for (const el of all) if (el.shadowRoot || el.localName === 'iframe' || el.localName === 'frame') { plain = false; break; }
  const handOver = (html) => {
    facts.bytes = Math.max(facts.bytes, html.length);
    if (html.length <= mostBytes) facts.html = sound(html);
    return JSON.stringify(facts);
  };
  if (plain) return handOver(root.outerHTML);
  return handOver(fold(root).outerHTML);
}
"""
)
