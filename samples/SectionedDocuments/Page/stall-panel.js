// What is held back now, and in development the button that makes the store hold it.

import { milliseconds } from "./units.js";

const element = id => document.getElementById(id);

export class StallPanel {
  #stalled = null;

  constructor() {
    this.button = element("stall-button");
    this.button.addEventListener("click", () => this.#press());
  }

  /** Whether it worked, the figures tell. */
  #press() {
    fetch("/development/stall", { method: this.#stalled ? "DELETE" : "PUT" }).catch(() => {});
  }

  /** There are no figures, and no one to press a button for. */
  interrupt() {
    for (const id of ["held-replies", "dirty-keys", "longest-wait"]) element(id).textContent = "–";
    this.button.disabled = true;
  }

  show(figures) {
    this.button.disabled = false;
    element("held-replies").textContent = figures.heldReplies;
    element("dirty-keys").textContent = figures.dirtyKeys;
    element("longest-wait").textContent = milliseconds(figures.longestWait);
    if (figures.stalled === this.#stalled) return;
    this.#stalled = figures.stalled;
    element("stall-control").hidden = figures.stalled === null;
    element("stall-absent").hidden = figures.stalled !== null;
    element("stall").dataset.stalled = figures.stalled === true;
    this.button.textContent = figures.stalled ? "Release the store" : "Stall the store";
  }
}
