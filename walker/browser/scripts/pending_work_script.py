"""What a page still means to do: requests that its programs wait for, timers that they set, and whether they hear of scrolling.

A page that looks finished may be filled by a timer of ten seconds, and one that ends may go on when somebody scrolls; neither can
be told from its document. Kept in the page's own world, where its programs are, and asked from ours.
"""

INTENT_PAGE = r"""
(() => {
  const page = document, send = page.dispatchEvent.bind(page), Told = CustomEvent, write = JSON.stringify;
  const now = performance.now.bind(performance), apply = Reflect.apply;
  // Shorter ones are over before anybody asks; what is set later was set by something that came of itself.
  const least = 500, most = 15000;
  // They come after their time, the more so on a machine that is busy.
  const late = 300;
  let flying = 0, due = 0, loaded = Infinity, scrolls = false;
  const land = () => { flying -= 1; };
  addEventListener('load', () => { loaded = now(); }, {once: true});

  const {setTimeout: set, fetch: ask, IntersectionObserver: Observer} = window;
  window.setTimeout = function setTimeout(handler, delay, ...rest) {
    if (delay >= least && delay <= most && now() - loaded < least) due = Math.max(due, now() + +delay + late);
    return apply(set, window, [handler, delay, ...rest]);
  };
  if (ask) window.fetch = function fetch(...given) {
    const answer = apply(ask, window, given);
    flying += 1;
    // Its text is read in a turn of its own.
    answer.then(() => set(land, 50), land);
    return answer;
  };
  const asked = XMLHttpRequest.prototype.send;
  XMLHttpRequest.prototype.send = function send(...given) {
    flying += 1;
    this.addEventListener('loadend', land, {once: true});
    try { return apply(asked, this, given); } catch (error) { land(); throw error; }
  };
  const hear = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function addEventListener(kind, ...given) {
    if (kind === 'scroll' || kind === 'scrollend' || kind === 'wheel') scrolls = true;
    return apply(hear, this ?? window, [kind, ...given]);
  };
  if (Observer) window.IntersectionObserver = class IntersectionObserver extends Observer {
    constructor(...given) { super(...given); scrolls = true; }
  };
  apply(hear, page, ['walker-intent?', () => {
    const handled = window.onscroll ?? page.onscroll ?? page.body?.onscroll;
    send(new Told('walker-intent', {detail: write({flying, due, scrolls: scrolls || Boolean(handled)})}));
  }]);
})();
"""
"""In the page's own world, before its scripts."""

INTENT = r"""
  // What the page says of itself is believed within bounds of time only.
  const intent = () => {
    let told = null;
    const hear = (event) => { try { told = JSON.parse(String(event.detail)); } catch { told = null; } };
    document.addEventListener('walker-intent', hear);
    document.dispatchEvent(new Event('walker-intent?'));
    document.removeEventListener('walker-intent', hear);
    return {flying: told?.flying > 0, due: Number(told?.due) || 0, scrolls: told?.scrolls === true};
  };
"""
"""`intent()` in ours: whether requests are under way (`flying`), when the last timer set while the page loaded will be over (`due`, by
`performance.now`), and whether scrolling is heard (`scrolls`)."""
