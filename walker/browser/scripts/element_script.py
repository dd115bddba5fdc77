"""The script that measures every element of a page that a person could read or press, and what becomes of its answer. It returns one
JSON string: rows in the order of `perception.element_map.PageElement`'s fields, and apart from them the steps of selectors."""

from __future__ import annotations

import re

import msgspec

from perception.element_map import ElementMap
from walker.browser.scripts.contrast_script import CONTRAST
from walker.browser.scripts.naming_script import NAMING

MAP_ELEMENTS = (
    "([whole, most, keep]) => {"
    + NAMING
    + CONTRAST
    + r"""
  const FIGURES = {img: 'img', canvas: 'canvas', svg: 'svg', video: 'video', object: 'object', embed: 'object'};
  const PRESSED = new Set(['button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'menuitem', 'menuitemcheckbox', 'menuitemradio',
    'option', 'combobox', 'textbox', 'searchbox', 'slider', 'spinbutton', 'treeitem', 'gridcell']);
  const left = scrollX, top = scrollY, wide = innerWidth, high = innerHeight;
  const rows = [], nodes = [], layers = [], pictures = [];
  let cutOff = 0;

  // Selectors come as steps, each with the number of the one above it: paths share most of their length.
  const steps = [], paths = [], stepped = new Map(), places = new Map();
  // Number among its siblings of one tag; a sibling counted before is not counted again.
  const placeOf = (el) => {
    let steps = 1, before = el.previousElementSibling;
    for (; before; before = before.previousElementSibling) {
      if (before.localName !== el.localName) continue;
      const known = places.get(before);
      if (known) { steps += known; break; }
      steps += 1;
    }
    places.set(el, steps);
    return steps;
  };
  const stepOf = (el) => {
    let number = stepped.get(el);
    if (number !== undefined) return number;
    const isNamed = el.id && /^[A-Za-z][\w-]*$/.test(el.id) && el.getRootNode().querySelectorAll('#' + el.id).length === 1;
    const step = isNamed ? [-1, el.id, 0] : [el.parentElement ? stepOf(el.parentElement) : -1, el.localName, placeOf(el)];
    number = steps.push(step) - 1;
    stepped.set(el, number);
    return number;
  };

  const add = (el, kind, role, name, text, box, frame, z, more) => {
    if (rows.length >= most) { cutOff += 1; return; }
    const row = [rows.length + 1, kind, role, name, text, Math.round(box.x * 10) / 10, Math.round(box.y * 10) / 10,
      Math.round(box.width * 10) / 10, Math.round(box.height * 10) / 10, z, 0, 0, frame, more.figure ?? '', more.font ?? 0,
      more.contrast ?? 0];
    // What most rows lack stands at their end, and is left out.
    if (more.unseen || more.source || more.described) row.push(more.unseen ?? '');
    if (more.source || more.described) row.push('', more.source ?? '', more.described ?? false);
    rows.push(row);
    nodes.push(el);
    if (more.step !== undefined) paths.push([rows.length, more.step]);
  };
  const range = document.createRange();
  const textBox = (el, frame) => {
    const own = frame ? el.ownerDocument.createRange() : range;
    own.selectNodeContents(el);
    return own.getBoundingClientRect();
  };

  const moved = (box, dx, dy) => ({x: box.x + dx, y: box.y + dy, width: box.width, height: box.height});
  const isInWindow = (box) => box.x < left + wide && box.x + box.width > left && box.y < top + high && box.y + box.height > top;
  const isShown = (box) => box.width > 0 && box.height > 0 && (whole || isInWindow(box));

  // A link flows around its picture: its own box is that of one line of letters, and the picture is pressed as well.
  const aroundPictures = (el, box, dx, dy) => {
    const inside = el.firstElementChild ? [...el.querySelectorAll('img, canvas, svg, video')].slice(0, 8) : [];
    if (!inside.length || lookOf(el).style.overflow !== 'visible') return box;
    const found = inside.filter((picture) => picture.checkVisibility()).map((picture) => picture.getBoundingClientRect());
    const parts = found.filter((part) => part.width >= 8 && part.height >= 8).map((part) => moved(part, dx, dy));
    if (box.width && box.height) parts.push(box);
    if (!parts.length) return box;
    const x = Math.min(...parts.map((part) => part.x)), y = Math.min(...parts.map((part) => part.y));
    return {x, y, width: Math.max(...parts.map((part) => part.x + part.width)) - x, height: Math.max(...parts.map((part) => part.y + part.height)) - y};
  };
  // Attributes are asked for first: what a browser works out from them costs five times as much.
  const isEdited = (el) => el.hasAttribute('contenteditable') && el.isContentEditable && !el.parentElement?.isContentEditable;
  const isOff = (box) => box.width > 0 && (box.top >= high || box.bottom <= 0 || box.left >= wide || box.right <= 0);
  // A range's box is that of the children and of all letters under them: asked once for a part of the page, instead of for each element
  // of it. What is seen without letters is not in it, nor what hangs in shadow roots.
  const LETTERLESS = 'img, canvas, svg, video, object, embed, iframe, frame, input, select, textarea, :empty:not(br, wbr)';
  let hosts = null;
  const isAllOff = (el) => {
    if (el.querySelector(LETTERLESS) || el.getRootNode() !== document) return false;
    hosts ??= [...document.getElementsByTagName('*')].filter((host) => host.shadowRoot);
    range.selectNodeContents(el);
    return isOff(range.getBoundingClientRect()) && !hosts.some((host) => el.contains(host));
  };
  const walkRoot = (root, dx, dy, frame, z0) => {
    // Elements, and of each what is above it: paint order, whether its text belongs to a run or a control, whether it is pointed at.
    const stack = [], contexts = [];
    const pushAll = (parent, context) => {
      for (let child = parent.lastElementChild; child; child = child.previousElementSibling) { stack.push(child); contexts.push(context); }
    };
    const outOfRun = (context) => context.inRun ? {...context, inRun: false} : context;
    pushAll(root, {z: z0, inRun: false, inControl: false, isPointer: false});
    while (stack.length) {
      const el = stack.pop(), context = contexts.pop();
      if (!whole && !frame && isOff(el.getBoundingClientRect())) {
        if (el.firstElementChild && isAllOff(el)) continue;
        // What is placed in the window may hang in what is not.
        pushAll(el, context.inRun && PHRASING.has(el.localName) ? context : outOfRun(context));
        if (el.shadowRoot) pushAll(el.shadowRoot, outOfRun(context));
        continue;
      }
      const tag = el.localName;
      if (SKIP.has(tag)) continue;
      const isPhrase = PHRASING.has(tag);
      if (!el.checkVisibility()) {
        if (tag !== 'area' && getComputedStyle(el).display !== 'contents') continue;
      }
      const {z: zAbove, inRun, inControl, isPointer: pointerAbove} = context;
      const figure = FIGURES[tag];
      const ownText = !figure && hasOwnText(el);
      let look = null, z = zAbove, isPointer = pointerAbove;
      if (!isPhrase || ownText || !el.firstElementChild || el.hasAttribute('style') || el.className) {
        look = lookOf(el);
        const {style, position} = look;
        if (position !== 'static') {
          const index = parseInt(style.zIndex, 10);
          z += Number.isNaN(index) ? 1 : index < 0 ? -1 : index + 1;
        }
        isPointer = style.cursor === 'pointer';
        if ((position === 'fixed' || position === 'absolute' || position === 'sticky') && (FIGURES[tag] || paints(look)) && +style.opacity > 0.5) {
          const box = el.getBoundingClientRect();
          if (box.width * box.height > 400) layers.push([el, z, box, rows.length]);
        }
      }
      const role = roleOf(el, tag);
      const presses = PRESSED.has(role) || tag === 'input' || (tag === 'label' && !!el.control) || isEdited(el)
        || el.hasAttribute('onclick') || (isPointer && !pointerAbove && !inControl) || (el.hasAttribute('tabindex') && el.tabIndex >= 0 && tag !== 'iframe');
      let box = null, shown = true;
      const measure = () => {
        if (box) return shown;
        box = moved(el.getBoundingClientRect(), dx, dy);
        if (presses) box = aroundPictures(el, box, dx, dy);
        shown = isShown(box);
        return shown;
      };
      let control = inControl;
      if (presses && tag !== 'label' && !(inControl && !PRESSED.has(role)) && measure() && !(tag === 'input' && el.type === 'hidden')) {
        look ??= lookOf(el);
        if (look.style.visibility === 'visible') {
          const text = clean(runText(el, 300, false)).slice(0, 300) || (el.value && el.type !== 'password' && typeof el.value === 'string' ? clean(el.value).slice(0, 300) : '');
          const font = parseFloat(look.style.fontSize), unseen = unseenOf(el, look, box, text, font);
          add(el, role === 'link' ? 'link' : 'control', role || 'button', nameOf(el, tag, true), text, box, frame, z,
            {font, contrast: text ? contrastOf(el, look) : 0, unseen, step: stepOf(el)});
          control = true;
        }
      }
      if (figure) {
        if (measure() && box.width >= 8 && box.height >= 8) {
          look ??= lookOf(el);
          if (look.style.visibility === 'visible') {
            const name = nameOf(el, tag, false);
            const address = el.currentSrc || el.src || el.data || '';
            add(el, 'figure', role || 'img', name, '', box, frame, z, {figure, described: !!name || !!el.closest('figure')?.querySelector('figcaption'),
              unseen: unseenOf(el, look, box, '', 0), source: typeof address === 'string' && !address.startsWith('data:') ? address.slice(0, 300) : ''});
            pictures.push(box);
          }
        }
        if (tag === 'svg') svgText(el, frame, z, dx, dy, control);
        continue;
      }
      if (tag === 'iframe' || tag === 'frame') {
        if (!measure()) continue;
        let inner = null;
        try { inner = el.contentDocument; } catch { inner = null; }
        add(el, 'frame', 'iframe', nameOf(el, tag, false), '', box, frame, z, {source: (el.src || '').slice(0, 300)});
        if (inner && inner.documentElement) walkRoot(inner.documentElement, box.x + el.clientLeft, box.y + el.clientTop, inner.location.href, z);
        continue;
      }
      if (look && look.image !== 'none' && look.image.includes('url(') && measure() && box.width >= 16 && box.height >= 16) {
        const source = /url\("?([^")]*)/.exec(look.image)?.[1] ?? '';
        add(el, 'figure', 'img', nameOf(el, tag, false), '', box, frame, z, {figure: 'background', described: !!clean(el.textContent.slice(0, 400)) || el.hasAttribute('aria-label'),
          unseen: look.style.visibility === 'visible' ? '' : 'transparent', source: source.startsWith('data:') ? '' : source.slice(0, 300)});
        pictures.push(box);
      }
      let run = inRun && isPhrase;
      if (ownText && !run && !control) {
        look ??= lookOf(el);
        if (look.style.visibility === 'visible') {
          // A block is as wide as its column; its letters say where it is read, where it is cut they end with it.
          const letters = moved(textBox(el, frame), dx, dy), flows = look.style.overflow === 'visible';
          const text = letters.width > 0 && (flows ? isShown(letters) : measure()) ? clean(runText(el, 300, false)).slice(0, 300) : '';
          if (text) {
            const cut = flows || isWithin(letters, box) ? letters : meet(letters, box), font = parseFloat(look.style.fontSize);
            add(el, 'text', role || 'text', '', text, cut, frame, z, {font, contrast: contrastOf(el, look), unseen: unseenOf(el, look, flows ? letters : box, text, font, letters)});
          }
        }
        run = true;
      }
      if (el.firstElementChild) pushAll(el, {z, inRun: run, inControl: control, isPointer});
      if (el.shadowRoot) pushAll(el.shadowRoot, {z, inRun: false, inControl: control, isPointer});
    }
  };
  const round2 = (value) => Math.round(value * 100) / 100;
  const meet = (one, other) => {
    const x = Math.max(one.x, other.x), y = Math.max(one.y, other.y);
    return {x, y, width: Math.max(0, Math.min(one.x + one.width, other.x + other.width) - x), height: Math.max(0, Math.min(one.y + one.height, other.y + other.height) - y)};
  };
  const isWithin = (one, other) => one.x >= other.x && one.y >= other.y && one.x + one.width <= other.x + other.width && one.y + one.height <= other.y + other.height;
  const svgText = (svg, frame, z, dx, dy, inControl) => {
    if (inControl) return;
    for (const part of svg.querySelectorAll('text')) {
      const found = part.getBoundingClientRect(), text = clean(part.textContent).slice(0, 300);
      if (!text || !found.width) continue;
      const box = moved(found, dx, dy);
      if (!whole && !isInWindow(box)) continue;
      add(part, 'text', 'text', '', text, box, frame, z, {font: parseFloat(getComputedStyle(part).fontSize)});
    }
  };
  const isFarAside = (letters) => letters.x < -500 || letters.x + letters.width > left + wide + 500;
  const unseenOf = (el, {style, position}, box, text, font, letters) => {
    if (!el.checkVisibility({opacityProperty: true}) || +style.opacity < 0.05) return style.transitionDuration === '0s' && style.animationName === 'none' ? 'transparent' : '';
    if (box.x + box.width <= 0 || box.y + box.height <= 0) return 'off-screen';
    if (text && (box.height <= 2 || box.width <= 1 || font < 3)) return 'tiny';
    if (text && (!letters || isFarAside(letters)) && parseFloat(style.textIndent) <= -999) return 'off-screen';
    const path = style.clipPath;
    if (path !== 'none' && (path === 'inset(50%)' || path === 'inset(100%)')) return 'clipped';
    if (position === 'absolute' || position === 'fixed') {
      const clip = style.clip;
      if (clip === 'rect(0px, 0px, 0px, 0px)' || clip === 'rect(1px, 1px, 1px, 1px)') return 'clipped';
    }
    if (text && isCutAway(el)) return 'clipped';
    return '';
  };
  // An ancestor of no height that hides what flows over.
  const cutting = new Map();
  const cuts = (el) => {
    let known = cutting.get(el);
    if (known === undefined) {
      known = lookOf(el).style.overflow !== 'visible' && el.clientHeight <= 1 && el.offsetHeight <= 1;
      cutting.set(el, known);
    }
    return known;
  };
  const isCutAway = (el) => {
    for (let at = el.parentElement, up = 0; at && up < 4; at = at.parentElement, up += 1) if (cuts(at)) return true;
    return false;
  };

  walkRoot(document.documentElement, left, top, '', 0);

  // What lies on top. In the window the renderer is asked; elsewhere the layers are compared.
  const COVERED = 10, COVERED_BY = 11, UNSEEN = 16, CONTRAST = 15, ids = new Map();
  nodes.forEach((el, i) => { if (!ids.has(el)) ids.set(el, i + 1); });
  const within = (one, other) => { for (let at = other; at; at = at.parentNode ?? at.host) if (at === one) return true; return false; };
  const opaqueUpTo = (node, el) => {
    for (let at = node; at && at.nodeType === 1 && !within(at, el); at = at.parentElement ?? at.getRootNode().host) {
      if (FIGURES[at.localName] || at.localName === 'iframe') return at;
      const look = lookOf(at);
      if (paints(look) && +look.style.opacity > 0.5) return at;
    }
    return null;
  };
  rows.forEach((row, i) => {
    const el = nodes[i];
    if (row[12]) return;
    const x = row[5] - left, y = row[6] - top, width = row[7], height = row[8];
    const inWindow = x + width / 2 >= 0 && x + width / 2 < wide && y + height / 2 >= 0 && y + height / 2 < high;
    let hits = 0, tried = 0, by = null;
    const spots = [[0.5, 0.5], [0.15, 0.2], [0.85, 0.2], [0.15, 0.8], [0.85, 0.8]];
    if (inWindow) {
      for (const [across, down] of spots) {
        const px = x + width * across, py = y + height * down;
        if (px < 0 || py < 0 || px >= wide || py >= high) continue;
        tried += 1;
        let over = document.elementFromPoint(px, py);
        while (over && over.shadowRoot) { const inner = over.shadowRoot.elementFromPoint(px, py); if (!inner || inner === over) break; over = inner; }
        const cover = !over || within(el, over) || within(over, el) ? null : opaqueUpTo(over, el);
        if (cover) { hits += 1; by = by ?? cover; }
        else if (tried === 1) break;
      }
    } else if (layers.length) {
      for (const [layer, z, box] of layers) {
        if (z < row[9] || within(layer, el) || within(el, layer) || (z === row[9] && !(layer.compareDocumentPosition(el) & Node.DOCUMENT_POSITION_PRECEDING))) continue;
        let inside = 0;
        for (const [across, down] of spots) {
          const px = x + width * across, py = y + height * down;
          if (px >= box.x && px < box.x + box.width && py >= box.y && py < box.y + box.height) inside += 1;
        }
        if (inside > hits) { hits = inside; by = layer; }
      }
      tried = spots.length;
    }
    if (hits) {
      row[COVERED] = round2(hits / tried);
      for (let at = by; at && !row[COVERED_BY]; at = at.parentElement) row[COVERED_BY] = ids.get(at) ?? 0;
      if (hits === tried && !row[UNSEEN]) row[UNSEEN] = 'covered';
    }
    if (row[CONTRAST] > 0 && row[CONTRAST] < 1.25) {
      // White on white, unless a picture stands between.
      const box = {x: row[5], y: row[6], width, height};
      if (pictures.some((picture) => { const common = meet(picture, box); return common.width * common.height > 0.3 * width * height; })) row[CONTRAST] = 0;
      else if (!row[UNSEEN]) row[UNSEEN] = 'same colour';
    }
  });
  if (keep) globalThis.unnamed = nodes.filter((el, i) => (rows[i][1] === 'control' || rows[i][1] === 'link') && !rows[i][3]).slice(0, keep);
  const page = document.scrollingElement ?? document.documentElement;
  return JSON.stringify({elements: rows, steps, paths, viewport: {x: left, y: top, width: wide, height: high},
    page_width: page.scrollWidth, page_height: page.scrollHeight, is_whole: whole, cut_off: cutOff});
}
"""
)


