// The goal: a picture to choose, a text and a net, three views of one text. They are folded behind
// a summary.

import { h, setText } from "../dom";
import { PaintedGoal } from "./painted-goal";
import { GoalPicker } from "./picker";
import { CheckedText } from "./checked-text";
import { goalWords } from "./describe";

/** The controls. */
export class GoalInput {
  private readonly summary = h("span");
  private readonly picker = new GoalPicker((text) => this.choose(text));
  private readonly painted = new PaintedGoal((facelets) => this.choose(facelets));
  readonly text = new CheckedText(
    "Goal as text",
    "for example cross:D, UF UR DFR, oriented(edges), moves, or 54 facelets with dots",
    (goal) => ({ goal }),
    () => this.show(),
  );
  readonly fields = h(
    "fieldset",
    { class: "stacked", "aria-label": "Goal" },
    this.picker.element,
    h("div", { class: "variant" }, this.picker.variant, this.text.element),
    this.painted.element,
  );
  readonly element = h(
    "details",
    { class: "options goal-input", name: "question" },
    h("summary", {}, "Goal: ", this.summary),
    this.fields,
  );

  /** `onChange` is called after each change by the user. */
  constructor(private readonly onChange: () => void) {
    this.text.placeholder = "solved cube";
    this.text.element.addEventListener("change", () => onChange());
    this.show();
  }

  /** The text of the goal. */
  get value(): string {
    return this.text.value.trim();
  }

  set value(text: string) {
    this.text.value = text;
    this.show();
  }

  private choose(text: string): void {
    this.value = text;
    this.onChange();
  }

  private show(): void {
    this.picker.show(this.value);
    this.painted.show(this.value);
    setText(this.summary, goalWords(this.value, this.value) || "solved cube");
  }
}
