// The solution in other notations, unfolded on request: as a scramble, with slices, with wide
// moves.

import { copyButton, h, setChildren } from "../dom";
import { plural } from "../format";
import { inverse, movesOf, withSlices, withWideMoves } from "./notation";

/** The notations; those that do not differ are omitted. */
const NOTATIONS: {
  name: string;
  write: (solution: string) => string;
  hint: (written: string) => string;
}[] = [
  {
    name: "Inverse (scramble)",
    write: inverse,
    hint: () => "produces this position from the solved cube",
  },
  {
    name: "With slices",
    write: withSlices,
    hint: (written) => `${plural(movesOf(written).length, "move")} in the slice-turn metric (STM)`,
  },
  {
    name: "With wide moves",
    write: withWideMoves,
    hint: () => "no turns of L, D and B; lowercase letters turn two layers",
  },
];

/** The solution in other notations. */
export class OtherNotations {
  private readonly list = h("dl", { class: "wording" });
  private solution = "";
  readonly element = h(
    "details",
    { class: "options", ontoggle: () => this.draw() },
    h("summary", {}, "Other notations"),
    this.list,
  );

  /** Shows this solution; nothing if there is none, or it has no moves. */
  show(solution: string | undefined): void {
    this.solution = solution ?? "";
    this.element.hidden = this.solution === "";
    this.draw();
  }

  private draw(): void {
    if (!this.element.open) return;
    const rows = NOTATIONS.map((notation) => ({
      ...notation,
      written: notation.write(this.solution),
    })).filter(({ written }) => written !== this.solution);
    setChildren(
      this.list,
      ...rows.flatMap(({ name, written, hint }) => [
        h("dt", {}, name),
        h(
          "dd",
          {},
          h(
            "span",
            { class: "row" },
            h("span", { class: "solution" }, written),
            copyButton("Copy", `Copy: ${name}`, () => written),
          ),
          h("small", {}, hint(written)),
        ),
      ]),
    );
  }
}
