"""The scripts that run inside a page. Each returns one JSON string: Playwright's own serialiser costs nine times as much."""

from walker.browser.scripts.blind_script import FIND_BLIND
from walker.browser.scripts.guard_script import WAIT_UNTIL_LOADED
from walker.browser.scripts.snapshot_parts_script import FOLD, WHEN_SETTLED

SETTLE = (
    "async ([shellChars, ...waits]) => {"
    f"const loaded = {WAIT_UNTIL_LOADED};"
    + WHEN_SETTLED
    + r"""
  const sparse = () => !document.body || document.body.innerText.trim().length < shellChars;
  if (leading || (document.scripts.length > 0 && (sparse() || busy()))) await settled(sparse, waits);
  // What is drawn is measured: style sheets and pictures belong to it.
  else await loaded(waits[2]);
}
"""
)

PASS_BANNER = r"""
() => {
  // Consent banners: known containers, else a fixed box that speaks of cookies. Accept, else hide.
  const known = '#onetrust-banner-sdk, #CybotCookiebotDialog, #didomi-host, #usercentrics-root, #qc-cmp2-container, '
    + '.qc-cmp2-container, .fc-consent-root, #cookie-law-info-bar, .cc-window, .cc-banner, #cookie-banner, .cookie-banner, '
    + '#cookie-notice, .cookie-notice, #cookie-consent, .cookie-consent, #cookieconsent, .cookieconsent, #gdpr-banner, '
    + '[role="dialog"][aria-label*="cookie" i], [role="dialog"][id*="cookie" i], [class*="cookie-bar"], [id*="cookie-bar"]';
  const accept = /^(accept|agree|allow|i agree|ok\b|okay|got it|yes|continue|understood|alle akzeptieren|akzeptieren|zustimmen|tout accepter|accepter|aceptar|accetta|同意|接受|允许|全部接受|我知道了|知道了|好的)/i;
  const refuse = /(settings|manage|preferences|more|reject|decline|设置|拒绝)/i;
  let box = null;
  for (const candidate of document.querySelectorAll(known)) if (candidate.checkVisibility()) { box = candidate; break; }
  if (!box) return '';
  const buttons = [...box.querySelectorAll('button, a, input[type=button], input[type=submit], [role=button]')];
  const label = (b) => (b.innerText || b.value || b.getAttribute('aria-label') || '').trim();
  const button = buttons.find((b) => accept.test(label(b)) && !refuse.test(label(b)));
  const outside = button && button.closest('a[href]') && !/^(#|javascript:)/.test(button.closest('a').getAttribute('href'));
  if (button && !outside) { button.click(); return 'accepted: ' + label(button).slice(0, 40); }
  box.style.setProperty('display', 'none', 'important');
  return 'hidden';
}
"""

