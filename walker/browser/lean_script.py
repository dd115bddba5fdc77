"""The script that takes a page for a crawl: the document and nothing measured, in one call."""

from walker.browser.taking_script import FOLD, WHEN_SETTLED

TAKE_LEAN = (
    "async ([shellChars, quietMs, sparseMs, mostMs, mostElements, mostBytes]) => {"
    + WHEN_SETTLED
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
  if (document.scripts.length > 0 || leading) await settled(() => chars() < shellChars, [quietMs, sparseMs, mostMs]);
  const all = document.getElementsByTagName('*');
  const facts = {
    url: location.href, title: sound(document.title), type: document.contentType, elements: all.length, html: '',
    status: performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0,
    bytes: performance.getEntriesByType('navigation')[0]?.decodedBodySize ?? 0,
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
