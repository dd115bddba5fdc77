// What a walk asks the person at its terminal, with a button for each choice.

/** @import { Asked, AskedChoice, Source } from "../types.d.ts" */

import { h, put, say } from "../elements/dom.js";
import { messageOf } from "../elements/words.js";

export class AskedPanel {
  node = h("section", { class: "asks", role: "alert", "aria-label": "The walk asks you", hidden: true });
  #source;
  #run;
  /** Of what is shown. */
  #number = 0;
  #left = h("span", { class: "dim" });

  /**
   * @param {Source} source
   * @param {string} run
   */
  constructor(source, run) {
    this.#source = source;
    this.#run = run;
  }

  /** Shows what is asked now, if anything is. */
  async read() {
    if (!this.#source.asks) return;
    /** @type {{ asked: Asked | null }} */
    const { asked } = await this.#source.json(this.#run, "asked");
    if (asked === null) {
      this.hide();
      return;
    }
    if (asked.number !== this.#number) this.#draw(asked);
    const left = Math.max(0, Math.round(asked.until - Date.now() / 1000));
    const who = this.#source.mayAnswer() ? "" : " To choose here, open the address that walker view printed.";
    put(this.#left, `It goes on without in ${left} s, and may be answered at its terminal too.${who}`);
  }

  hide() {
    this.#number = 0;
    this.node.hidden = true;
  }

  /** @param {Asked} asked */
  #draw({ number, pause }) {
    this.#number = number;
    const choices = pause.choices.map((choice, place) => h("li", {}, this.#button(choice, place + 1)));
    const without = this.#pressed("plain", 0, "Go on without");
    put(
      this.node,
      h("h2", {}, "The walk asks you"),
      h("p", {}, pause.text),
      h("p", { class: "small" }, this.#left),
      h("ol", {}, choices),
      h("p", {}, without),
    );
    this.node.hidden = false;
  }

  /**
   * @param {AskedChoice} choice
   * @param {number} place
   */
  #button({ text, detail, url }, place) {
    const more = [detail, url].filter(Boolean).map((line) => h("span", { class: "dim small" }, line));
    return this.#pressed("choice", place, h("b", {}, text), ...more);
  }

  /**
   * @param {string} kind
   * @param {number} choice
   * @param {...(Node | string)} children
   */
  #pressed(kind, choice, ...children) {
    const attributes = { type: "button", class: kind, disabled: !this.#source.mayAnswer() };
    return h("button", { ...attributes, onclick: () => this.#answer(choice) }, ...children);
  }

  /** @param {number} choice */
  async #answer(choice) {
    for (const button of this.node.querySelectorAll("button")) button.disabled = true;
    try {
      await this.#source.answer(this.#run, this.#number, choice);
      this.hide();
    } catch (error) {
      put(this.#left, messageOf(error));
      say(`The answer was not taken: ${messageOf(error)}`);
    }
  }
}
