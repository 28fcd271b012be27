// The list of what was found at a step, of which a click adds one.

import { h, setChildren, setText } from "../dom";
import { count } from "../format";
import { childLike, type Made, type Step } from "./attempt";
import type { Finding } from "./search";
import { titleOf } from "./steps";

/** How many are listed at first. */
const LISTED = 100;

/** The list, and the button that lists the rest. */
export class Findings {
  readonly list = h("ol", { class: "findings" });
  readonly more = h("button", { type: "button", class: "quiet", hidden: true, onclick: () => this.showAll() }, "List all");
  /** What is listed: the first of these, beside so many steps that were added. */
  private shown = { findings: [] as Finding[], children: 0, listed: 0 };
  private step: Step | undefined;

  /** `onAdd` is called with the steps of the one that is chosen. */
  constructor(private readonly onAdd: (made: Made[]) => void) {}

  /** Lists what was found at a step. */
  show(findings: Finding[], step: Step): void {
    const children = step.children.length;
    // Drawn again, a list would lose the focus and its place.
    if (findings === this.shown.findings && children === this.shown.children && step === this.step) return;
    this.step = step;
    this.draw({ findings, children, listed: LISTED });
  }

  /** The button of the first one. */
  get first(): HTMLElement | null {
    return this.list.querySelector("button");
  }

  private showAll(): void {
    const { listed } = this.shown;
    this.draw({ ...this.shown, listed: Infinity });
    this.list.querySelectorAll("button")[listed]?.focus();
  }

  private draw(shown: Findings["shown"]): void {
    this.shown = shown;
    const { findings, listed } = shown;
    const hasFocus = this.list.contains(document.activeElement);
    setChildren(this.list, ...findings.slice(0, listed).map((finding) => this.item(finding)));
    this.more.hidden = findings.length <= listed;
    setText(this.more, `List all ${count(findings.length)}`);
    if (hasFocus) this.first?.focus();
  }

  private item({ made, lengths, left }: Finding): HTMLElement {
    const isThere = made.length === 1 && childLike(this.step!, made[0]!) !== undefined;
    const line = ({ moves, reached = "" }: Made): HTMLElement => h("span", { class: "line" }, h("span", { class: "solution" }, moves || "no moves"), h("span", { class: "badge" }, titleOf(reached)));
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: "finding", onclick: () => this.onAdd(made) },
        h("span", { class: "total" }, lengths),
        h("span", { class: "lines" }, ...made.map(line)),
        left !== "" && h("span", { class: "label" }, left.replace(/^\S+/, titleOf)),
        isThere && h("span", { class: "label" }, "added"),
      ),
    );
  }
}
