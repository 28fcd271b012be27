// The live bounds: a headline, a scale of all lengths, and a bar for the threshold that is searched.

import { fill, h, say, setAll } from "../dom";
import { explained } from "./explanation";
import { DIAMETER, details, headline, type Bounds } from "./bounds";

/** The bounds as the user sees them. */
export class Status {
  private readonly headline = h("p", { class: "headline", role: "status" });
  private readonly details = h("p", { class: "details" });
  private readonly scale = h("ol", { class: "scale", "aria-hidden": true });
  private readonly bar = h("progress", { max: 100, value: 0, "aria-label": "share of the threshold that is searched" });
  private readonly special = h("ul", { class: "special", "aria-label": "What is special about the position" });
  readonly element = h("div", { class: "status" }, this.headline, this.scale, this.bar, this.details, this.special);

  /** Shows these; nothing where there are none. */
  show(bounds: Bounds | undefined): void {
    this.element.hidden = bounds === undefined;
    if (!bounds) return;
    say(this.headline, headline(bounds));
    say(this.details, details(bounds));
    this.headline.classList.toggle("proven", bounds.answer?.length != null);
    this.bar.hidden = bounds.answer !== null;
    if (bounds.searched) this.bar.value = bounds.searched.percent;
    else setAll(this.bar, { value: null });
    this.drawScale(bounds);
    const special = bounds.answer?.explanation;
    fill(this.special, ...(special ? explained(special).map((said) => h("li", {}, said)) : []));
  }

  private drawScale({ metric, lower, upper, searched, answer }: Bounds): void {
    const lengths = DIAMETER[metric] + 1;
    while (this.scale.children.length > lengths) this.scale.lastChild!.remove();
    while (this.scale.children.length < lengths) this.scale.append(h("li", {}, String(this.scale.children.length)));
    for (const [length, cell] of [...this.scale.children].entries()) {
      const isSearched = searched?.length === length;
      const kind = length < lower ? "ruled-out" : upper === length ? "known" : upper !== null && length > upper ? "beyond" : "open";
      cell.className = `${kind}${isSearched ? " searched" : ""}${answer?.length === length ? " proven" : ""}`;
      (cell as HTMLElement).style.setProperty("--done", `${isSearched ? searched.percent : 0}%`);
    }
  }
}
