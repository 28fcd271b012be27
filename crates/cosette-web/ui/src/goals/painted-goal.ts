// A painted goal: the facelets that must have a certain color. Unpainted ones may have any color.

import { BLANK, isPainted } from "../cube/colors";
import { Net } from "../cube/net";
import { Palette } from "../cube/palette";
import { h } from "../dom";
import { paintingOf } from "./picker";

/** The net, folded; it is created when it is unfolded. */
export class PaintedGoal {
  readonly element: HTMLDetailsElement;
  private net: Net | undefined;
  private palette: Palette | undefined;
  private text = "";

  /** `onPaint` is called with the facelets after each change. */
  constructor(private readonly onPaint: (facelets: string) => void) {
    this.element = h(
      "details",
      { class: "options painted", ontoggle: () => this.unfold() },
      h("summary", {}, "Paint the goal"),
    );
  }

  /** Shows the facelets of a text, or of a named goal. */
  show(text: string): void {
    this.text = text.trim();
    const facelets = isPainted(this.text) ? this.text : (paintingOf(this.text) ?? BLANK);
    this.net?.show(facelets);
    this.palette?.count(facelets);
  }

  private unfold(): void {
    if (this.net || !this.element.open) return;
    const palette = new Palette("any color");
    this.palette = palette;
    this.net = new Net(
      () => palette.brush,
      this.onPaint,
      "The 54 facelets of the goal, unfolded",
      "any color",
    );
    const clear = h(
      "button",
      { type: "button", class: "quiet", onclick: () => this.onPaint(BLANK) },
      "Clear",
    );
    this.element.append(
      h("div", { class: "row" }, h("small", {}, "Blank facelets may have any color."), clear),
      palette.element,
      this.net.element,
    );
    this.show(this.text);
  }
}
