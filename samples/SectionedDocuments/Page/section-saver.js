// One section: what it should be, what the store is known to have, and what is on its way between the two. No DOM, no HTTP.
// One write is under way at most. What is typed meanwhile collapses into the next: the store sets the pace, no timer does.

/** Longer than a write should take; from here on a person is told that the store is waited for. */
const patienceInMilliseconds = 1000;

/** Of what the store has: not known, since the last write's outcome isn't. */
const unknown = Symbol("unknown");

/** @typedef {"saved" | "sending" | "waiting" | "offline" | "failed"} SaveState */

export class SectionSaver {
  #stored;
  #removed = null;
  #running = false;
  #wake = () => {};

  /**
   * @param {string | null} stored what the store has; null: no such section
   * @param {(text: string | null) => Promise<object>} write writes it, or removes it for null
   * @param {() => void} changed is called after every change of text, state or reason
   */
  constructor(stored, write, changed) {
    this.#stored = stored;
    this.text = stored;
    /** @type {SaveState} */
    this.state = "saved";
    this.reason = "";
    this.write = write;
    this.changed = changed;
  }

  get unsaved() {
    return this.state !== "saved";
  }

  /** Grows with each change of the text and each write that is done: a text that was read before is older. */
  version = 0;

  /** Takes what the store was read to have, unless something changed since the read began. */
  adopt(stored, versionAtRead) {
    if (this.unsaved || this.version !== versionAtRead || this.#stored === stored) return;
    if (stored === null) this.#removed = this.text;
    this.#stored = this.text = stored;
    this.changed();
  }

  /** Sets the text; null: there shall be no such section. */
  change(text) {
    this.version++;
    this.text = text;
    this.changed();
    if (this.state === "failed") this.#wake(); // what was refused may be right now
    this.#run();
  }

  remove() {
    this.#removed = this.text;
    this.change(null);
  }

  putBack() {
    this.change(this.#removed);
  }

  /** Tries again now what would be tried later, or not at all. */
  retry() {
    this.#wake();
  }

  async #run() {
    if (this.#running) return;
    this.#running = true;
    while (this.text !== this.#stored) await this.#send(this.text);
    this.#running = false;
    this.#become("saved");
  }

  async #send(text) {
    const slow = setTimeout(() => this.#become("waiting"), patienceInMilliseconds);
    if (this.state !== "waiting" && this.state !== "offline") this.#become("sending");
    const outcome = await this.write(text);
    clearTimeout(slow);

    if (outcome.kind === "done") {
      this.version++;
      this.#stored = text;
      if (this.text !== text) this.#become("sending");
      return;
    }

    // Only a refusal of the request itself (4xx) says for certain that nothing was changed.
    if (outcome.kind !== "refused" || outcome.status >= 500) this.#stored = unknown;
    if (outcome.kind === "later") this.#become("waiting", outcome.reason);
    else if (outcome.kind === "offline") this.#become("offline");
    else this.#become("failed", outcome.reason);
    await this.#pause(outcome.kind === "refused" ? Infinity : outcome.seconds ?? 2);
    this.reason = "";
  }

  #pause(seconds) {
    return new Promise(resolve => {
      this.#wake = resolve;
      if (seconds !== Infinity) setTimeout(resolve, seconds * 1000);
    });
  }

  #become(state, reason = "") {
    this.state = state;
    this.reason = reason;
    this.changed();
  }
}
