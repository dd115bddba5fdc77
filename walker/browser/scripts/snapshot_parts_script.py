"""The pieces of script that both ways to take a page share: when it is there, and how frames and shadow roots go into its copy."""

WHEN_SETTLED = r"""
  const busy = () => document.querySelector('[aria-busy="true"], .spinner, .loading, .skeleton') !== null;
  // A stub that is about to lead on by itself is not the page; leaving it ends the script.
  const refresh = document.querySelector('meta[http-equiv="refresh" i]')?.content ?? '';
  const leading = /^\s*[0-2]?(\.\d+)?\s*[;,]\s*(url\s*=)?\s*\S/i.test(refresh);
  // A page that fills itself by script is read when it is filled: loaded, enough text, and no change for a moment.
  const settled = (sparse, [quietMs, sparseMs, mostMs, lateMs], meant = () => ({flying: false, due: 0})) => new Promise((done) => {
    const started = performance.now();
    let last = started;
    const watcher = new MutationObserver(() => { last = performance.now(); });
    watcher.observe(document, {childList: true, subtree: true, characterData: true});
    const check = () => {
      const now = performance.now(), {flying, due} = meant(), empty = sparse(), still = empty && now < due;
      const most = empty && (flying || still) ? lateMs : mostMs;
      const rest = leading || flying || still || busy() ? most : empty ? sparseMs : quietMs;
      if ((now - last >= rest && document.readyState === 'complete') || now - started >= most) { watcher.disconnect(); done(); }
      else setTimeout(check, 25);
    };
    check();
  });
"""
"""`settled(sparse, waits, meant)` is a promise; `sparse()` tells whether there is too little text yet, `waits` are milliseconds,
`meant()` is what the page still means to do (intent_script), where that is known."""

FOLD = r"""
  // Half a surrogate pair is no text, and no encoder takes it.
  const sound = (text) => text.toWellFormed ? text.toWellFormed() : text;
  // Copies live in a document without a browsing context: nothing in them loads, runs or changes the page.
  const inert = document.implementation.createHTMLDocument('');
  const boxOf = (name, value, nodes) => {
    const box = inert.createElement('div');
    box.setAttribute(name, value);
    for (const part of nodes) box.appendChild(part.nodeType === 1 ? taken(part) : inert.importNode(part, true));
    return box;
  };
  const isFrame = (el) => el.localName === 'iframe' || el.localName === 'frame';
  const frameOf = (el) => {
    let inner = null;
    try { inner = el.contentDocument; } catch { inner = null; }
    return inner?.body && showsFrame(el) ? boxOf('data-walker-frame', inner.location.href, inner.body.childNodes) : null;
  };
  // What stands at the top of a frame may be a frame itself, or hidden.
  const taken = (el) => {
    if (isFrame(el)) return frameOf(el) ?? inert.importNode(el, true);
    const copy = fold(el);
    goesInto(el, copy);
    return copy;
  };
  const fold = (top) => {
    const copy = inert.importNode(top, true);
    const stack = [[top, copy]];
    while (stack.length) {
      const [el, twin] = stack.pop();
      let child = el.firstElementChild, mate = twin.firstElementChild;
      while (child && mate) {
        const next = child.nextElementSibling, after = mate.nextElementSibling;
        if (isFrame(child)) {
          const box = frameOf(child);
          if (box) mate.replaceWith(box);
        } else if (goesInto(child, mate) && (child.firstElementChild || child.shadowRoot)) stack.push([child, mate]);
        child = next; mate = after;
      }
      if (el.shadowRoot) twin.insertBefore(boxOf('data-walker-shadow', '', el.shadowRoot.childNodes), twin.firstChild);
    }
    return copy;
  };
"""
"""`fold(element)` is a copy with its frames and shadow roots in it. The script that uses it has `showsFrame(frame)`, and
`goesInto(element, copy)`, which may mark the copy."""
