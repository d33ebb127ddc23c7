// The edits that are held back now, and in development the buttons that make the store hold them.

import { milliseconds, percent } from "./units.js";

const element = id => document.getElementById(id);

export class StallPanel {
  #stall = new Switch("stall-button", "/development/stall");
  #writers = new Switch("writers-button", "/development/writers");

  /** There are no figures, and a button would do nothing. */
  interrupt() {
    for (const id of ["held-replies", "dirty-keys", "collapsed", "longest-wait"]) element(id).textContent = "–";
    this.#stall.disable();
    this.#writers.disable();
  }

  show(figures) {
    const { heldReplies, dirtyKeys, longestWait, stalled, writers } = figures;
    element("held-replies").textContent = heldReplies;
    element("dirty-keys").textContent = dirtyKeys;
    element("collapsed").textContent = heldReplies > dirtyKeys ? percent(1 - dirtyKeys / heldReplies) : "–";
    element("longest-wait").textContent = milliseconds(longestWait);
    element("stall-control").hidden = stalled === null;
    element("stall-absent").hidden = stalled !== null;
    element("stall").dataset.stalled = stalled === true;
    this.#stall.show(stalled === true, stalled ? "Release the store" : "Stall the store");
    this.#writers.show(writers > 0, writers > 0 ? `Stop the ${writers} writers` : "Start 64 writers");
  }
}

/** A button that turns something of the service on, and off again. The figures tell whether it worked. */
class Switch {
  #on = false;

  constructor(id, path) {
    this.button = element(id);
    this.button.addEventListener("click", () => fetch(path, { method: this.#on ? "DELETE" : "PUT" }).catch(() => {}));
  }

  disable() {
    this.button.disabled = true;
  }

  show(on, text) {
    this.#on = on;
    this.button.disabled = false;
    if (this.button.textContent !== text) this.button.textContent = text;
  }
}
