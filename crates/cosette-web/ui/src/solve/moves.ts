// The moves of the solution, with the next one marked.

import { h, setChildren } from "../dom";
import { movesOf } from "./notation";

/**
 * The moves. They are not tab stops: the slider and the buttons have the same function for the
 * keyboard.
 */
export class Moves {
  readonly element = h("div", {
    class: "moves",
    role: "group",
    "aria-label": "Solution; click a move to go to it",
  });
  private buttons: HTMLElement[] = [];

  /** `onChoose` is called with the number of moves before the clicked one. */
  constructor(private readonly onChoose: (before: number) => void) {}

  /** Shows the moves of a solution. */
  show(solution: string): void {
    this.buttons = movesOf(solution).map((move, number) =>
      h("button", { type: "button", tabindex: -1, onclick: () => this.onChoose(number) }, move),
    );
    setChildren(this.element, ...this.buttons.flatMap((button) => [button, " "]));
    this.mark(0);
  }

  /** Marks the move after this many. */
  mark(done: number): void {
    for (const [number, button] of this.buttons.entries())
      button.classList.toggle("next", number === done);
  }
}
