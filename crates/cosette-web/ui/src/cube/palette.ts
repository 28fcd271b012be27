// The colours to paint with, each with the number of facelets that have it.

import { h, setText } from "../dom";
import { FACES, NAMES, type Facelet } from "./colours";

/** The palette. */
export class Palette {
  readonly element: HTMLElement;
  private chosen: Facelet = "U";
  private readonly counts = new Map<Facelet, HTMLElement>();

  constructor() {
    this.element = h("fieldset", { class: "palette" }, h("legend", { class: "hidden" }, "Colour to paint with"));
    for (const facelet of [...FACES, "."] as Facelet[]) {
      const count = h("span", { class: "count" });
      this.counts.set(facelet, count);
      const name = facelet === "." ? "nothing" : `${NAMES[facelet].colour} (${facelet})`;
      this.element.append(
        h(
          "label",
          { class: "swatch", title: name },
          h("input", {
            type: "radio",
            name: "colour",
            value: facelet,
            checked: facelet === this.chosen,
            "aria-label": name,
            onchange: () => (this.chosen = facelet),
          }),
          h("span", { class: "facelet", "data-colour": facelet }),
          count,
        ),
      );
    }
  }

  /** The chosen colour. */
  get brush(): Facelet {
    return this.chosen;
  }

  /** Counts the facelets of each colour. */
  count(facelets: string): void {
    for (const [facelet, shown] of this.counts) {
      const painted = [...facelets].filter((colour) => colour === facelet).length;
      setText(shown, facelet === "." ? String(painted || "") : `${painted}`);
      shown.classList.toggle("full", facelet !== "." && painted === 9);
      shown.classList.toggle("fault", facelet !== "." && painted > 9);
    }
  }
}
