// The editor: which document is open (the address says so), its sections, and how far all of it is saved.

import { faultOfName } from "./documents-api.js";
import { DocumentModel } from "./document-model.js";
import { SectionView } from "./section-view.js";

const firstDocument = "welcome";

/** The shortest time between two reads of the open document, in milliseconds. */
const followPause = 1000;
const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;
const element = id => document.getElementById(id);

export class DocumentView {
  /** Documents with something unsaved stay here when another one is opened. */
  #models = new Map();
  #views = new Map();
  #seenChanges = null;
  #following = false;

  /** @param {(message: string, urgent: boolean) => void} announce */
  constructor(announce) {
    this.announce = announce;
    element("open-document").addEventListener("submit", event => this.#submit(event, "document-id", id => (location.hash = encodeURIComponent(id))));
    element("add-section").addEventListener("submit", event => this.#submit(event, "section-name", name => this.#add(name)));
    addEventListener("hashchange", () => this.#open());
    addEventListener("beforeunload", event => {
      if (this.#unsaved().length > 0) event.preventDefault();
    });
    this.#open();
  }

  /** The service is there (again). Returns how many texts it gets now. */
  resend() {
    for (const model of this.#models.values()) model.retry();
    return this.#unsaved().length;
  }

  /** Shows the changes of other clients. @param {number} changes the number of changes that the service has acknowledged */
  async follow(changes) {
    if (changes === this.#seenChanges || this.#following || this.model.state !== "read" || document.hidden) return;
    this.#seenChanges = changes;
    this.#following = true;
    try {
      await Promise.all([this.model.refresh(), new Promise(resolve => setTimeout(resolve, followPause))]);
    } finally {
      this.#following = false;
    }
  }

  #open() {
    const id = idOf(location.hash);
    for (const [other, model] of this.#models) if (other !== id && model.unsaved.length === 0) this.#models.delete(other);
    this.#views.clear();
    element("sections").replaceChildren();
    element("document-id").value = id;
    element("document-name").textContent = id;
    document.title = `${id} – Sectioned documents`;

    this.model = this.#models.get(id);
    if (!this.model) {
      this.model = new DocumentModel(id, (model, section) => this.#changed(model, section));
      this.#models.set(id, this.model);
      this.model.read();
    }

    this.#changed(this.model);
  }

  #submit(event, input, accept) {
    event.preventDefault();
    const field = element(input);
    const fault = faultOfName(field.value);
    field.setCustomValidity(fault);
    field.addEventListener("input", () => field.setCustomValidity(""), { once: true });
    if (field.reportValidity()) accept(field.value);
  }

  #add(name) {
    this.model.add(name);
    this.#changed(this.model);
    element("section-name").value = "";
    this.#views.get(name).text.focus();
  }

  #changed(model, section) {
    if (model === this.model) {
      if (section) this.#viewOf(section)?.show();
      else this.#showSections();
    }

    this.#showState();
  }

  #viewOf(saver) {
    return [...this.#views.values()].find(view => view.saver === saver);
  }

  #showSections() {
    for (const [name, saver] of this.model.sections) {
      if (this.#views.has(name)) continue;
      const view = new SectionView(name, saver);
      this.#views.set(name, view);
      element("sections").append(view.element);
    }

    element("add-section").hidden = this.model.state !== "read";
    const note = element("document-note");
    note.textContent = noteOf(this.model);
    note.hidden = note.textContent === "";
  }

  #showState() {
    const { state, text, urgent } = summary(this.model, this.#unsaved());
    const badge = element("document-state");
    if (badge.textContent === text && badge.dataset.state === state) return;
    badge.dataset.state = state;
    badge.textContent = text;
    this.announce(text, urgent);
  }

  #unsaved() {
    return [...this.#models.values()].flatMap(model => model.unsaved);
  }
}

function idOf(hash) {
  try {
    const id = decodeURIComponent(hash.slice(1));
    return id && !faultOfName(id) ? id : firstDocument;
  } catch {
    return firstDocument; // half an escape, typed into the address
  }
}

function noteOf(model) {
  switch (model.state) {
    case "failed":
      return model.reason;
    case "offline":
      return "The service doesn't answer. The document is read as soon as it does.";
    case "waiting":
      return model.reason ? `${model.reason} It is asked again.` : "";
    case "read":
      return model.sections.size === 0 ? "This document has no sections yet. Its first one makes it." : "";
    default:
      return "";
  }
}

/** One phrase for all that is open: the worst of it. */
function summary(model, unsaved) {
  const worst = ["failed", "offline", "waiting", "sending"].find(state => unsaved.some(section => section.state === state));
  const edits = plural(unsaved.length, "edit");
  switch (worst) {
    case "failed":
      return { state: worst, text: "Not all is saved", urgent: true };
    case "offline":
      return { state: worst, text: `${edits} kept here until the service answers`, urgent: true };
    case "waiting":
      return { state: worst, text: `${edits} waiting for the store`, urgent: true };
    case "sending":
      return { state: worst, text: `${edits} on the way`, urgent: false };
  }

  if (model.state === "read") return { state: "saved", text: "All saved", urgent: false };
  if (model.state === "failed") return { state: "failed", text: "Can't be opened", urgent: true };
  return { state: model.state, text: model.state === "reading" ? "Reading" : "Waiting to be read", urgent: false };
}
