// What the pages of jobs share. What sites say is put in as text, never as markup.

export const ENDED = ["done", "failed", "cancelled"];

/** @param {string} id */
export function part(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/**
 * @param {string} id
 * @param {string} text
 */
export function write(id, text) {
  part(id).textContent = text;
}

/** Ask for the token of the service, and load the page again for whoever has it. */
export function signIn() {
  part("sign-in").hidden = false;
  part("sign-in").addEventListener("submit", (event) => {
    event.preventDefault();
    const token = /** @type {HTMLInputElement} */ (part("token")).value;
    void fetch("/v1/session", { method: "POST", headers: { Authorization: `Bearer ${token}` } }).then((answer) => {
      if (answer.ok) location.reload();
      else write("state", "This is not the token.");
    });
  });
}
