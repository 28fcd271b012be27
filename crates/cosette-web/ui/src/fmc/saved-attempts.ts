// The other attempts that the browser stores.

import { h, setChildren, setText } from "../dom";
import { plural } from "../format";
import { bestOf, totalOf } from "./attempt";
import {
  forgetAttempt,
  restoreAttempt,
  storedAttempts,
  type StoredAttempt,
} from "./attempt-storage";
import { decoded } from "./link";

const date = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** The list of stored attempts; a click opens one. */
export class SavedAttempts {
  private readonly list = h("ul", { class: "saved-attempts" });
  private readonly undoText = h("span", { role: "status" });
  private readonly undoRow = h(
    "div",
    { class: "row undo", hidden: true },
    this.undoText,
    h("button", { type: "button", class: "quiet", onclick: () => this.undo() }, "Undo"),
  );
  readonly element = h(
    "details",
    { class: "options", ontoggle: () => this.element.open && this.draw() },
    h("summary", {}, "Saved attempts"),
    this.list,
    this.undoRow,
  );
  private id = "";
  /** The removed attempts, last one at the end. */
  private readonly forgotten: StoredAttempt[] = [];

  constructor(private readonly onOpen: (kept: StoredAttempt) => void) {}

  /** Lists all attempts except the one that is shown. */
  show(id: string): void {
    this.id = id;
    this.element.hidden =
      this.forgotten.length === 0 && storedAttempts().every((each) => each.id === id);
    if (this.element.open) this.draw();
  }

  private draw(): void {
    const others = storedAttempts().filter(({ id }) => id !== this.id);
    setChildren(this.list, ...others.map((kept) => this.item(kept)));
    this.undoRow.hidden = this.forgotten.length === 0;
    setText(this.undoText, `Deleted ${plural(this.forgotten.length, "attempt")}`);
  }

  private undo(): void {
    restoreAttempt(this.forgotten.pop()!);
    this.show(this.id);
    this.list.querySelector<HTMLElement>("button")?.focus();
  }

  /** Removes an attempt; the focus moves to the next one. */
  private forget(kept: StoredAttempt): void {
    const { id } = kept;
    this.forgotten.push(kept);
    const buttons = (): HTMLElement[] => [
      ...this.list.querySelectorAll<HTMLElement>("button.quiet"),
    ];
    const at = buttons().indexOf(document.activeElement as HTMLElement);
    forgetAttempt(id);
    this.show(this.id);
    (buttons()[at] ?? buttons().at(-1) ?? document.querySelector("main"))?.focus();
  }

  private item(kept: StoredAttempt): HTMLElement | null {
    const attempt = decoded(kept.text);
    if (!attempt) return null;
    const best = bestOf(attempt);
    return h(
      "li",
      { class: "row" },
      h(
        "button",
        { type: "button", class: "link", onclick: () => this.onOpen(kept) },
        h("span", { class: "solution" }, attempt.scramble),
      ),
      h(
        "span",
        { class: "label" },
        `${date.format(kept.at)}${best ? `, ${plural(totalOf(best), "move")}` : ""}`,
      ),
      h(
        "button",
        {
          type: "button",
          class: "quiet",
          "aria-label": `Delete ${attempt.scramble}`,
          onclick: () => this.forget(kept),
        },
        "Delete",
      ),
    );
  }
}
