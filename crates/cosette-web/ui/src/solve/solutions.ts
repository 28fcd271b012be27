// The solutions found: one is shown, and all can be chosen, copied and downloaded.
import { download, h, setChildren } from "../dom";
import { plural } from "../format";
import { icon } from "../icons";

/** At most this many are listed; a download has all. */
const LISTED = 500;

/** The list of solutions. */
export class Solutions {
  readonly element = h("div", { class: "solutions" });
  private current: string | undefined;

  /** `onChoose` is called with the chosen solution; `onPlay` plays it. */
  constructor(
    private readonly onChoose: (solution: string) => void,
    private readonly onPlay: () => void,
  ) {}

  /** Removes all solutions. */
  clear(): void {
    this.current = undefined;
    setChildren(this.element);
  }

  /** Shows these and chooses the first one. `label` says what they are. */
  show(solutions: string[], label: string): void {
    const [first] = solutions;
    if (first === undefined) return this.clear();
    if (first !== this.current) {
      this.current = first;
      this.onChoose(first);
    }
    const text = (): string => solutions.map((solution) => `${solution}\n`).join("");
    setChildren(
      this.element,
      h(
        "div",
        { class: "row" },
        h("h3", {}, solutions.length === 1 ? label : `${plural(solutions.length, "solution")}, ${label}`),
        h(
          "span",
          { class: "row tight" },
          first !== "" && h("button", { type: "button", class: "strong", onclick: this.onPlay }, icon("play"), " Play"),
          this.copyButton(),
          solutions.length > 1 && h("button", { type: "button", class: "quiet", onclick: () => download("solutions.txt", "text/plain", text()) }, "Download"),
        ),
      ),
      solutions.length > 1 && this.list(solutions),
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
    return h("ol", { class: "list", tabindex: -1 }, ...listed, more > 0 && h("li", { class: "more" }, `and ${plural(more, "more solution")} in the download`));
  }

  private choose(solution: string): void {
    this.current = solution;
    this.onChoose(solution);
  }

  private copyButton(): HTMLElement {
    const button = h("button", { type: "button", class: "quiet" }, "Copy");
    button.addEventListener("click", () => {
      void navigator.clipboard.writeText(this.current ?? "").then(() => {
        button.textContent = "Copied";
        setTimeout(() => (button.textContent = "Copy"), 1500);
      });
    });
    return button;
  }
}