TAKE_SNAPSHOT = (
    "() => {"
    + FIND_BLIND
    + FOLD
    + r"""
  const unrendered = new Set(['script', 'style', 'template', 'link', 'meta', 'title', 'head', 'noscript', 'base', 'br', 'wbr',
    'option', 'optgroup', 'source', 'track', 'param', 'area', 'map', 'col', 'colgroup', 'datalist', 'body', 'html']);
  // Beyond the left or upper edge nobody can scroll to; text of no size, or in a box of a point, nobody can read.
  const whyBeyond = (el) => {
    const box = el.getBoundingClientRect();
    if (box.width + box.height === 0) return null;
    if (box.right + scrollX <= 0 || box.bottom + scrollY <= 0) return 'off-screen';
    return (box.height <= 2 || box.width <= 1) && !el.closest('a, button, label') ? 'tiny' : null;
  };
  // Letters in the colour of their ground. What is behind them is asked of the renderer where it can be, and where it cannot,
  // only plain text in the flow of the page is judged.
  const grounds = new Map();
  const channels = (colour) => { const found = colour.match(/[\d.]+/g); return found ? [+found[0], +found[1], +found[2], found.length > 3 ? +found[3] : 1] : null; };
  const groundOf = (el) => {
    if (!el) return [255, 255, 255];
    let ground = grounds.get(el);
    if (ground !== undefined) return ground;
    const style = getComputedStyle(el);
    const own = channels(style.backgroundColor);
    if (style.backgroundImage !== 'none' || !own || (own[3] > 0 && own[3] < 1)) ground = null;
    else ground = own[3] === 1 ? own : groundOf(el.parentElement);
    grounds.set(el, ground);
    return ground;
  };
  const isAlike = (one, other) => one && other && Math.abs(one[0] - other[0]) + Math.abs(one[1] - other[1]) + Math.abs(one[2] - other[2]) <= 12;
  const isUnlit = (el, style) => {
    const colour = channels(style.color);
    if (!colour || !isAlike(colour, groundOf(el))) return false;
    if (style.textShadow !== 'none' || style.webkitTextFillColor !== style.color || colour[3] === 0) return false;
    const box = el.getBoundingClientRect();
    if (!box.width || el.getRootNode() !== document) return false;
    const [x, y] = [box.x + Math.min(box.width / 2, 40), box.y + box.height / 2];
    if (x >= 0 && y >= 0 && x < innerWidth && y < innerHeight) {
      for (const under of document.elementsFromPoint(x, y)) {
        if (under === el || el.contains(under)) continue;
        if (/^(img|canvas|video|svg|iframe|object|picture)$/.test(under.localName)) return false;
        const behind = getComputedStyle(under);
        if (behind.backgroundImage !== 'none') return false;
        const shade = channels(behind.backgroundColor);
        if (shade && shade[3] > 0) return isAlike(colour, shade);
      }
      return true;
    }
    for (let at = el; at && at !== document.body; at = at.parentElement) if (getComputedStyle(at).position !== 'static') return false;
    return true;
  };
  // Cut down to nothing, or moved out of its own box. A button's picture may stand in for such words: they are its name.
  const isCut = (el, {clipPath, clip, textIndent}) => ((clipPath !== 'none' && /^(inset\((50|100)%\)|circle\(0)/.test(clipPath))
    || (clip !== 'auto' && /^rect\(([01]px,? ){3}[01]px\)$/.test(clip)) || parseFloat(textIndent) <= -999) && !el.closest('a, button, label');
  // Under an even ground that scrolls with it: a picture may be clear, a dialog closed, and a bar that stays scrolled from under.
  const PASSING = 'dialog, [role=dialog], [role=alertdialog], [aria-modal=true], [role=menu], [role=tooltip], [popover]';
  const isOpaque = (el) => {
    const style = getComputedStyle(el);
    return +style.opacity === 1 && (channels(style.backgroundColor) ?? [0, 0, 0, 0])[3] === 1;
  };
  const stays = (el) => {
    if (el.closest(PASSING)) return true;
    for (let at = el; at; at = at.parentElement) if (/fixed|sticky/.test(getComputedStyle(at).position)) return true;
    return false;
  };
  const isCovered = (el) => {
    const whole = el.getBoundingClientRect();
    if (whole.bottom < 0 || whole.top >= innerHeight || el.getRootNode() !== document) return false;
    const words = document.createRange();
    words.selectNodeContents(el);
    const box = words.getBoundingClientRect();
    const y = box.y + box.height / 2;
    if (!box.width || y < 0 || y >= innerHeight || box.x < 0 || box.right > innerWidth) return false;
    const top = document.elementFromPoint(box.x + box.width / 2, y);
    if (!top || el.contains(top) || top.contains(el)) return false;
    return [0.1, 0.5, 0.9].every((across) => {
      const stack = document.elementsFromPoint(box.x + box.width * across, y);
      const place = stack.findIndex((each) => el.contains(each));
      return stack.slice(0, Math.max(place, 0)).some((each) => !each.contains(el) && isOpaque(each) && !stays(each));
    });
  };
  // Why nobody sees an element: null where it is seen, '' for what a page leaves out as pages do (menus, tabs), else a word for it.
  const whyHidden = (el) => {
    if (el.checkVisibility({visibilityProperty: true, opacityProperty: true})) {
      const first = el.firstChild;
      if (!first || first.nodeType !== 3 || !first.data.trim()) return null;
      const style = getComputedStyle(el);
      return whyBeyond(el) ?? (isUnlit(el, style) ? 'same colour' : isCut(el, style) ? 'clipped' : isCovered(el) ? 'covered' : null);
    }
    const style = getComputedStyle(el);
    if (!el.checkVisibility({visibilityProperty: true})) return style.display !== 'contents' ? '' : null;
    // Transparent now; what fades in while one scrolls is not hidden.
    return style.transitionDuration === '0s' && style.animationName === 'none' ? 'transparent' : null;
  };
  const showsFrame = (frame) => frame.checkVisibility();
  const goesInto = (el, copy) => {
    const why = !unrendered.has(el.localName) && el.checkVisibility ? whyHidden(el) : null;
    if (why !== null) { copy.setAttribute('data-walker-hidden', why); return false; }
    return el.localName !== 'svg' && el.localName !== 'head';
  };
  const media = [], pictures = [];
  for (const el of document.querySelectorAll('img, canvas, svg, video, iframe, object, embed')) {
    if (media.length >= 200) break;
    const box = el.getBoundingClientRect();
    if (box.width < 32 || box.height < 32) continue;
    const title = el.localName === 'svg' ? el.querySelector('title')?.textContent : '';
    const name = sound((el.getAttribute('alt') || el.getAttribute('aria-label') || el.getAttribute('title') || title || '').trim().slice(0, 200));
    const kind = el.localName === 'embed' ? 'object' : el.localName;
    const at = {x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height};
    media.push({kind, name, box: at});
    if (kind !== 'iframe' && kind !== 'video') pictures.push([el, at, name]);
  }
  let blind = [];
  try { blind = findBlind(pictures); } catch { blind = []; }
  const root = document.documentElement;
  return JSON.stringify({
    html: root ? sound(fold(root).outerHTML) : '', url: location.href, title: sound(document.title),
    type: document.contentType, status: performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0,
    layout: {viewport_width: innerWidth, viewport_height: innerHeight, page_height: root ? root.scrollHeight : 0, media, blind},
  });
}
"""
)
