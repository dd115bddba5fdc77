"""The part of the snapshot's script that finds what the text of a page does not carry: from what is drawn, never from what
words are on the page."""

FIND_BLIND = r"""
  const MOST_BLIND = 80, MOST_LOOKED_AT = 1500;
  const findBlind = (media) => {
    const found = [], body = document.body;
    if (!body) return found;
    const squeeze = (text) => text.replace(/\s+/g, ' ').trim();
    const place = (el) => { const box = el.getBoundingClientRect(); return {x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height}; };
    const around = (boxes) => {
      const x = Math.min(...boxes.map((box) => box.x)), y = Math.min(...boxes.map((box) => box.y));
      return {x, y, width: Math.max(...boxes.map((box) => box.x + box.width)) - x, height: Math.max(...boxes.map((box) => box.y + box.height)) - y};
    };
    const isShown = (el) => el.checkVisibility({visibilityProperty: true, opacityProperty: true});
    let headings = null;
    const headingOver = (box) => {
      headings ??= [...document.querySelectorAll('h1, h2, h3, h4, h5, h6, caption, legend')].slice(0, 300).map((el) => [place(el).y, squeeze(el.textContent).slice(0, 120)]);
      let best = '';
      for (const [y, text] of headings) if (y <= box.y + 4) best = text; else break;
      return best;
    };
    const nearOf = (el) => {
      for (let at = el, up = 0; at && at !== body && up < 5; at = at.parentElement, up += 1) {
        if (!/\S/.test(at.textContent)) continue;
        const text = squeeze(at.innerText ?? '');
        if (/[\p{L}\p{N}]{2}/u.test(text)) return text.slice(0, 160);
      }
      return '';
    };
    const detailOf = (el) => {
      const detail = el.localName === 'img' && el.clientWidth ? el.naturalWidth / el.clientWidth : 0;
      return detail >= 1.3 ? Math.round(10 * detail) / 10 : 0;
    };
    const add = (kind, box, el, declared, value) => {
      if (found.length < MOST_BLIND && box.width > 0 && box.height > 0)
        found.push({kind, box, near: sound(nearOf(el)), heading: sound(headingOver(box)), declared: !!declared, value: value ?? 0, detail: kind === 'media' ? detailOf(el) : 0});
    };
    const painted = (style) => (style.backgroundImage !== 'none' || !/rgba\(.*, 0\)|transparent/.test(style.backgroundColor));
    const nameOf = (el) => el.getAttribute('aria-label') || el.getAttribute('title') || el.getAttribute('alt')
      || (el.getAttribute('aria-labelledby') ?? '').split(/\s+/).map((id) => id && document.getElementById(id)?.textContent || '').join(' ');

    // Pictures without words.
    for (const [el, box, name] of media) {
      if (name || box.width * box.height < 1500) continue;
      if (el.closest('a, button, [role=button]') && box.width < 64 && box.height < 64) continue;
      if (el.localName === 'svg' && el.querySelector('text')) continue;
      if (el.localName === 'canvas' && squeeze(el.textContent)) continue;
      if (el.closest('figure')?.querySelector('figcaption')) continue;
      const declared = el.getAttribute('alt') === '' || el.closest('[aria-hidden=true], [role=presentation], [role=none]');
      add('media', box, el, declared);
    }
    // Things to press that have no name.
    let looked = 0;
    for (const el of body.querySelectorAll('button, a[href], [role=button], [role=link], [role=tab], [role=menuitem], input[type=image], [onclick], summary, area')) {
      if ((looked += 1) > MOST_LOOKED_AT) break;
      if (el.localName === 'area') continue;
      if (nameOf(el) || el.localName === 'input' && (el.value || el.alt) || /\S/.test(el.textContent.replace(/[\ue000-\uf8ff]/g, ''))) continue;
      if (el.querySelector('img[alt]:not([alt=""]), [aria-label], [title], title')) continue;
      const box = place(el);
      if (box.width < 10 || box.height < 10 || !isShown(el)) continue;
      if (['::before', '::after'].some((side) => /["'][^"']*[\p{L}\p{N}]/u.test(getComputedStyle(el, side).content.replace(/[\ue000-\uf8ff]/g, '')))) continue;
      // A button cut from a larger picture may hold words.
      const picture = getComputedStyle(el).backgroundImage.includes('url(') && box.width >= 48 && box.height >= 24;
      add(picture ? 'media' : 'control', box, el);
    }
    if (document.querySelector('map area:not([alt]), map area[alt=""]')) {
      for (const picture of document.querySelectorAll('img[usemap]')) if (isShown(picture)) add('control', place(picture), picture);
    }
    // Marks without text: bars whose width speaks, groups that differ in colour alone.
    const groups = new Map();
    looked = 0;
    for (const el of body.querySelectorAll('span:empty, i:empty, b:empty, em:empty, div:empty, td:empty, li:empty, rect, circle, a:empty, p:empty')) {
      if ((looked += 1) > MOST_LOOKED_AT) break;
      if (nameOf(el)) continue;
      const box = place(el);
      if (box.width < 3 || box.height < 3 || box.height > 400) continue;
      const style = getComputedStyle(el);
      const isShape = el.ownerSVGElement != null;
      const colour = isShape ? style.fill : style.backgroundColor;
      if (!isShape && style.backgroundImage.includes('url(') && box.width >= 32 && box.height >= 16 && isShown(el) && !el.closest('a, button')) { add('media', box, el, el.closest('[aria-hidden=true]')); continue; }
      if (!isShape && !painted(style)) continue;
      if (isShape && el.ownerSVGElement.querySelector('text')) continue;
      if (!isShown(el)) continue;
      const key = el.localName + '.' + (el.classList[0] ?? '') + '/' + (el.parentElement?.localName ?? '') + '.' + (el.parentElement?.classList?.[0] ?? '');
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push([el, box, colour, style]);
      const parent = el.parentElement;
      if (!isShape && parent && !/\S/.test(parent.textContent)) {
        const outer = place(parent);
        const partly = box.width < outer.width - 2 && outer.width <= 600 && box.height >= outer.height * 0.5 && outer.height <= 60;
        if (partly && (/%/.test(el.style.width) || painted(getComputedStyle(parent)))) add('width', outer, parent.parentElement ?? parent, false, Math.round(1000 * box.width / outer.width) / 1000);
      }
    }
    for (const marks of groups.values()) {
      if (marks.length < 2 || new Set(marks.map((mark) => mark[2])).size < 2) continue;
      // Marks side by side speak as a chart, each with its words beside it on its own.
      const own = marks.filter(([el]) => nearOf(el).length > 0);
      const together = around(marks.map((mark) => mark[1]));
      if (own.length === marks.length && new Set(marks.map(([el]) => nearOf(el))).size > 1) for (const [el, box] of marks.slice(0, 30)) add('colour', box, el);
      else add('colour', together, marks[0][0]);
    }
    // Cells that say next to nothing, in several colours.
    const cells = [...body.querySelectorAll('td, [class*=cell], [class*=day], [class*=slot], [class*=seat]')].slice(0, 600)
      .filter((el) => !el.firstElementChild && el.textContent.trim().length <= 3);
    if (cells.length >= 8) {
      const colours = cells.map((el) => getComputedStyle(el).backgroundColor);
      const kinds = new Set(colours);
      const rows = cells.map((el) => el.parentElement);
      const striped = rows.every((row, i) => i === 0 || row !== rows[i - 1] || colours[i] === colours[i - 1]);
      if (kinds.size >= 2 && !striped) add('colour', around(cells.map(place)), cells[0].closest('table, div, ul') ?? cells[0]);
    }
    // What only the style sheet says.
    const said = /["'][^"']*[\p{L}\p{N}]|attr\(/u;
    let rules = 0;
    const blocks = new Set();
    const generated = (list) => {
      for (const rule of list) {
        if ((rules += 1) > 6000 || found.length >= MOST_BLIND) return;
        if (rule.cssRules && rule.cssRules.length && !rule.selectorText) { generated(rule.cssRules); continue; }
        const selector = rule.selectorText;
        if (!selector || !/:(before|after)/.test(selector)) continue;
        const content = rule.style.content;
        if (!said.test(content) || /counter|var\(/.test(content) || /^["'][\ue000-\uf8ff]["']$/.test(content)) continue;
        for (const one of selector.split(',')) {
          if (!/::?(before|after)/.test(one)) continue;
          let elements = [];
          try { elements = body.querySelectorAll(one.replace(/::?(before|after).*$/, '') || '*'); } catch { continue; }
          for (const el of [...elements].slice(0, 30)) {
            // A word that is put before every note or link says nothing of its own.
            if (elements.length > 12 && !/attr\(/.test(content)) break;
            const box = place(el);
            if (box.width < 2 || !isShown(el)) continue;
            // The block around it is read whole: a digit alone tells nothing.
            const block = el.closest('p, li, td, th, dd, dt, div, h1, h2, h3, h4, section') ?? el;
            const outer = place(block);
            if (blocks.has(block)) continue;
            blocks.add(block);
            add('generated', outer.height <= 200 ? outer : box, block);
          }
        }
      }
    };
    for (const sheet of document.styleSheets) { let list = null; try { list = sheet.cssRules; } catch { list = null; } if (list) generated(list); }
    // Letters out of order.
    const seen = new Set();
    looked = 0;
    for (const third of body.querySelectorAll('span:nth-child(3), i:nth-child(3), b:nth-child(3), em:nth-child(3), div:nth-child(3)')) {
      if ((looked += 1) > MOST_LOOKED_AT) break;
      const parent = third.parentElement;
      if (seen.has(parent)) continue;
      seen.add(parent);
      const parts = [...parent.children];
      if (parts.length > 40 || parts.some((part) => part.firstElementChild || part.textContent.trim().length > 3)) continue;
      const boxes = parts.map(place).filter((box) => box.width > 0);
      if (boxes.length < 3) continue;
      let turned = 0;
      for (let i = 1; i < boxes.length; i += 1) if (boxes[i].x < boxes[i - 1].x - 1 && Math.abs(boxes[i].y - boxes[i - 1].y) < boxes[i].height / 2) turned += 1;
      if (turned && getComputedStyle(parent).direction === 'ltr') add('scrambled', around(boxes), parent);
    }
    // What lies over the window's middle.
    const layers = new Map();
    for (const across of [0.3, 0.5, 0.7]) for (const down of [0.3, 0.5, 0.7]) {
      for (let at = document.elementFromPoint(innerWidth * across, innerHeight * down); at && at !== body; at = at.parentElement) {
        const position = getComputedStyle(at).position;
        if (position === 'fixed' || position === 'absolute') { layers.set(at, (layers.get(at) ?? 0) + 1); break; }
      }
    }
    for (const [layer, points] of layers) {
      const words = squeeze(layer.textContent).length;
      if (points >= 4 && words < 40 && layer.querySelectorAll('img, canvas, svg').length + (layer.localName === 'img' || layer.localName === 'canvas') > 0
        && squeeze(body.textContent.slice(0, 5000)).length > 2 * words + 80) add('overlay', place(layer), layer);
    }
    // A font's own characters.
    if (/[\ue000-\uf8ff]/.test(body.textContent)) {
      const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode(), most = 20; node && most; node = texts.nextNode()) {
        if (!/[\ue000-\uf8ff]{2}|[\ue000-\uf8ff][\p{L}\p{N}.,:]|[\p{L}\p{N}.,:][\ue000-\uf8ff]/u.test(node.data)) continue;
        const el = node.parentElement;
        if (el && isShown(el) && !el.closest('button, a, [role=button]')) { add('glyphs', place(el), el.parentElement ?? el); most -= 1; }
      }
    }
    return found.sort((one, other) => one.box.y - other.box.y);
  };
"""
