// The colours to paint with, each with the number of facelets that have it.

import { h, newId, setAll, setText } from "../dom";
import { colourName, onAppearance } from "./appearance";
import { FACES, type Facelet } from "./colours";

/** The palette. */
export class Palette {
  readonly element: HTMLElement;
  private chosen: Facelet = "U";
  private readonly counts = new Map<Facelet, HTMLElement>();

  /** `blank` says what a facelet gets that gets no colour. */
  constructor(blank = "nothing") {
    const group = newId("colour");
    this.element = h("fieldset", { class: "palette" }, h("legend", { class: "hidden" }, "Colour to paint with"));
    for (const facelet of [...FACES, "."] as Facelet[]) {
      const count = h("span", { class: "count" });
      this.counts.set(facelet, count);
      const choice = h("input", { type: "radio", name: group, value: facelet, checked: facelet === this.chosen, onchange: () => (this.chosen = facelet) });
      const swatch = h("label", { class: "swatch" }, choice, h("span", { class: "facelet", "data-colour": facelet }), count);
      this.element.append(swatch);
      onAppearance(() => {
        const name = facelet === "." ? blank : `${colourName(facelet)} (${facelet})`;
        setAll(swatch, { title: name });
        setAll(choice, { "aria-label": name });
      });
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
