"""The piece of script that says what an element is: its text, its name and its role (ARIA in HTML, Accessible Name 1.2)."""

NAMING = r"""
  const SKIP = new Set(['script', 'style', 'template', 'noscript', 'head', 'meta', 'link', 'title', 'br', 'wbr', 'option',
    'optgroup', 'source', 'track', 'param', 'map', 'datalist', 'col', 'colgroup']);
  const PHRASING = new Set(['b', 'i', 'em', 'strong', 'span', 'a', 'code', 'small', 'sub', 'sup', 'mark', 'u', 's', 'abbr', 'time',
    'kbd', 'samp', 'var', 'q', 'cite', 'dfn', 'font', 'bdi', 'bdo', 'ruby', 'rt', 'rp', 'ins', 'del', 'label', 'big', 'tt', 'data']);
  const ROLES = {a: 'link', area: 'link', button: 'button', select: 'combobox', textarea: 'textbox', summary: 'button', img: 'img',
    canvas: 'img', svg: 'img', video: 'video', iframe: 'iframe', h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading',
    h5: 'heading', h6: 'heading', li: 'listitem', td: 'cell', th: 'columnheader', p: 'paragraph', object: 'img', embed: 'img'};
  const INPUTS = {checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton', search: 'searchbox', button: 'button',
    submit: 'button', reset: 'button', image: 'button', file: 'button', color: 'button'};
  const clean = (text) => { text = text.replace(/\s+/g, ' ').trim(); return text.toWellFormed ? text.toWellFormed() : text; };
  const hasOwnText = (el) => {
    for (let node = el.firstChild; node; node = node.nextSibling) if (node.nodeType === 3 && /\S/.test(node.data)) return true;
    return false;
  };
  // Text of an element with its phrasing children; what stands in blocks of its own is left to them.
  const runText = (el, limit, all) => {
    let text = '';
    for (let node = el.firstChild; node && text.length < limit; node = node.nextSibling) {
      if (node.nodeType === 3) text += node.data;
      else if (node.nodeType !== 1 || SKIP.has(node.localName)) text += ' ';
      else if (node.localName === 'img') text += ' ' + (all ? node.getAttribute('alt') ?? '' : '') + ' ';
      else if (node.localName === 'svg') text += ' ' + (all ? node.querySelector('title')?.textContent ?? '' : '') + ' ';
      else if ((all || PHRASING.has(node.localName)) && node.checkVisibility()) {
        const label = all ? node.getAttribute('aria-label') : null;
        text += label ? ' ' + label + ' ' : (all && !PHRASING.has(node.localName) ? ' ' : '') + runText(node, limit, all);
      } else text += ' ';
    }
    return text;
  };
  const pseudoText = (el) => {
    let text = '';
    for (const side of ['::before', '::after']) {
      const content = getComputedStyle(el, side).content;
      if (content && content[0] === '"') text += content.slice(1, -1);
    }
    return text;
  };
  const nameOf = (el, tag, presses) => {
    const ids = el.getAttribute('aria-labelledby');
    if (ids) {
      const root = el.getRootNode();
      const said = clean(ids.split(/\s+/).map((id) => root.getElementById?.(id)?.textContent ?? '').join(' '));
      if (said) return said;
    }
    let said = el.getAttribute('aria-label');
    if (said && said.trim()) return clean(said);
    if (tag === 'img' || tag === 'area') said = el.getAttribute('alt');
    else if (tag === 'svg') said = el.querySelector('title')?.textContent;
    else if (tag === 'input' || tag === 'select' || tag === 'textarea') {
      const type = el.type;
      if (type === 'image') said = el.getAttribute('alt');
      else if (type === 'submit') said = el.value || 'Submit';
      else if (type === 'reset') said = el.value || 'Reset';
      else if (type === 'button') said = el.value;
      if (!said && el.labels) said = [...el.labels].map((label) => label.textContent).join(' ');
      if (!said || !said.trim()) said = el.getAttribute('title') || el.getAttribute('placeholder');
    } else if (presses) said = runText(el, 200, true);
    if (!said || !said.trim()) said = el.getAttribute('title');
    if ((!said || !said.trim()) && presses) {
      // Letters of a private plane are icons, not words.
      said = pseudoText(el).replace(/[\ue000-\uf8ff]/g, '');
      if (!/[\p{L}\p{N}]/u.test(said)) said = '';
    }
    return clean(said ?? '').slice(0, 200);
  };
  const roleOf = (el, tag) => {
    const written = el.getAttribute('role');
    if (written) return written.trim().split(/\s+/)[0].toLowerCase();
    if (tag === 'input') return INPUTS[el.type] ?? 'textbox';
    if (tag === 'a' && !el.hasAttribute('href')) return '';
    return ROLES[tag] ?? '';
  };
"""
"""`clean(text)`, `hasOwnText(element)`, `runText(element, limit, all)`, `nameOf(element, tag, presses)`, `roleOf(element, tag)`."""
