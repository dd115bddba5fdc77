// Consent banners: known containers, else a fixed box that speaks of cookies. Accept, else hide.

const KNOWN = [
  "#onetrust-banner-sdk",
  "#CybotCookiebotDialog",
  "#didomi-host",
  "#usercentrics-root",
  "#qc-cmp2-container",
  ".qc-cmp2-container",
  ".fc-consent-root",
  "#cookie-law-info-bar",
  ".cc-window",
  ".cc-banner",
  "#cookie-banner",
  ".cookie-banner",
  "#cookie-notice",
  ".cookie-notice",
  "#cookie-consent",
  ".cookie-consent",
  "#cookieconsent",
  ".cookieconsent",
  "#gdpr-banner",
  '[role="dialog"][aria-label*="cookie" i]',
  '[role="dialog"][id*="cookie" i]',
  '[class*="cookie-bar"]',
  '[id*="cookie-bar"]',
].join(", ");
const BUTTONS = "button, a, input[type=button], input[type=submit], [role=button]";
const ACCEPTS = [
  /^(accept|agree|allow|i agree|ok\b|okay|got it|yes|continue|understood)/i,
  /^(alle akzeptieren|akzeptieren|zustimmen|tout accepter|accepter|aceptar|accetta)/i,
  /^(同意|接受|允许|全部接受|我知道了|知道了|好的)/i,
];
const REFUSES = /(settings|manage|preferences|more|reject|decline|设置|拒绝)/i;
const LABEL_CHARS = 40;

/**
 * @param {() => void} beforePressing called before a button is pressed
 * @returns {{done: string, isPressed: boolean}} what was done with a banner: "accepted: ...", "hidden", or ""
 *   where there is none
 */
export function passBanner(beforePressing) {
  const banner = /** @type {HTMLElement | undefined} */ (
    [...document.querySelectorAll(KNOWN)].find((each) => each.checkVisibility())
  );
  if (!banner) return { done: "", isPressed: false };
  const buttons = /** @type {HTMLElement[]} */ ([...banner.querySelectorAll(BUTTONS)]);
  const button = buttons.find(accepts);
  if (button && !leadsAway(button)) {
    const label = labelOf(button).slice(0, LABEL_CHARS);
    beforePressing();
    button.click();
    return { done: `accepted: ${label}`, isPressed: true };
  }
  banner.style.setProperty("display", "none", "important");
  return { done: "hidden", isPressed: false };
}

/**
 * @param {HTMLElement} button
 * @returns {string}
 */
function labelOf(button) {
  const { value } = /** @type {HTMLInputElement} */ (button);
  return (button.innerText || value || button.getAttribute("aria-label") || "").trim();
}

/**
 * @param {HTMLElement} button
 * @returns {boolean}
 */
function accepts(button) {
  const label = labelOf(button);
  return ACCEPTS.some((words) => words.test(label)) && !REFUSES.test(label);
}

/**
 * @param {HTMLElement} button
 * @returns {boolean} whether it leads to another page
 */
function leadsAway(button) {
  if (!button.closest("a[href]")) return false;
  return !/^(#|javascript:)/.test(button.closest("a")?.getAttribute("href") ?? "");
}
