"""Scripts that do one step of a crawl script on the page that is open. Each returns an object; a page that is left while one
runs returns nothing."""

from walker.browser.scripts.pending_work_script import INTENT

_TOOLS = (
    INTENT
    + r"""
  const find = (selector) => {
    if (!/^(\/|\.\/|\()/.test(selector)) {
      // Open shadow roots are looked through too.
      const roots = [document];
      for (const root of roots) {
        const found = root.querySelector(selector);
        if (found) return found;
        for (const el of root.querySelectorAll('*')) if (el.shadowRoot) roots.push(el.shadowRoot);
      }
      return null;
    }
    return document.evaluate(selector, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE, null).singleNodeValue;
  };
  const findAll = (selector) => {
    if (!/^(\/|\.\/|\()/.test(selector)) return [...document.querySelectorAll(selector)];
    const found = document.evaluate(selector, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    return Array.from({length: found.snapshotLength}, (_, place) => found.snapshotItem(place));
  };
  // What is chosen from is shown where its list is, though it is drawn only while somebody chooses.
  const isShown = (el) => el.isConnected && (!el.checkVisibility
    || ((el.localName === 'option' && el.closest('select')) || el).checkVisibility({visibilityProperty: true}));
  const isUsable = (el) => isShown(el) && !el.disabled && el.getAttribute('aria-disabled') !== 'true';
  const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
  const until = async (test, ms) => {
    const end = performance.now() + ms;
    for (;;) {
      const value = test();
      if (value) return value;
      if (performance.now() > end) return null;
      await sleep(30);
    }
  };
  // Rest: nothing changed for a moment, nothing says that it is loading, and no request is under way.
  const rest = async (quiet, most) => {
    let last = performance.now();
    const started = last;
    const watcher = new MutationObserver(() => { last = performance.now(); });
    watcher.observe(document, {childList: true, subtree: true, characterData: true, attributes: true});
    const busy = () => document.querySelector('[aria-busy="true"], .spinner:not([hidden]), .loading:not([hidden])') !== null;
    const waits = () => performance.now() - last < quiet || busy() || intent().flying;
    while (performance.now() - started < most && waits()) await sleep(30);
    watcher.disconnect();
  };
  // What a page holds, as marks of its links and rows: a list that only repeats itself brings no new one.
  const mark = (el) => (el.getAttribute('href') ?? '') + '|' + el.textContent.trim().replace(/\s+/g, ' ').slice(0, 300);
  const unit = (el) => el.matches('a[href], li, tr, article, [role=listitem], [role=row], [role=article]')
    || (el.parentElement && el.parentElement.childElementCount > 2 && el.localName === 'div' && el.textContent.trim().length > 0);
  const marks = (seen) => {
    let fresh = 0;
    for (const el of document.querySelectorAll('a[href], li, tr, article, div, [role=listitem], [role=row]')) {
      if (!unit(el) || el.childElementCount > 60) continue;
      const it = mark(el);
      if (!seen.has(it)) { seen.add(it); fresh++; }
    }
    return fresh;
  };
  // Virtual lists take rows away, or write other words into them: what was shown is kept by what it said.
  const kept = new Map();
  const rowsOf = () => {
    for (const el of document.querySelectorAll('li, tr, article, div, a[href], [role=listitem], [role=row]')) {
      if (!unit(el) || el.childElementCount > 60 || el.textContent.length > 4000) continue;
      const it = mark(el);
      if (it.length < 2) continue;
      if (!kept.has(it)) kept.set(it, el.localName === 'tr' ? ['tr', el.outerHTML] : ['', el.outerHTML]);
    }
  };
  // Rows that left meanwhile stand at the end of the body.
  const putBack = () => {
    const present = new Set();
    for (const el of document.querySelectorAll('li, tr, article, div, a[href], [role=listitem], [role=row]')) present.add(mark(el));
    const lost = [...kept].filter(([it]) => !present.has(it));
    if (lost.length) {
      const box = document.createElement('div');
      box.setAttribute('data-walker-scrolled', String(lost.length));
      const table = document.createElement('table');
      // An outer row that is kept brings its inner ones along.
      const inner = lost.map(([it, [, html]]) => html);
      for (const [it, [kind, html]] of lost) {
        if (inner.some((other) => other !== html && other.length > html.length && other.includes(html))) continue;
        const holder = document.createElement('template');
        holder.innerHTML = html;
        (kind === 'tr' ? table : box).append(holder.content);
      }
      if (table.childNodes.length) box.append(table);
      document.body.append(box);
    }
    return lost.length;
  };
"""
)

CLICK = (
    "async ([selector, mode, most, seconds, optional]) => {"
    + _TOOLS
    + r"""
  const seen = new Set();
  marks(seen);
  let times = 0, idle = 0;
  const first = await until(() => { const el = find(selector); return el && isUsable(el) ? el : null; }, optional ? 500 : seconds * 1000);
  if (!first) return optional ? {done: 0} : {missing: selector};
  const each = mode === 'each';
  const next = () => { const el = find(selector); return el && isUsable(el) ? el : null; };
  while (times < most) {
    // Gone for good, or only while it loads?
    const el = each ? findAll(selector).filter(isShown)[times] ?? null : next() ?? await until(next, 1500);
    if (!el) return {done: times, ended: 'gone', kept: putBack()};
    if (mode !== 'once') rowsOf();
    el.scrollIntoView?.({block: 'center'});
    el.closest('a, form')?.removeAttribute('target');
    el.click();
    times++;
    await sleep(20);
    await rest(150, seconds * 1000);
    if (mode === 'once') return {done: times, ended: 'once'};
    let fresh = marks(seen);
    if (!fresh) { await rest(600, seconds * 1000); await sleep(400); fresh = marks(seen); }
    idle = fresh || each ? 0 : idle + 1;
    if (idle >= 3) return {done: times, ended: 'repeats', kept: putBack()};
  }
  return {done: times, ended: 'most', kept: putBack()};
}
"""
)
"""Once; or until the control is gone, or three presses in a row brought no link and no row that was not there before; or each one that
is there, in turn. Rows that presses took away are put back at the end of the body."""

