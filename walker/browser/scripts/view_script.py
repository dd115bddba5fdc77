"""Scripts around a screenshot. They run in a world of their own, which the page can neither see nor change."""

HOLD_STILL = r"""
(whole) => {
  // Animations that end are shown at their end, endless ones at their start; the caret is hidden.
  const style = document.createElement('style');
  style.textContent = '*, *::before, *::after { caret-color: transparent !important; }';
  document.documentElement.append(style);
  const held = [];
  for (const animation of document.getAnimations()) {
    const end = animation.effect?.getComputedTiming().endTime;
    try {
      if (end === Infinity) { held.push([animation, animation.currentTime]); animation.pause(); animation.currentTime = 0; }
      else animation.finish();
    } catch { /* an animation without a target cannot be moved, and moves nothing */ }
  }
  const [x, y] = [scrollX, scrollY];
  if (whole) scrollTo({left: 0, top: 0, behavior: 'instant'});
  globalThis.letGo = () => {
    style.remove();
    for (const [animation, time] of held) { try { animation.currentTime = time; animation.play(); } catch { /* gone */ } }
    if (whole) scrollTo({left: x, top: y, behavior: 'instant'});
  };
}
"""

LET_GO = "globalThis.letGo?.()"

LOAD_LAZY = r"""
async ([mostMs, mostHeight, mostElements]) => {
  // Pictures that load when they come into sight are brought there once; a page without any is not scrolled.
  const lazy = document.querySelectorAll('img[loading=lazy], iframe[loading=lazy], [data-src], [data-lazy], [data-srcset], .lazy, .lazyload');
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  const end = performance.now() + mostMs;
  if (lazy.length) {
    for (const picture of lazy) if (picture.loading === 'lazy') picture.loading = 'eager';
    const [x, y] = [scrollX, scrollY], height = Math.min(document.documentElement.scrollHeight, mostHeight);
    for (let top = 0; top < height && performance.now() < end; top += innerHeight) { scrollTo({top, behavior: 'instant'}); await wait(30); }
    scrollTo({left: x, top: y, behavior: 'instant'});
  }
  // A page is read before its load is over; a background, which does not tell when it is there, is there by then.
  const isOver = () => document.readyState === 'complete';
  const hasBackgrounds = !isOver() && [...document.body?.querySelectorAll('*') ?? []].slice(0, mostElements)
    .some((element) => getComputedStyle(element).backgroundImage.includes('url('));
  while (performance.now() < end && !([...document.images].every((image) => image.complete) && (isOver() || !hasBackgrounds)))
    await wait(30);
  return lazy.length;
}
"""
