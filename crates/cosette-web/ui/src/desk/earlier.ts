// The other attempts that the browser keeps.

import { h, setChildren } from "../dom";
import { plural } from "../format";
import { bestOf, totalOf } from "./attempt";
import { forgetAttempt, keptAttempts, type KeptAttempt } from "./kept";
import { decoded } from "./link";

const date = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** Lists them; one is opened by a click. */
export class Earlier {
  private readonly list = h("ul", { class: "earlier" });
  readonly element = h("details", { class: "options", ontoggle: () => this.element.open && this.draw() }, h("summary", {}, "Earlier attempts"), this.list);
  private id = "";

  constructor(private readonly onOpen: (kept: KeptAttempt) => void) {}

  /** Lists all but the one that is shown. */
  show(id: string): void {
    this.id = id;
    this.element.hidden = keptAttempts().every((each) => each.id === id);
    if (this.element.open) this.draw();
  }

  private draw(): void {
    const others = keptAttempts().filter(({ id }) => id !== this.id);
    setChildren(this.list, ...others.map((kept) => this.item(kept)));
  }

  /** Forgets one; the focus goes on to the next. */
  private forget({ id }: KeptAttempt): void {
    const buttons = (): HTMLElement[] => [...this.list.querySelectorAll<HTMLElement>("button.quiet")];
    const at = buttons().indexOf(document.activeElement as HTMLElement);
    forgetAttempt(id);
    this.show(this.id);
    (buttons()[at] ?? buttons().at(-1) ?? document.querySelector("main"))?.focus();
  }

  private item(kept: KeptAttempt): HTMLElement | null {
    const attempt = decoded(kept.text);
    if (!attempt) return null;
    const best = bestOf(attempt);
    return h(
      "li",
      { class: "row" },
      h("button", { type: "button", class: "link", onclick: () => this.onOpen(kept) }, h("span", { class: "solution" }, attempt.scramble)),
      h("span", { class: "label" }, `${date.format(kept.at)}${best ? `, ${plural(totalOf(best), "move")}` : ""}`),
      h("button", { type: "button", class: "quiet", "aria-label": `Forget ${attempt.scramble}`, onclick: () => this.forget(kept) }, "Forget"),
    );
  }
}
