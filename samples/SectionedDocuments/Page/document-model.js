// A document as this page knows it: its sections and how far each is saved. It outlives its view while something is unsaved.

import { readSections, writeSection } from "./documents-api.js";
import { SectionSaver } from "./section-saver.js";
import { throughTurnstile } from "./turnstile.js";

export class DocumentModel {
  /** @type {Map<string, SectionSaver>} */
  sections = new Map();
  /** @type {"reading" | "read" | "waiting" | "offline" | "failed"} */
  state = "reading";
  reason = "";
  #wake = () => {};

  constructor(id, changed) {
    this.id = id;
    this.changed = changed;
  }

  get unsaved() {
    return [...this.sections.values()].filter(section => section.unsaved);
  }

  /** Reads until the service has answered: a stalled or restarting one does so later. */
  async read() {
    for (;;) {
      const slow = setTimeout(() => this.#become("waiting"), 1000);
      const outcome = await readSections(this.id);
      clearTimeout(slow);
      if (outcome.kind === "done") {
        for (const { name, text } of outcome.body) this.#hold(name, text);
        return this.#become("read");
      }

      if (outcome.kind === "refused") return this.#become("failed", outcome.reason);
      this.#become(outcome.kind === "offline" ? "offline" : "waiting", outcome.reason);
      await new Promise(resolve => {
        this.#wake = resolve;
        setTimeout(resolve, (outcome.seconds ?? 2) * 1000);
      });
    }
  }

  /** Reads once more, for the changes of other clients. Texts that are typed or saved meanwhile stay; a read that fails changes nothing. */
  async refresh() {
    const versions = new Map([...this.sections].map(([name, section]) => [name, section.version]));
    const outcome = await readSections(this.id);
    if (outcome.kind !== "done") return;
    const stored = new Map(outcome.body.map(({ name, text }) => [name, text]));
    for (const [name, version] of versions) this.sections.get(name).adopt(stored.get(name) ?? null, version);
    const added = [...stored].filter(([name]) => !this.sections.has(name));
    for (const [name, text] of added) this.#hold(name, text);
    if (added.length > 0) this.changed(this);
  }

  /** Adds a section, empty and on its way to the store. */
  add(name) {
    const section = this.sections.get(name) ?? this.#hold(name, null);
    if (section.text === null) section.change("");
    return section;
  }

  /** The service is there again: nothing has to wait for its time. */
  retry() {
    this.#wake();
    for (const section of this.unsaved) if (section.state !== "failed") section.retry();
  }

  #hold(name, stored) {
    const section = new SectionSaver(stored, text => throughTurnstile(() => writeSection(this.id, name, text)), () => this.changed(this, section));
    this.sections.set(name, section);
    return section;
  }

  #become(state, reason = "") {
    this.state = state;
    this.reason = reason;
    this.changed(this);
  }
}
