// The bad pieces at a step: their numbers for each possible next step, and the cube, with the bad
// pieces of one of these steps highlighted.

import { BLANK } from "../cube/colors";
import { h, newId, setChildren, setText } from "../dom";
import { plural } from "../format";
import { notice, showError } from "../ui/notice";
import type { AttemptStatus } from "../protocol";
import { doneBy, type Attempt, type Step } from "./attempt";
import { inspectInverse } from "./inspect";
import { picture } from "./picture";
import {
  AXES,
  furthestReduction,
  isReached,
  kindOf,
  mayFollow,
  stepsAfter,
  titleOf,
} from "./steps";

/**
 * The steps whose bad pieces are counted, by row: one row for each step with an axis, and one for
 * the others.
 */
const COUNTED = [
  ...["eo", "dr"].flatMap((kind) => AXES.map((axis) => `${kind}:${axis}`)),
  "htr",
  "finish",
];

/** Shows the bad pieces. */
export class BadPiecesView {
  private readonly cube = h("div", { class: "cube" }, picture(BLANK, [], "The cube"));
  private readonly choices = new Map(
    COUNTED.map((step) => [step, choice(step, () => this.mark(step))]),
  );
  private status: AttemptStatus | undefined;
  private at: [attempt: Attempt, step: Step] | undefined;
  private isInverse = false;
  /** The inspection of the inverse, and the step for which it was requested. */
  private looking = new AbortController();
  private requested: Step | undefined;
  private readonly errors = h("div", { "aria-live": "polite" });
  private readonly side = h("span", { class: "label" });
  private readonly turn = h(
    "button",
    { type: "button", class: "quiet", onclick: () => this.turnTo(!this.isInverse) },
    "Show the inverse",
  );
  readonly element = h(
    "div",
    { class: "bad-pieces" },
    h("div", {}, this.cube, h("div", { class: "row" }, this.side, this.turn), this.errors),
    h(
      "fieldset",
      { class: "counts" },
      h("legend", { class: "label" }, "Bad pieces, highlighted on the cube"),
      ...[...this.choices.values()].map(({ element }) => element),
    ),
  );

  /**
   * Shows the bad pieces at a step, or on its inverse. Until they are known, the previous ones
   * stay and are marked as outdated.
   */
  show(attempt: Attempt, step: Step): void {
    if (step !== this.at?.[1]) setChildren(this.errors);
    this.at = [attempt, step];
    setText(this.side, this.isInverse ? "On the inverse" : "On the scramble");
    setText(this.turn, this.isInverse ? "Show the scramble" : "Show the inverse");
    // A redraw does not repeat the request.
    if (this.isInverse && step.status && step === this.requested) return;
    this.looking.abort();
    this.requested = undefined;
    if (step.status && !this.isInverse) return this.draw(step.status);
    this.element.setAttribute("aria-busy", "true");
    if (!step.status) return;
    this.requested = step;
    this.looking = new AbortController();
    void this.lookAtInverse(attempt, step, this.looking.signal);
  }

  private turnTo(isInverse: boolean): void {
    setChildren(this.errors);
    this.isInverse = isInverse;
    this.show(...this.at!);
  }

  private async lookAtInverse(attempt: Attempt, step: Step, signal: AbortSignal): Promise<void> {
    try {
      const status = await inspectInverse(attempt.scramble, doneBy(step), signal, this.errors);
      if (signal.aborted) return;
      if (!("error" in status)) return this.draw(status);
      this.turnTo(false);
      setChildren(this.errors, notice(status));
    } catch (error) {
      if (signal.aborted) return;
      this.turnTo(false);
      showError(this.errors, error);
    }
  }

  private draw(status: AttemptStatus): void {
    this.element.setAttribute("aria-busy", "false");
    if (status === this.status) return;
    this.status = status;
    for (const bad of status.bad_pieces) {
      const shown = this.choices.get(bad.step);
      if (!shown) continue;
      const isDone = isReached(status, bad.step);
      setText(shown.text, isDone ? "✓ reached" : inWords(bad));
      shown.element.classList.toggle("reached", isDone);
    }
    this.mark(nearest(status));
  }

  private mark(step: string): void {
    const { facelets, bad_pieces } = this.status ?? { facelets: BLANK, bad_pieces: [] };
    const marked = bad_pieces.find((each) => each.step === step);
    const shown = this.choices.get(step)!;
    shown.input.checked = true;
    setChildren(
      this.cube,
      picture(
        facelets,
        marked?.facelets ?? [],
        `Net of the cube; bad pieces for ${titleOf(step)}: ${shown.text.textContent!.replace("\n", ", ")}`,
      ),
    );
  }
}

/**
 * Describes the bad pieces. A step with no bad piece may still be unreached: HTR also depends on
 * the arrangement of the pieces, and for a DR only the edges of the middle layer are counted.
 */
function inWords({ step, corners, edges }: AttemptStatus["bad_pieces"][number]): string {
  const pieces = [
    corners > 0 && plural(corners, "corner"),
    edges > 0 && plural(edges, "edge"),
  ].filter(Boolean);
  return (
    pieces.join("\n") || (step === "htr" ? "no bad piece, but corners not in HTR" : "EO not solved")
  );
}

function choice(
  step: string,
  onChoose: () => void,
): { element: HTMLElement; input: HTMLInputElement; text: HTMLElement } {
  const input = h("input", {
    type: "radio",
    name: "marked",
    id: newId("marked"),
    onchange: onChoose,
  });
  const text = h("span", { class: "label" }, "–");
  return {
    element: h(
      "label",
      { class: "choice-of-step" },
      input,
      h("span", { class: "name" }, step === "finish" ? "Solved" : titleOf(step)),
      text,
    ),
    input,
    text,
  };
}

/** Returns the axis with the fewest bad pieces of the next step. */
function nearest(status: AttemptStatus): string {
  const [next] = stepsAfter(furthestReduction(status));
  const open = status.bad_pieces.filter(
    ({ step }) => kindOf(step) === next && mayFollow(status, step) && !isReached(status, step),
  );
  // If no piece is counted, edges must be oriented first.
  const number = ({ corners, edges }: AttemptStatus["bad_pieces"][number]): number =>
    corners + edges || Infinity;
  return open.sort((a, b) => number(a) - number(b) || 0)[0]?.step ?? "finish";
}
