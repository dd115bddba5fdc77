// What moves is held still while a picture is taken. Runs in a world of our own, which the page can neither see nor
// change.

/** @typedef {[animation: Animation, time: CSSNumberish | null]} Held */

/**
 * Animations that end are shown at their end, endless ones at their start; the caret is hidden.
 * @param {boolean} whole the picture is of the page and not of the window: it is scrolled to its top
 */
export function holdStill(whole) {
  const style = document.createElement("style");
  style.textContent = "*, *::before, *::after { caret-color: transparent !important; }";
  document.documentElement.append(style);
  /** @type {Held[]} */
  const held = [];
  for (const animation of document.getAnimations()) holdAnimation(animation, held);
  const [left, top] = [scrollX, scrollY];
  if (whole) scrollTo({ left: 0, top: 0, behavior: "instant" });
  globalThis.walkerLetGo = () => {
    style.remove();
    for (const [animation, time] of held) releaseAnimation(animation, time);
    if (whole) scrollTo({ left, top, behavior: "instant" });
  };
}

/** Lets the page move again. */
export function letGo() {
  globalThis.walkerLetGo?.();
}

/**
 * @param {Animation} animation
 * @param {Held[]} held gets it where it has no end
 */
function holdAnimation(animation, held) {
  const end = animation.effect?.getComputedTiming().endTime;
  const { currentTime } = animation;
  try {
    if (end === Infinity) {
      held.push([animation, currentTime]);
      animation.pause();
      animation.currentTime = 0;
    } else animation.finish();
  } catch {
    // An animation without a target cannot be moved, and moves nothing.
  }
}

/**
 * @param {Animation} animation
 * @param {CSSNumberish | null} time
 */
function releaseAnimation(animation, time) {
  try {
    animation.currentTime = time;
    animation.play();
  } catch {
    // It is gone.
  }
}
