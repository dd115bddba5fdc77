// Types into fields of the page, chooses from its lists, and sends its forms.

import { findElement } from "./finding.js";
import { waitFor } from "./waiting.js";

/** @typedef {{done: 1} | {missing: string}} Filled what was not there, in words */

const SUBMITS = "button:not([type]), button[type=submit], input[type=submit], input[type=image]";

/**
 * @param {[selector: string, text: string, seconds: number]} asked
 * @returns {Promise<Filled>}
 */
export async function typeText([selector, text, seconds]) {
  const el = await waitFor(() => findElement(selector), seconds * 1000);
  if (!el) return { missing: selector };
  el.focus?.();
  if (el instanceof HTMLSelectElement) {
    if (!(await choose(el, text, seconds * 1000))) return { missing: `such a choice in ${selector}` };
  } else if (el.isContentEditable) el.textContent = text;
  else setValue(el, text);
  el.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true, data: text }));
  el.dispatchEvent(new Event("change", { bubbles: true }));
  return { done: 1 };
}

/**
 * One of several lists may be filled only when another was chosen from. What is chosen is said by its value or by its
 * words.
 * @param {HTMLSelectElement} list
 * @param {string} text
 * @param {number} mostMs
 * @returns {Promise<boolean>} whether there was such a choice
 */
async function choose(list, text, mostMs) {
  const words = plain(text);
  const choice = () =>
    [...list.options].find((one) => one.value === text) ??
    [...list.options].find((one) => plain(one.label) === words) ??
    null;
  const chosen = await waitFor(choice, mostMs);
  if (!chosen) return false;
  if (!list.multiple) list.selectedIndex = chosen.index;
  chosen.selected = true;
  return true;
}

/**
 * @param {string} words
 * @returns {string}
 */
function plain(words) {
  return words.trim().replace(/\s+/g, " ");
}

/**
 * Sets a value as a person's keys do, past what the page put over the property.
 * @param {Element} el
 * @param {string} text
 */
function setValue(el, text) {
  const owner = el instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(owner.prototype, "value")?.set?.call(el, text);
}

/**
 * @param {[selector: string, seconds: number]} asked a form, or something in one; what is in none is pressed
 * @returns {Promise<Filled>}
 */
export async function submitForm([selector, seconds]) {
  const el = await waitFor(() => findElement(selector), seconds * 1000);
  if (!el) return { missing: selector };
  const form = el.closest?.("form") ?? /** @type {HTMLInputElement} */ (el).form;
  if (!form) {
    el.click();
    return { done: 1 };
  }
  form.removeAttribute("target");
  const button = /** @type {HTMLElement | null} */ (form.querySelector(SUBMITS));
  setTimeout(() => {
    if (button) button.click();
    else form.requestSubmit();
  }, 0);
  return { done: 1 };
}
