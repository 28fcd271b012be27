// The live bounds: a headline, and below the player a scale of the lengths up to that of the best solution, and the progress; below the
// solutions, what is special.

import { h, prose, setAll, setChildren, setText } from "../dom";
import { count, plural } from "../format";
import type { Explanation } from "../protocol";
import { ONE_COLUMN } from "../screen";
import { claim, details, headline, mostNeeded, type Bounds } from "./bounds";

/** The most lengths of a scale; costs may be larger. */
const LONGEST_SCALE = 31;

/** Shows the bounds. */
export class Status {
  private readonly text = h("p", { class: "headline", role: "status" });
  private readonly claim = h("p", { class: "claim" });
  private readonly details = h("p", { class: "details" });
  private readonly scale = h("ol", { class: "scale", "aria-hidden": true });
  private readonly caption = h("p", { class: "label" }, "Lengths; the grey ones are ruled out");
  private readonly bar = h("progress", { max: 100, value: 0, "aria-label": "progress" });
  private readonly facts = h("ul");
  /** What is special about the position; folded on small screens. */
  readonly special = h("details", { class: "options special", open: !ONE_COLUMN.matches }, h("summary", {}, "About this position"), this.facts);
  private readonly running: HTMLElement;
  /** The answer. */
  readonly headline = h("div", { class: "answer" }, this.text, this.claim);
  /** How it was found. */
  readonly element: HTMLElement;

  /** `stop` is shown beside the progress. */
  constructor(stop: HTMLElement) {
    this.running = h("div", { class: "running" }, this.bar, stop);
    this.element = h("div", { class: "status" }, this.running, this.caption, this.scale, this.details);
  }

  /** Whether screen readers are told what changes: not of what nobody has asked for. */
  set isTold(isTold: boolean) {
    setAll(this.text, { role: isTold ? "status" : null });
  }

  /** Shows these bounds; nothing if there are none. */
  show(bounds: Bounds | undefined): void {
    this.headline.hidden = this.element.hidden = bounds === undefined;
    const special = bounds?.answer?.explanation;
    this.special.hidden = !special;
    setChildren(this.facts, ...(special ? described(special).map((text) => h("li", {}, ...prose(text))) : []));
    if (!bounds) return;
    setText(this.text, headline(bounds));
    setText(this.claim, claim(bounds));
    setText(this.details, details(bounds));
    this.text.classList.toggle("proven", bounds.answer?.length != null);
    this.running.hidden = bounds.answer !== null || bounds.isLost === true;
    const searched = bounds.searched;
    setAll(this.bar, { value: searched?.percent ?? bounds.waiting?.percent ?? null, "aria-label": searched ? `search of length ${searched.length}` : "progress" });
    this.element.classList.toggle("waiting", bounds.waiting !== null);
    this.drawScale(bounds);
  }

  private drawScale(bounds: Bounds): void {
    const { lower, upper, searched, answer } = bounds;
    const most = Math.min(upper ?? Infinity, mostNeeded(bounds));
    // Of a goal, nobody knows how many it may need.
    const lengths = (most === Infinity ? lower : most) + 1;
    this.scale.hidden = lengths < 2 || lengths > LONGEST_SCALE || answer?.unreachable !== undefined;
    this.caption.hidden = this.scale.hidden || lower === 0 || answer?.length != null;
    if (this.scale.hidden) return;
    // On phones, in two rows of the same length, if one is too short.
    this.scale.style.setProperty("--columns", String(lengths > 13 ? Math.ceil(lengths / 2) : lengths));
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

/** What is special about a position, in a few words each; that most have no symmetry is not. */
function described({ rotations, mirrors, inverting, order, is_odd, solutions }: Explanation): string[] {
  // Every position has the identity, which counts as a rotation.
  const kinds = ["the identity", rotations > 1 && plural(rotations - 1, "rotation"), mirrors > 0 && plural(mirrors, "mirror image")].filter(Boolean);
  const ends = (moves: string[]): string => (moves.length === 1 ? `with \`${moves[0]!}\`` : `with one of \`${moves.join(" ")}\``);
  // One alone is to be seen.
  const { first_moves = [], last_moves = [] } = solutions?.count === 1 ? {} : (solutions ?? {});
  const all = solutions?.count === 2 ? "both" : `all ${count(solutions?.count ?? 0)}`;
  return [
    kinds.length === 1 ? "" : `${rotations + mirrors} symmetries: ${kinds.join(", ")}`,
    inverting > 0 ? "its inverse is the same position, turned or mirrored" : "",
    order === 1 ? "" : `repeated ${order === 2 ? "twice" : `${order} times`}, it returns to solved`,
    `every solution has an ${is_odd ? "odd" : "even"} number of quarter turns`,
    first_moves.length > 0 ? `${all} shortest solutions begin ${ends(first_moves)}` : "",
    last_moves.length > 0 ? `they end ${ends(last_moves)}` : "",
  ].filter((text) => text !== "");
}
