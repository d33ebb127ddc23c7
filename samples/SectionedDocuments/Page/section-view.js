// One section on the page: its text, how far it is saved, and what a person can do about it.

const words = {
  saved: "Saved",
  sending: "On its way",
  waiting: "Waiting for the store",
  offline: "Kept here",
  failed: "Not saved",
};

const template = document.getElementById("section-template");
let count = 0;

export class SectionView {
  constructor(name, saver) {
    this.saver = saver;
    this.element = template.content.firstElementChild.cloneNode(true);
    const find = selector => this.element.querySelector(selector);
    const id = `section-${++count}`;

    this.label = find("label");
    this.label.textContent = name;
    this.label.htmlFor = id;
    this.text = find("textarea");
    this.text.id = id;
    this.badge = find(".badge");
    this.badge.id = `${id}-state`;
    this.text.setAttribute("aria-describedby", this.badge.id);
    this.trouble = find(".trouble");
    this.removed = find(".removed");
    this.removeButton = find(".remove");
    this.undoButton = find(".undo");
    this.removeButton.setAttribute("aria-label", `Remove ${name}`);
    this.undoButton.setAttribute("aria-label", `Put ${name} back`);
    find(".retry").setAttribute("aria-label", `Try to save ${name} now`);

    this.text.addEventListener("input", () => saver.change(this.text.value));
    find(".retry").addEventListener("click", () => saver.retry());
    this.removeButton.addEventListener("click", () => {
      saver.remove();
      this.undoButton.focus(); // what had it is gone
    });
    this.undoButton.addEventListener("click", () => {
      saver.putBack();
      this.text.focus();
    });
    this.show();
  }

  show() {
    const { text, state, reason } = this.saver;
    if (text !== null && text !== this.text.value) {
      const { selectionStart, selectionEnd } = this.text; // a new value would move the cursor to its end
      this.text.value = text;
      this.text.setSelectionRange(selectionStart, selectionEnd);
    }
    this.element.dataset.state = state;
    this.badge.dataset.state = state;
    this.badge.textContent = words[state];
    this.trouble.hidden = !(state === "failed" || state === "offline" || reason);
    this.trouble.firstElementChild.textContent = state === "offline" ? "The service doesn't answer. This text is sent when it does." : reason;
    this.text.hidden = this.removeButton.hidden = text === null;
    this.removed.hidden = text !== null;
  }
}
