// The palette: the colors to paint with, each with the number of facelets that have it.

import { h, newId, setAll, setText } from "../dom";
import { colorName, onAppearance } from "./appearance";
import { FACES, type Facelet } from "./colors";

/** The palette. */
export class Palette {
  readonly element: HTMLElement;
  private chosen: Facelet = "U";
  private readonly counts = new Map<Facelet, HTMLElement>();

  /** `blank` describes a facelet without a color. */
  constructor(blank = "no color") {
    const group = newId("color");
    this.element = h(
      "fieldset",
      { class: "palette" },
      h("legend", { class: "hidden" }, "Paint color"),
    );
    for (const facelet of [...FACES, "."] as Facelet[]) {
      const count = h("span", { class: "count" });
      this.counts.set(facelet, count);
      const choice = h("input", {
        type: "radio",
        name: group,
        value: facelet,
        checked: facelet === this.chosen,
        onchange: () => (this.chosen = facelet),
      });
      const swatch = h(
        "label",
        { class: "swatch" },
        choice,
        h("span", { class: "facelet", "data-color": facelet }),
        count,
      );
      this.element.append(swatch);
      onAppearance(() => {
        const name = facelet === "." ? blank : `${colorName(facelet)} (${facelet})`;
        setAll(swatch, { title: name });
        setAll(choice, { "aria-label": name });
      });
    }
  }

  /** The chosen color. */
  get brush(): Facelet {
    return this.chosen;
  }

  /** Counts the facelets of each color. */
  count(facelets: string): void {
    for (const [facelet, shown] of this.counts) {
      const painted = [...facelets].filter((color) => color === facelet).length;
      setText(shown, facelet === "." ? String(painted || "") : `${painted}`);
      shown.classList.toggle("full", facelet !== "." && painted === 9);
      shown.classList.toggle("fault", facelet !== "." && painted > 9);
    }
  }
}
