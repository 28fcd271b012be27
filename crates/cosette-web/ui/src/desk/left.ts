// What is left at a step: for each step that may come, how many pieces are bad; and the cube, on which those of one are marked.

import { BLANK } from "../cube/colours";
import { h, newId, setChildren, setText } from "../dom";
import { plural } from "../format";
import { notice, showError } from "../notice";
import type { Here } from "../protocol";
import { doneBy, type Attempt, type Step } from "./attempt";
import { lookAtInverse } from "./look";
import { picture } from "./picture";
import { AXES, isReached, kindOf, mayFollow, mostOf, stepsAfter, titleOf } from "./steps";

/** What is counted, as it is laid out: a line for each step with an axis, and one for the others. */
const COUNTED = [...["eo", "dr"].flatMap((kind) => AXES.map((axis) => `${kind}:${axis}`)), "htr", "finish"];

/** Shows what is left. */
export class Left {
  private readonly cube = h("div", { class: "cube" }, picture(BLANK, [], "The cube"));
  private readonly choices = new Map(COUNTED.map((step) => [step, choice(step, () => this.mark(step))]));
  private here: Here | undefined;
  private at: [attempt: Attempt, step: Step] | undefined;
  private isInverse = false;
  /** The look at the inverse, and at which step it was asked for. */
  private looking = new AbortController();
  private asked: Step | undefined;
  private readonly errors = h("div", { "aria-live": "polite" });
  private readonly side = h("span", { class: "label" });
  private readonly turn = h("button", { type: "button", class: "quiet", onclick: () => this.turnTo(!this.isInverse) }, "Show the inverse");
  readonly element = h(
    "div",
    { class: "left-over" },
    h("div", {}, this.cube, h("div", { class: "row" }, this.side, this.turn), this.errors),
    h("fieldset", { class: "counts" }, h("legend", { class: "label" }, "What is left; marked on the cube"), ...[...this.choices.values()].map(({ element }) => element)),
  );

  /** Shows what is left at a step, or on its inverse; while it is not known, what was shown stays, and is said to be old. */
  show(attempt: Attempt, step: Step): void {
    if (step !== this.at?.[1]) setChildren(this.errors);
    this.at = [attempt, step];
    setText(this.side, this.isInverse ? "On the inverse" : "On the scramble");
    setText(this.turn, this.isInverse ? "Show the scramble" : "Show the inverse");
    // Drawn again, it is not asked again.
    if (this.isInverse && step.here && step === this.asked) return;
    this.looking.abort();
    this.asked = undefined;
    if (step.here && !this.isInverse) return this.draw(step.here);
    this.element.setAttribute("aria-busy", "true");
    if (!step.here) return;
    this.asked = step;
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
      const here = await lookAtInverse(attempt.scramble, doneBy(step), signal, this.errors);
      if (signal.aborted) return;
      if (!("error" in here)) return this.draw(here);
      this.turnTo(false);
      setChildren(this.errors, notice(here));
    } catch (error) {
      if (signal.aborted) return;
      this.turnTo(false);
      showError(this.errors, error);
    }
  }

  private draw(here: Here): void {
    this.element.setAttribute("aria-busy", "false");
    if (here === this.here) return;
    this.here = here;
    for (const bad of here.bad) {
      const shown = this.choices.get(bad.step);
      if (!shown) continue;
      const isDone = isReached(here, bad.step);
      setText(shown.text, isDone ? "✓ reached" : inWords(bad));
      shown.element.classList.toggle("reached", isDone);
    }
    this.mark(nearest(here));
  }

  private mark(step: string): void {
    const { facelets, bad } = this.here ?? { facelets: BLANK, bad: [] };
    const marked = bad.find((each) => each.step === step);
    const shown = this.choices.get(step)!;
    shown.input.checked = true;
    setChildren(this.cube, picture(facelets, marked?.facelets ?? [], `The cube unfolded; marked for ${titleOf(step)}: ${shown.text.textContent!.replace("\n", ", ")}`));
  }
}

/** The bad pieces. Where no single one is bad, that is not yet to be there: before HTR how they lie together counts, and of a DR only the edges of the middle layer are counted. */
function inWords({ step, corners, edges }: Here["bad"][number]): string {
  const pieces = [corners > 0 && plural(corners, "corner"), edges > 0 && plural(edges, "edge")].filter(Boolean);
  return pieces.join("\n") || (step === "htr" ? "no single piece" : "edges to orient");
}

function choice(step: string, onChoose: () => void): { element: HTMLElement; input: HTMLInputElement; text: HTMLElement } {
  const input = h("input", { type: "radio", name: "marked", id: newId("marked"), onchange: onChoose });
  const text = h("span", { class: "label" }, "–");
  return { element: h("label", { class: "choice-of-step" }, input, h("span", { class: "name" }, step === "finish" ? "Solved" : titleOf(step)), text), input, text };
}

/** Of the step that comes next, the axis along which the fewest pieces are bad. */
function nearest(here: Here): string {
  const [next] = stepsAfter(mostOf(here));
  const open = here.bad.filter(({ step }) => kindOf(step) === next && mayFollow(here, step) && !isReached(here, step));
  // Where none is counted, there are edges to orient first.
  const number = ({ corners, edges }: Here["bad"][number]): number => corners + edges || Infinity;
  return open.sort((a, b) => number(a) - number(b) || 0)[0]?.step ?? "finish";
}
