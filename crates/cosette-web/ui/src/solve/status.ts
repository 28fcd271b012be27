// The live bounds: a headline, and below the player a scale of the lengths up to that of the best solution, the progress, and what is special.

import { h, setAll, setChildren, setText } from "../dom";
import { plural } from "../format";
import type { Explanation } from "../protocol";
import { DIAMETER, claim, details, headline, type Bounds } from "./bounds";

/** Shows the bounds. */
export class Status {
  private readonly text = h("p", { class: "headline", role: "status" });
  private readonly claim = h("p", { class: "claim" });
  private readonly details = h("p", { class: "details" });
  private readonly scale = h("ol", { class: "scale", "aria-hidden": true });
  private readonly bar = h("progress", { max: 100, value: 0, "aria-label": "progress of the length that is searched" });
  private readonly special = h("ul", { class: "special", "aria-label": "What is special about the position" });
  private readonly running: HTMLElement;
  /** The answer. */
  readonly headline = h("div", { class: "answer" }, this.text, this.claim);
  /** How it was found. */
  readonly element: HTMLElement;

  /** `stop` is shown beside the progress. */
  constructor(stop: HTMLElement) {
    this.running = h("div", { class: "running" }, this.bar, stop);
    this.element = h("div", { class: "status" }, this.running, this.scale, this.details, this.special);
  }

  /** Shows these bounds; nothing if there are none. `wanted` is how many solutions were asked for. */
  show(bounds: Bounds | undefined, wanted = ""): void {
    this.headline.hidden = this.element.hidden = bounds === undefined;
    if (!bounds) return;
    setText(this.text, headline(bounds));
    setText(this.claim, claim(bounds, wanted));
    setText(this.details, details(bounds));
    this.text.classList.toggle("proven", bounds.answer?.length != null);
    this.running.hidden = bounds.answer !== null;
    if (bounds.searched) this.bar.value = bounds.searched.percent;
    else setAll(this.bar, { value: null });
    this.drawScale(bounds);
    const special = bounds.answer?.explanation;
    setChildren(this.special, ...(special ? described(special).map((text) => h("li", {}, text)) : []));
  }

  private drawScale({ metric, lower, upper, searched, answer }: Bounds): void {
    const lengths = Math.min(upper ?? Infinity, DIAMETER[metric]) + 1;
    while (this.scale.children.length > lengths) this.scale.lastChild!.remove();
    while (this.scale.children.length < lengths) this.scale.append(h("li", {}, String(this.scale.children.length)));
    for (const [length, cell] of [...this.scale.children].entries()) {
      const isSearched = searched?.length === length;
      const kind = length < lower ? "ruled-out" : upper === length ? "known" : "open";
      cell.className = `${kind}${isSearched ? " searched" : ""}${answer?.length === length ? " proven" : ""}`;
      (cell as HTMLElement).style.setProperty("--done", `${isSearched ? searched.percent : 0}%`);
    }
  }
}

/** What is special about a position, in a few words each. */
function described({ rotations, mirrors, inverting, order, is_odd, solutions }: Explanation): string[] {
  const fixed = rotations + mirrors;
  const first = solutions?.first_moves.join(" ");
  const last = solutions?.last_moves.join(" ");
  return [
    fixed === 1 ? "no symmetry" : `${plural(fixed, "symmetry", "symmetries")}: ${plural(rotations, "rotation")}, ${mirrors} mirrored`,
    inverting > 0 ? "symmetric to its inverse" : "",
    order === 1 ? "" : `repeated ${order} times it is solved`,
    `${is_odd ? "odd" : "even"} permutation`,
    first ? `all its shortest solutions begin with one of ${first}` : "",
    last ? `and end with one of ${last}` : "",
  ].filter((text) => text !== "");
}
