// The list of what was found at a step, of which a click adds one.

import { field, h, select, setAll, setChildren, setText } from "../dom";
import { count } from "../format";
import { childLike, type Made, type Step } from "./attempt";
import type { Finding } from "./search";
import { AXES, meaningOf, titleOf } from "./steps";

/** How many are listed at first. */
const LISTED = 100;

/** Which are listed first. */
const ORDERS: [value: string, text: string][] = [["moves", "fewest moves first"], ["left", "fewest bad pieces first"]];

/** The axis of what a finding reaches. */
const axisOf = ({ made }: Finding): string | undefined => made.at(-1)?.reached?.split(":")[1];

/** Findings along an axis, or all, in an order; they come by moves. */
export function arranged(findings: Finding[], order: string, axis: string): Finding[] {
  const along = findings.filter((finding) => axis === "" || axisOf(finding) === axis);
  const number = ({ left }: Finding): number => {
    const [, corners = 0, edges = 0] = /(\d+)c(\d+)e/.exec(left) ?? [];
    return Number(corners) + Number(edges);
  };
  return order === "left" ? along.sort((a, b) => number(a) - number(b)) : along;
}

/** The list, and the button that lists the rest. */
export class Findings {
  readonly list = h("ol", { class: "findings" });
  private readonly order = select(ORDERS, "moves");
  private readonly axis = select([], "");
  private readonly along = field("Along", this.axis);
  readonly arranging = h("div", { class: "bar", hidden: true }, field("Sorted by", this.order), this.along);
  readonly more = h("button", { type: "button", class: "quiet", hidden: true, onclick: () => this.showAll() }, "List all");
  /** What is listed: the first of these, beside so many steps that were added. */
  private shown = { findings: [] as Finding[], children: 0, listed: 0 };
  private step: Step | undefined;

  /** `onAdd` is called with the steps of the one that is chosen. */
  constructor(private readonly onAdd: (made: Made[]) => void) {
    const onchange = (): void => this.draw({ ...this.shown, listed: LISTED });
    for (const menu of [this.order, this.axis]) setAll(menu, { onchange });
  }

  /** Lists what was found at a step. */
  show(findings: Finding[], step: Step): void {
    const children = step.children.length;
    // Drawn again, a list would lose the focus and its place.
    if (findings === this.shown.findings && children === this.shown.children && step === this.step) return;
    if (step !== this.step) this.axis.value = "";
    this.step = step;
    if (findings !== this.shown.findings) this.offer(findings);
    this.draw({ findings, children, listed: LISTED });
  }

  /** The button of the first one. */
  get first(): HTMLElement | null {
    return this.list.querySelector("button");
  }

  /** Offers how they can be listed. */
  private offer(findings: Finding[]): void {
    this.arranging.hidden = findings.length < 2 || findings.every(({ left }) => left === "");
    // A search that has only begun takes no choice back.
    if (findings.length === 0) return;
    const axes = AXES.filter((axis) => findings.some((finding) => axisOf(finding) === axis));
    const chosen = this.axis.value;
    setChildren(this.axis, ...["", ...axes].map((axis) => h("option", { value: axis }, axis || "all axes")));
    this.axis.value = axes.includes(chosen) ? chosen : "";
    this.along.hidden = axes.length < 2;
  }

  private showAll(): void {
    const { listed } = this.shown;
    this.draw({ ...this.shown, listed: Infinity });
    this.list.querySelectorAll("button")[listed]?.focus();
  }

  private draw(shown: Findings["shown"]): void {
    this.shown = shown;
    const { listed } = shown;
    const findings = arranged(shown.findings, this.order.value, this.axis.value);
    const hasFocus = this.list.contains(document.activeElement);
    setChildren(this.list, ...findings.slice(0, listed).map((finding) => this.item(finding)));
    this.more.hidden = findings.length <= listed;
    setText(this.more, `List all ${count(findings.length)}`);
    if (hasFocus) this.first?.focus();
  }

  private item({ made, lengths, left }: Finding): HTMLElement {
    const isThere = made.length === 1 && childLike(this.step!, made[0]!) !== undefined;
    const line = ({ moves, reached = "" }: Made): HTMLElement => h("span", { class: "line" }, h("span", { class: "solution" }, moves || "no moves"), h("span", { class: "badge", title: meaningOf(reached) }, titleOf(reached)));
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: "finding", onclick: () => this.onAdd(made) },
        h("span", { class: "total", title: lengths.includes("/") ? "Moves of its own, and all by then" : null }, lengths),
        h("span", { class: "lines" }, ...made.map(line)),
        left !== "" && h("span", { class: "label", title: "Bad pieces: corners and edges" }, left.replace(/^\S+/, titleOf)),
        isThere && h("span", { class: "label" }, "added"),
      ),
    );
  }
}
