// The list of search results at a step; a click adds one.

import { field, h, select, setAll, setChildren, setText } from "../dom";
import { count } from "../format";
import { childLike, type Step, type StepResult } from "./attempt";
import type { SearchResult } from "./search";
import { AXES, meaningOf, titleOf } from "./steps";

/** Number of results listed at first. */
const LISTED = 100;

/** The sort orders. */
const ORDERS: [value: string, text: string][] = [
  ["moves", "fewest moves"],
  ["bad-pieces", "fewest bad pieces"],
];

/** The axis of the reduction that a result reaches. */
const axisOf = ({ steps }: SearchResult): string | undefined =>
  steps.at(-1)?.reduction?.split(":")[1];

/**
 * Filters results by axis, if one is given, and sorts them; they arrive sorted by number of moves.
 */
export function arranged(results: SearchResult[], order: string, axis: string): SearchResult[] {
  const along = results.filter((result) => axis === "" || axisOf(result) === axis);
  const number = ({ badPieces }: SearchResult): number => {
    const [, corners = 0, edges = 0] = /(\d+)c(\d+)e/.exec(badPieces) ?? [];
    return Number(corners) + Number(edges);
  };
  return order === "bad-pieces" ? along.sort((a, b) => number(a) - number(b)) : along;
}

/** The list, and the button that lists the rest. */
export class ResultList {
  readonly list = h("ol", { class: "findings" });
  private readonly order = select(ORDERS, "moves");
  private readonly axis = select([], "");
  private readonly along = field("Filter by axis", this.axis);
  readonly arranging = h(
    "div",
    { class: "bar", hidden: true },
    field("Sort by", this.order),
    this.along,
  );
  readonly more = h(
    "button",
    { type: "button", class: "quiet", hidden: true, onclick: () => this.showAll() },
    "Show all",
  );
  /** The current list: the first `listed` of these results, next to the added steps. */
  private shown = { results: [] as SearchResult[], children: 0, listed: 0 };
  private step: Step | undefined;

  /** `onAdd` is called with the steps of the chosen result. */
  constructor(private readonly onAdd: (steps: StepResult[]) => void) {
    const onchange = (): void => this.draw({ ...this.shown, listed: LISTED });
    for (const menu of [this.order, this.axis]) setAll(menu, { onchange });
  }

  /** Lists the results found at a step. */
  show(results: SearchResult[], step: Step): void {
    const children = step.children.length;
    // A redrawn list would lose the focus and its scroll position.
    if (results === this.shown.results && children === this.shown.children && step === this.step)
      return;
    if (step !== this.step) this.axis.value = "";
    this.step = step;
    if (results !== this.shown.results) this.offer(results);
    this.draw({ results, children, listed: LISTED });
  }

  /** The button of the first result. */
  get first(): HTMLElement | null {
    return this.list.querySelector("button");
  }

  /** Offers the sort orders and axes. */
  private offer(results: SearchResult[]): void {
    this.arranging.hidden =
      results.length < 2 || results.every(({ badPieces }) => badPieces === "");
    // A search that has only begun does not reset the choice.
    if (results.length === 0) return;
    const axes = AXES.filter((axis) => results.some((result) => axisOf(result) === axis));
    const chosen = this.axis.value;
    setChildren(
      this.axis,
      ...["", ...axes].map((axis) => h("option", { value: axis }, axis || "all")),
    );
    this.axis.value = axes.includes(chosen) ? chosen : "";
    this.along.hidden = axes.length < 2;
  }

  private showAll(): void {
    const { listed } = this.shown;
    this.draw({ ...this.shown, listed: Infinity });
    this.list.querySelectorAll("button")[listed]?.focus();
  }

  private draw(shown: ResultList["shown"]): void {
    this.shown = shown;
    const { listed } = shown;
    const results = arranged(shown.results, this.order.value, this.axis.value);
    const hasFocus = this.list.contains(document.activeElement);
    setChildren(this.list, ...results.slice(0, listed).map((result) => this.item(result)));
    this.more.hidden = results.length <= listed;
    setText(this.more, `Show all ${count(results.length)}`);
    if (hasFocus) this.first?.focus();
  }

  private item({ steps, lengths, badPieces }: SearchResult): HTMLElement {
    const isThere = steps.length === 1 && childLike(this.step!, steps[0]!) !== undefined;
    const line = ({ moves, reduction = "" }: StepResult): HTMLElement =>
      h(
        "span",
        { class: "line" },
        h("span", { class: "solution" }, moves || "no moves"),
        h("span", { class: "badge", title: meaningOf(reduction) }, titleOf(reduction)),
      );
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: "finding", onclick: () => this.onAdd(steps) },
        h(
          "span",
          {
            class: "total",
            title: lengths.includes("/") ? "Moves of this step / moves so far" : null,
          },
          lengths,
        ),
        h("span", { class: "lines" }, ...steps.map(line)),
        badPieces !== "" &&
          h(
            "span",
            { class: "label", title: "Bad pieces: corners (c) and edges (e)" },
            badPieces.replace(/^\S+/, titleOf),
          ),
        isThere && h("span", { class: "label" }, "added"),
      ),
    );
  }
}
