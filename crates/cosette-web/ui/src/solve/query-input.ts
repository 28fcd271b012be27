// The query about a position: options, the goal, the moves.

import { h } from "../dom";
import { hasGoalOptions } from "../goals/goal-options";
import { GoalInput } from "../goals/input";
import { MovesInput } from "../goals/moves-input";
import type { CheckedText } from "../goals/checked-text";
import { areValid } from "./number-field";
import type { Options } from "./option-values";
import { OptionsInput } from "./options";

/** The controls, each folded behind a summary. */
export class QueryInput {
  private readonly options = new OptionsInput(() => this.change());
  private readonly goal = new GoalInput(() => this.change());
  private readonly moves = new MovesInput(() => this.change());
  readonly element = h(
    "div",
    { class: "question" },
    this.options.element,
    this.goal.element,
    this.moves.element,
  );

  private slack = "";

  /** `onChange` is called after each change by the user. */
  constructor(private readonly onChange: () => void) {}

  /** Disables the controls during a search. */
  set disabled(isDisabled: boolean) {
    this.options.disabled = this.goal.fields.disabled = this.moves.fields.disabled = isDisabled;
  }

  /** Returns the chosen options. */
  get chosen(): Options {
    return { ...this.options.chosen, goal: this.goal.value, ...this.moves.chosen };
  }

  set chosen(chosen: Options) {
    this.options.chosen = chosen;
    this.goal.value = chosen.goal;
    this.moves.chosen = chosen;
    this.slack = chosen.slack;
    this.agree();
  }

  /** Returns `true` if everything is valid; otherwise shows the errors. */
  async isValid(): Promise<boolean> {
    if (!this.options.isValid() || !areValid(...this.moves.numbers)) return false;
    return this.areRight((text) => text.settle());
  }

  /** Returns the folded part with an invalid value; empty if there is none. */
  get faulty(): string {
    const parts = Object.entries({ options: this.options, goal: this.goal, moves: this.moves });
    return (
      parts.find(([, { element }]) => element.querySelector('[aria-invalid="true"]'))?.[0] ?? ""
    );
  }

  /**
   * Searches the texts for the one that the engine has rejected; returns `true` if it is found,
   * with the error shown there.
   */
  async findsFault(): Promise<boolean> {
    return !(await this.areRight((text) => (text.check(), text.settle())));
  }

  private async areRight(isRight: (text: CheckedText) => Promise<boolean>): Promise<boolean> {
    const texts = [this.goal.text, ...this.moves.texts];
    const right = await Promise.all(texts.map(isRight));
    const wrong = texts[right.indexOf(false)];
    wrong?.focus();
    return wrong === undefined;
  }

  private change(): void {
    const { slack } = this.moves.chosen;
    if (slack !== this.slack && Number(slack) > 0) this.options.wantSeveral();
    this.slack = slack;
    this.agree();
    this.onChange();
  }

  /** Makes the parts consistent with one another. */
  private agree(): void {
    const { chosen } = this;
    this.moves.metric = chosen.metric;
    this.options.isOfFaces = !hasGoalOptions(chosen);
  }
}
