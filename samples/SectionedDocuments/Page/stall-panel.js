// What is held back now, and in development the button that makes the store hold it.

const element = id => document.getElementById(id);

export class StallPanel {
  #stalled = null;

  constructor() {
    this.button = element("stall-button");
    this.button.addEventListener("click", () => fetch("/development/stall", { method: this.#stalled ? "DELETE" : "PUT" }).catch(() => {})); // the figures tell what came of it
  }

  /** There are no figures, and no one to press a button for. */
  interrupt() {
    for (const id of ["held-replies", "dirty-keys", "requests-in-flight"]) element(id).textContent = "–";
    this.button.disabled = true;
  }

  show(figures) {
    this.button.disabled = false;
    element("held-replies").textContent = figures.heldReplies;
    element("dirty-keys").textContent = figures.dirtyKeys;
    element("requests-in-flight").textContent = figures.requestsInFlight;
    if (figures.stalled === this.#stalled) return;
    this.#stalled = figures.stalled;
    element("stall-control").hidden = figures.stalled === null;
    element("stall-absent").hidden = figures.stalled !== null;
    element("stall").dataset.stalled = figures.stalled === true;
    this.button.textContent = figures.stalled ? "Release the store" : "Stall the store";
  }
}
