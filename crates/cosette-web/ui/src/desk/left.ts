// What is left at a step: for each step that may come, how many pieces are bad; and the cube, on which those of one are marked.

import { BLANK } from "../cube/colours";
import { h, newId, setChildren, setText } from "../dom";
import { plural } from "../format";
import type { Here } from "../protocol";
import { picture } from "./picture";
import { AXES, mostOf, stepsAfter, titleOf } from "./steps";

/** What is counted, as it is laid out: a line for each step with an axis, and one for the others. */
const COUNTED = [...["eo", "dr"].flatMap((kind) => AXES.map((axis) => `${kind}:${axis}`)), "htr", "finish"];

/** Shows what is left. */
export class Left {
  private readonly cube = h("div", { class: "cube" }, picture(BLANK, [], "The cube"));
  private readonly choices = new Map(COUNTED.map((step) => [step, choice(step, () => this.mark(step))]));
  private here: Here | undefined;
  readonly element = h(
    "div",
    { class: "left-over" },
    this.cube,
    h("fieldset", { class: "counts" }, h("legend", { class: "label" }, "What is left; marked on the cube"), ...[...this.choices.values()].map(({ element }) => element)),
  );

  /** Shows this; while it is not known, what was shown stays, and is said to be old. */
  show(here: Here | undefined): void {
    this.element.setAttribute("aria-busy", String(here === undefined));
    if (!here || here === this.here) return;
    this.here = here;
    for (const { step, corners, edges } of here.bad) {
      const shown = this.choices.get(step);
      if (!shown) continue;
      const isDone = corners + edges === 0;
      setText(shown.text, isDone ? "✓ reached" : [corners > 0 && plural(corners, "corner"), edges > 0 && plural(edges, "edge")].filter(Boolean).join("\n"));
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

function choice(step: string, onChoose: () => void): { element: HTMLElement; input: HTMLInputElement; text: HTMLElement } {
  const input = h("input", { type: "radio", name: "marked", id: newId("marked"), onchange: onChoose });
  const text = h("span", { class: "label" }, "–");
  return { element: h("label", { class: "choice-of-step" }, input, h("span", { class: "name" }, step === "finish" ? "Solved" : titleOf(step)), text), input, text };
}

/** Of the step that comes next, the axis along which the fewest pieces are bad. */
function nearest(here: Here): string {
  const [next] = stepsAfter(mostOf(here));
  const open = here.bad.filter(({ step, corners, edges }) => step.split(":")[0] === next && corners + edges > 0);
  return open.sort((a, b) => a.corners + a.edges - b.corners - b.edges)[0]?.step ?? "finish";
}
