"""The script that takes a page for a crawl: the document and nothing measured, in one call."""

TAKE_LEAN = r"""
async ([shellChars, quietMs, sparseMs, mostMs, mostElements, mostBytes]) => {
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
  const started = performance.now();
  const busy = () => document.querySelector('[aria-busy="true"], .spinner, .loading, .skeleton') !== null;
  const refresh = document.querySelector('meta[http-equiv="refresh" i]')?.content ?? '';
  const leading = /^\s*[0-2]?(\.\d+)?\s*[;,]\s*(url\s*=)?\s*\S/i.test(refresh);
  const scripted = document.scripts.length > 0 || leading;
  if (scripted) await new Promise((done) => {
    // A page that fills itself by script is read when it is filled: loaded, enough text, and no change for a moment.
    let last = performance.now();
    const watcher = new MutationObserver(() => { last = performance.now(); });
    watcher.observe(document, {childList: true, subtree: true, characterData: true});
    const check = () => {
      const now = performance.now();
      const rest = leading || busy() ? mostMs : chars() < shellChars ? sparseMs : quietMs;
      if ((now - last >= rest && document.readyState === 'complete') || now - started >= mostMs) { watcher.disconnect(); done(); }
      else setTimeout(check, 25);
    };
    check();
  });
  const sound = (text) => text.toWellFormed ? text.toWellFormed() : text;
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
  // Copies live in a document without a browsing context: nothing in them loads, runs or changes the page.
  const inert = document.implementation.createHTMLDocument('');
  const boxOf = (name, value, nodes) => {
    const box = inert.createElement('div');
    box.setAttribute(name, value);
    for (const part of nodes) box.appendChild(part.nodeType === 1 ? fold(part) : inert.importNode(part, true));
    return box;
  };
  const fold = (top) => {
    const copy = inert.importNode(top, true);
    const stack = [[top, copy]];
    while (stack.length) {
      const [el, twin] = stack.pop();
      let child = el.firstElementChild, mate = twin.firstElementChild;
      while (child && mate) {
        const next = child.nextElementSibling, after = mate.nextElementSibling;
        if (child.localName === 'iframe' || child.localName === 'frame') {
          let inner = null;
          try { inner = child.contentDocument; } catch { inner = null; }
          if (inner?.body) mate.replaceWith(boxOf('data-walker-frame', inner.location.href, inner.body.childNodes));
        } else if (child.firstElementChild || child.shadowRoot) stack.push([child, mate]);
        child = next; mate = after;
      }
      if (el.shadowRoot) twin.insertBefore(boxOf('data-walker-shadow', '', el.shadowRoot.childNodes), twin.firstChild);
    }
    return copy;
  };
  return handOver(fold(root).outerHTML);
}
"""