_SPECIAL = re.compile(r"[^A-Za-z0-9_-]")
"""What has a meaning of its own in a selector."""


def _escaped(letter: re.Match[str]) -> str:
    return "\\" + letter[0]


class _Measured(ElementMap, frozen=True, kw_only=True):
    """A map whose elements lack their selectors."""

    steps: tuple[tuple[int, str, int], ...] = ()
    """Of selectors: the number of the step above it, less than 0 for none; its tag, and its place among those of its tag; an id where
    the place is 0."""
    paths: tuple[tuple[int, int], ...] = ()
    """Id of an element, and number of the last step of its selector."""


def read_map(answer: str) -> ElementMap:
    """The map that the script measured. Raises `msgspec.MsgspecError` where a page meddled with it."""
    measured = msgspec.json.decode(answer, type=_Measured)
    written: list[str] = []
    for above, name, place in measured.steps:
        own = f"{_SPECIAL.sub(_escaped, name)}:nth-of-type({place})" if place else f"#{name}"
        written.append(f"{written[above]} > {own}" if 0 <= above < len(written) else own)
    elements = list(measured.elements)
    for number, step in measured.paths:
        if not (0 < number <= len(elements) and 0 <= step < len(written)):
            raise msgspec.ValidationError(f"no element {number} with a path {step}")
        elements[number - 1] = msgspec.structs.replace(elements[number - 1], selector=written[step])
    return ElementMap(
        elements=tuple(elements),
        viewport=measured.viewport,
        page_width=measured.page_width,
        page_height=measured.page_height,
        is_whole=measured.is_whole,
        cut_off=measured.cut_off,
    )
