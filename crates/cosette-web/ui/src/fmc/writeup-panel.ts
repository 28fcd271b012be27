// The write-up: to be copied, printed, and linked to.

import { copyButton, h, setChildren } from "../dom";
import { plural } from "../format";
import { isOfThisMachine } from "../hostname";
import { linkToView } from "../solve/address";
import { totalOf, type Attempt, type Step } from "./attempt";
import { encoded } from "./link";
import { lines, textOf } from "./writeup";

/** Shows the write-up of the selected step. It is also the printed content. */
export class WriteupPanel {
  private readonly content = h("div", { class: "lines" });
  private readonly reach = h("p", { class: "label" }, "The link works only on this machine.");
  private attempt: Attempt | undefined;
  private step: Step | undefined;
  readonly element = h(
    "section",
    { class: "card writeup-panel", "aria-label": "Write-up" },
    h("h2", {}, "Write-up"),
    this.content,
    h(
      "div",
      { class: "bar" },
      copyButton("Copy", "Copy the write-up", () => textOf(this.attempt!, this.step!)),
      h("button", { type: "button", class: "quiet", onclick: () => print() }, "Print"),
      copyButton("Copy link", "Copy a link to the whole attempt", () =>
        linkToView(`fmc=${encoded(this.attempt!)}`),
      ),
    ),
    this.reach,
  );

  /** Shows the path to a step. */
  show(attempt: Attempt, step: Step): void {
    this.attempt = attempt;
    this.step = step;
    // The address for other machines may be known by now.
    this.reach.hidden = !isOfThisMachine(new URL(linkToView("")).hostname);
    const { steps, notes, solution } = lines(attempt, step);
    const note = (text: string): HTMLElement | null =>
      text.trim() === "" ? null : h("p", { class: "note-line" }, text);
    setChildren(
      this.content,
      h(
        "p",
        {},
        h("span", { class: "label" }, "Scramble"),
        " ",
        h("span", { class: "solution" }, attempt.scramble),
      ),
      attempt.root.rest !== null &&
        h(
          "p",
          {},
          h("span", { class: "label" }, "Shortest solution"),
          ` ${plural(attempt.root.rest, "move")}, proven`,
        ),
      note(notes),
      h(
        "ol",
        {},
        ...steps.map(({ moves, comment, note: text }) =>
          h(
            "li",
            {},
            moves !== "" && h("span", { class: "solution" }, moves),
            h("span", { class: "comment" }, ` // ${comment}`),
            note(text),
          ),
        ),
      ),
      solution !== undefined &&
        h(
          "p",
          { class: "final" },
          h("strong", {}, plural(totalOf(step), "move")),
          " ",
          h("span", { class: "solution" }, solution),
        ),
    );
  }
}
