// The selected step: its moves, the bad pieces, possible next steps, and the note.

import { field, h, newId, onEnter, setAll, setChildren } from "../dom";
import { plural } from "../format";
import { notice } from "../ui/notice";
import type { ApiError } from "../protocol";
import { doneBy, isSolved, totalOf, type Attempt, type Step } from "./attempt";
import type { SearchForm } from "./search-form";
import { BadPiecesView } from "./bad-pieces";
import { solutionOf } from "./moves";
import { badges } from "./tree";
import { readWriteUp, type WriteUp } from "./writeup";

/** Actions on the current step. */
interface StepActions {
  add: (writeUp: WriteUp) => void;
  /** The name or the note has changed. */
  edit: (part: "name" | "note", text: string) => void;
  remove: () => void;
  play: () => void;
}

/** Shows a step. */
export class StepView {
  private readonly title = h("h2", {});
  private readonly remove = h("button", { type: "button", class: "quiet" }, "Delete");
  private readonly play = h("button", { type: "button", class: "quiet" }, "Play");
  private readonly facts = h("dl", { class: "sides" });
  private readonly left = new BadPiecesView();
  private readonly moves = h("textarea", {
    rows: 1,
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    enterkeyhint: "done",
    placeholder: "F2 (R' D)",
  });
  private readonly errors = h("div", { class: "said", id: newId("moves"), "aria-live": "polite" });
  private readonly adding: HTMLElement;
  private readonly name = h("input", { type: "text", autocomplete: "off" });
  private readonly naming = field("Step name", this.name);
  private readonly note = h("textarea", { rows: 2, class: "note" });
  /** The error of the inspection, or the reason why it waits. */
  readonly looking = h("div", { "aria-live": "polite" });
  readonly element: HTMLElement;
  private shown: Step | undefined;

  constructor(
    private readonly find: SearchForm,
    private readonly actions: StepActions,
  ) {
    this.moves.setAttribute("aria-describedby", this.errors.id);
    onEnter(this.moves, () => this.add(this.moves.value));
    this.moves.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text") ?? "";
      if (!text.trim().includes("\n")) return;
      event.preventDefault();
      this.add(text);
    });
    this.moves.addEventListener("input", () => this.refuse(undefined));
    this.remove.addEventListener("click", () => actions.remove());
    this.play.addEventListener("click", () => actions.play());
    this.name.addEventListener("input", () => actions.edit("name", this.name.value));
    this.note.addEventListener("input", () => actions.edit("note", this.note.value));
    this.adding = h(
      "div",
      { class: "adding" },
      field(
        "Add moves",
        this.moves,
        "Put moves on the inverse in parentheses. You can also paste a whole write-up.",
      ),
      h("button", { type: "button", onclick: () => this.add(this.moves.value) }, "Add"),
      this.errors,
    );
    this.element = h(
      "section",
      { class: "card step-view", "aria-label": "Selected step", tabindex: -1 },
      h(
        "div",
        { class: "row" },
        this.title,
        h("div", { class: "row tight" }, this.play, this.remove),
      ),
      this.facts,
      this.looking,
      this.left.element,
      this.adding,
      find.element,
      h("div", { class: "fields noting" }, this.naming, field("Notes", this.note)),
    );
  }

  /** Shows a step. */
  show(attempt: Attempt, step: Step): void {
    const total = totalOf(step);
    const done = doneBy(step);
    setChildren(this.title, step.parent ? plural(total, "move") : "Scramble", " ", ...badges(step));
    this.remove.hidden = this.play.hidden = step.parent === null;
    const fact = (name: string, moves: string): HTMLElement =>
      h("div", {}, h("dt", {}, name), h("dd", { class: "solution" }, moves || "–"));
    setChildren(
      this.facts,
      fact("This step", step.moves),
      ...(isSolved(step)
        ? [fact("Solution", solutionOf(done).join(" "))]
        : [
            fact("On the scramble", done.normal.join(" ")),
            fact("On the inverse", done.inverse.join(" ")),
          ]),
    );
    this.facts.hidden = step.parent === null;
    this.left.show(attempt, step);
    this.adding.hidden = isSolved(step);
    this.find.show(attempt, step);
    // A field with the focus is not changed.
    const isOther = step !== this.shown;
    this.shown = step;
    if (isOther || document.activeElement !== this.name) this.name.value = step.name;
    if (isOther || document.activeElement !== this.note) this.note.value = step.note;
    this.naming.hidden = step.parent === null;
  }

  /** Focuses the step. */
  focus(): void {
    this.element.focus({ preventScroll: true });
  }

  private add(text: string): void {
    const found = readWriteUp(text);
    const isEmpty = !("error" in found) && found.steps.length === 0 && found.scramble === "";
    const refused =
      "error" in found
        ? found
        : isEmpty
          ? { error: "no moves entered", help: "enter moves, for example `F2 (R' D)`" }
          : undefined;
    this.refuse(refused, text);
    if ("error" in found || refused) return;
    this.moves.value = "";
    this.actions.add(found);
  }

  /** Shows the error of the entered moves, if there is one. */
  private refuse(error: ApiError | undefined, text = ""): void {
    setAll(this.moves, { "aria-invalid": error ? "true" : null });
    setChildren(this.errors, error && notice(error, text));
  }
}
