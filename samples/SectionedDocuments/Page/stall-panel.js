// What is held back now, and in development the button that makes the store hold it.

const element = id => document.getElementById(id);

export class StallPanel {
  #stalled = null;

  constructor() {
    this.button = element("stall-button");
    this.button.addEventListener("click", () => fetch("/development/stall", { method: this.#stalled ? "DELETE" : "PUT" }).catch(() => {})); // the figures tell what came of it
  }

  show(figures) {
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