SCROLL = (
    "async ([most, seconds, tries, budget]) => {"
    + _TOOLS
    + r"""
  const top = document.scrollingElement ?? document.documentElement;
  const isPane = (el) => {
    if (el.scrollHeight <= el.clientHeight + 40 || el.clientHeight < 120) return false;
    return /auto|scroll|overlay/.test(getComputedStyle(el).overflowY);
  };
  const panes = [top, ...[...document.body.querySelectorAll('*')].filter(isPane)];
  const seen = new Set();
  const isDone = (el) => el.scrollTop + el.clientHeight >= el.scrollHeight - 2;
  let moves = 0, ended = 'end';
  const over = performance.now() + budget * 1000;
  if (tries) {
    rowsOf(); marks(seen);
    top.scrollTop = top.scrollHeight;
    // Handlers often wait until the scrolling has ended.
    await sleep(300);
    await rest(100, seconds * 1000);
    const grew = marks(seen) > 0;
    top.scrollTop = 0;
    if (!grew) return {done: 1, ended: 'still', kept: 0};
    await rest(100, seconds * 1000);
  }
  for (const pane of panes) {
    let idle = 0;
    rowsOf(); marks(seen);
    while (moves < most && performance.now() < over) {
      const before = pane.scrollHeight;
      const wasDone = isDone(pane);
      pane.scrollTop += Math.max(80, pane.clientHeight * 0.8);
      pane.dispatchEvent(new Event('scroll', {bubbles: true}));
      moves++;
      await sleep(40);
      await rest(80, seconds * 1000);
      let fresh = marks(seen);
      if (wasDone && !fresh && pane.scrollHeight <= before) {
        await rest(500, seconds * 1000);
        await sleep(300);
        fresh = marks(seen);
      }
      rowsOf();
      if (fresh || !isDone(pane)) { if (fresh || !wasDone) idle = 0; else idle++; }
      else idle++;
      if (idle >= 3) { ended = pane.scrollHeight > before ? 'repeats' : 'end'; break; }
    }
    if (moves >= most || performance.now() >= over) { ended = 'most'; break; }
  }
  return {done: moves, ended, kept: putBack()};
}
"""
)
"""Every pane of the page to its end, again while it grows, for `budget` seconds at most. Rows that left meanwhile are put back at
the end of the body. With `tries` it is first seen whether the end of the page brings anything new."""

TYPE = (
    "async ([selector, text, seconds]) => {"
    + _TOOLS
    + r"""
  const el = await until(() => find(selector), seconds * 1000);
  if (!el) return {missing: selector};
  el.focus?.();
  if (el instanceof HTMLSelectElement) {
    // One of several lists may be filled only when another was chosen from. What is chosen is said by its value or by its words.
    const plain = (words) => words.trim().replace(/\s+/g, ' ');
    const choice = () => [...el.options].find((one) => one.value === text) ?? [...el.options].find((one) => plain(one.label) === plain(text));
    const chosen = await until(choice, seconds * 1000);
    if (!chosen) return {missing: `such a choice in ${selector}`};
    if (!el.multiple) el.selectedIndex = chosen.index;
    chosen.selected = true;
  } else if (el.isContentEditable) el.textContent = text;
  else {
    const owner = el instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
    Object.getOwnPropertyDescriptor(owner.prototype, 'value').set.call(el, text);
  }
  el.dispatchEvent(new InputEvent('input', {bubbles: true, composed: true, data: text}));
  el.dispatchEvent(new Event('change', {bubbles: true}));
  return {done: 1};
}
"""
)

SUBMIT = (
    "async ([selector, seconds]) => {"
    + _TOOLS
    + r"""
  const el = await until(() => find(selector), seconds * 1000);
  if (!el) return {missing: selector};
  const form = el.closest?.('form') ?? el.form;
  if (!form) { el.click(); return {done: 1}; }
  form.removeAttribute('target');
  const button = form.querySelector('button:not([type]), button[type=submit], input[type=submit], input[type=image]');
  setTimeout(() => { if (button) button.click(); else form.requestSubmit(); }, 0);
  return {done: 1};
}
"""
)

DISMISS = (
    "async ([selector]) => {"
    + _TOOLS
    + r"""
  const el = find(selector);
  if (!el || !isShown(el)) return {done: 0};
  el.click();
  await sleep(250);
  if (isShown(el)) el.style.setProperty('display', 'none', 'important');
  return {done: 1};
}
"""
)

WAIT_FOR = (
    "async ([selector, seconds]) => {"
    + _TOOLS
    + r"""
  const el = await until(() => { const it = find(selector); return it && isShown(it) ? it : null; }, seconds * 1000);
  return el ? {done: 1} : {missing: selector};
}
"""
)

REST = "async ([quiet, most]) => {" + _TOOLS + " await rest(quiet, most); return {done: 1}; }"
