// Numbers, times and addresses in words.

const whole = new Intl.NumberFormat("en");

/** @param {number} value */
export function number(value) {
  return whole.format(Math.round(value));
}

/**
 * @param {number} count
 * @param {string} one
 */
export function plural(count, one, many = `${one}s`) {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** @param {number} value */
export function seconds(value) {
  if (value < 0.0995) return `${Math.round(value * 1000)} ms`;
  if (value < 9.95) return `${value.toFixed(1)} s`;
  if (value < 120) return `${Math.round(value)} s`;
  if (value < 7200) return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
  return `${Math.floor(value / 3600)} h ${Math.round((value % 3600) / 60)} min`;
}

/** @param {number} epoch seconds since then */
export function day(epoch) {
  return new Date(epoch * 1000).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/** @param {number} value */
export function money(value) {
  return value ? value.toPrecision(value < 0.01 ? 2 : 3).replace(/\.?0+$/, "") : "";
}

/** @param {number} count */
export function bytes(count) {
  if (count < 1000) return `${count} B`;
  if (count < 1e6) return `${(count / 1e3).toFixed(1)} KB`;
  return `${(count / 1e6).toFixed(1)} MB`;
}

/** @param {number} share 0 to 1 */
export function percent(share) {
  return `${Math.round(share * 100)} %`;
}

/** Of pages that Walker made itself: hits of searches, and the start of a walk. */
const OWN_HOST = "library.invalid";

/** @param {string} url */
export function shortUrl(url) {
  try {
    const parts = new URL(url);
    if (parts.host === OWN_HOST && parts.searchParams.has("picture")) return "the picture of the question";
    const path = decodeURI(parts.pathname + parts.search);
    const place = /^#(page|slide|sheet)=([^#&]+)$/.exec(parts.hash);
    return (path === "/" ? parts.host : path) + (place ? ` (${place[1]} ${decodeURIComponent(place[2] ?? "")})` : "");
  } catch {
    return url;
  }
}

/** @param {string} text */
export function squeezed(text) {
  return text.replace(/\s+/g, " ").trim();
}

/**
 * The words of a search, in lower case.
 * @param {string} text
 */
export function wordsOf(text) {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

/**
 * What went wrong, as it is told.
 * @param {unknown} error
 */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
