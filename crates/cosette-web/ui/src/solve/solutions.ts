// The solutions found: one is shown with the player; several are listed, chosen and downloaded.

import { download, h, setChildren } from "../dom";
import { plural } from "../format";

/** At most this many are listed; a download has all. */
const LISTED = 500;

/** The list of solutions. */
export class Solutions {
  readonly element = h("div", { class: "solutions" });
  private chosen: string | undefined;

  /** `onChoose` is called with the chosen solution; undefined if there is none any more. */
  constructor(private readonly onChoose: (solution: string | undefined) => void) {}

  /** Removes all solutions. */
  clear(): void {
    this.choose(undefined);
    setChildren(this.element);
  }

  /** Shows these and chooses the first one. */
  show(solutions: string[]): void {
    const [first] = solutions;
    if (first === undefined) return this.clear();
    if (first !== this.chosen) this.choose(first);
    const text = (): string => solutions.map((solution) => `${solution}\n`).join("");
    setChildren(
      this.element,
      ...(solutions.length === 1
        ? []
        : [
            h(
              "div",
              { class: "row" },
              h("h3", {}, plural(solutions.length, "solution")),
              h("button", { type: "button", class: "quiet", onclick: () => download("solutions.txt", "text/plain", text()) }, "Download"),
            ),
            this.list(solutions),
          ]),
    );
  }

  private list(solutions: string[]): HTMLElement {
    const choice = (solution: string, number: number): HTMLElement =>
      h(
        "li",
        {},
        h(
          "label",
          { class: "choice" },
          h("input", { type: "radio", name: "solution", checked: number === 0, onchange: () => this.choose(solution) }),
          h("span", { class: "solution" }, solution),
        ),
      );
    const listed = solutions.slice(0, LISTED).map(choice);
    const more = solutions.length - listed.length;
    return h("ol", { class: "list" }, ...listed, more > 0 && h("li", { class: "more" }, `and ${plural(more, "more solution")} in the download`));
  }

  private choose(solution: string | undefined): void {
    this.chosen = solution;
    this.onChoose(solution);
  }
}
