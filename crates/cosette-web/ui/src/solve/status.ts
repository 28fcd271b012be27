// The live bounds: a headline; below the player, a scale of the lengths up to that of the best
// solution, and the progress; below the solutions, special properties.

import { h, prose, setAll, setChildren, setText } from "../dom";
import { count, plural } from "../format";
import type { Explanation } from "../protocol";
import { ONE_COLUMN } from "../breakpoints";
import { claim, details, headline, maxNeeded, type Bounds } from "./bounds";

/** Maximum number of lengths on a scale; costs may be larger. */
const MAX_SCALE = 31;

/** Shows the bounds. */
export class Status {
  private readonly text = h("p", { class: "headline", role: "status" });
  private readonly claim = h("p", { class: "claim" });
  private readonly details = h("p", { class: "details" });
  private readonly scale = h("ol", { class: "scale", "aria-hidden": true });
  private readonly caption = h("p", { class: "label" }, "Lengths; gray ones are ruled out");
  private readonly bar = h("progress", { max: 100, value: 0, "aria-label": "Progress" });
  private readonly facts = h("ul");
  /** Special properties of the position; folded on small screens. */
  readonly special = h(
    "details",
    { class: "options special", open: !ONE_COLUMN.matches },
    h("summary", {}, "About this position"),
    this.facts,
  );
  private readonly running: HTMLElement;
  /** The answer. */
  readonly headline = h("div", { class: "answer" }, this.text, this.claim);
  /** The details of the search. */
  readonly element: HTMLElement;

  /** `stop` is shown next to the progress. */
  constructor(stop: HTMLElement) {
    this.running = h("div", { class: "running" }, this.bar, stop);
    this.element = h(
      "div",
      { class: "status" },
      this.running,
      this.caption,
      this.scale,
      this.details,
    );
  }

  /**
   * Enables announcements by screen readers; disabled for searches that the user did not request.
   */
  set isTold(isTold: boolean) {
    setAll(this.text, { role: isTold ? "status" : null });
  }

  /** Shows these bounds; nothing if there are none. */
  show(bounds: Bounds | undefined): void {
    this.headline.hidden = this.element.hidden = bounds === undefined;
    const special = bounds?.answer?.explanation;
    this.special.hidden = !special;
    setChildren(
      this.facts,
      ...(special ? described(special).map((text) => h("li", {}, ...prose(text))) : []),
    );
    if (!bounds) return;
    setText(this.text, headline(bounds));
    setText(this.claim, claim(bounds));
    setText(this.details, details(bounds));
    this.text.classList.toggle("proven", bounds.answer?.length != null);
    this.running.hidden = bounds.answer !== null || bounds.isLost === true;
    const searched = bounds.searched;
    setAll(this.bar, {
      value: searched?.percent ?? bounds.waiting?.percent ?? null,
      "aria-label": searched ? `Search of length ${searched.length}` : "Progress",
    });
    this.element.classList.toggle("waiting", bounds.waiting !== null);
    this.drawScale(bounds);
  }

  private drawScale(bounds: Bounds): void {
    const { lower, upper, searched, answer } = bounds;
    const most = Math.min(upper ?? Infinity, maxNeeded(bounds));
    // The maximum cost for a goal is unknown.
    const lengths = (most === Infinity ? lower : most) + 1;
    this.scale.hidden = lengths < 2 || lengths > MAX_SCALE || answer?.unreachable !== undefined;
    this.caption.hidden = this.scale.hidden || lower === 0 || answer?.length != null;
    if (this.scale.hidden) return;
    // On phones, in two rows of the same length, if one is too short.
    this.scale.style.setProperty(
      "--columns",
      String(lengths > 13 ? Math.ceil(lengths / 2) : lengths),
    );
    while (this.scale.children.length > lengths) this.scale.lastChild!.remove();
    while (this.scale.children.length < lengths)
      this.scale.append(h("li", {}, String(this.scale.children.length)));
    for (const [length, cell] of [...this.scale.children].entries()) {
      const isSearched = searched?.length === length;
      const kind = length < lower ? "ruled-out" : upper === length ? "known" : "open";
      cell.className = `${kind}${isSearched ? " searched" : ""}${answer?.length === length ? " proven" : ""}`;
      (cell as HTMLElement).style.setProperty("--done", `${isSearched ? searched.percent : 0}%`);
    }
  }
}

/**
 * Describes the special properties of a position, in a few words each; a lack of symmetry, which is
 * the normal case, is not mentioned.
 */
function described({
  rotations,
  mirrors,
  inverting,
  order,
  is_odd,
  solutions,
}: Explanation): string[] {
  // Every position has the identity, which counts as a rotation.
  const kinds = [
    "the identity",
    rotations > 1 && plural(rotations - 1, "rotation"),
    mirrors > 0 && plural(mirrors, "mirror image"),
  ].filter(Boolean);
  const ends = (moves: string[]): string =>
    moves.length === 1 ? `with \`${moves[0]!}\`` : `with one of \`${moves.join(" ")}\``;
  // A single first or last move is visible anyway.
  const { first_moves = [], last_moves = [] } = solutions?.count === 1 ? {} : (solutions ?? {});
  const all = solutions?.count === 2 ? "both" : `all ${count(solutions?.count ?? 0)}`;
  return [
    kinds.length === 1 ? "" : `${rotations + mirrors} symmetries: ${kinds.join(", ")}`,
    inverting > 0 ? "its inverse is the same position, rotated or mirrored" : "",
    order === 1 ? "" : `repeated ${order === 2 ? "twice" : `${order} times`}, it returns to solved`,
    `every solution has an ${is_odd ? "odd" : "even"} number of quarter turns`,
    first_moves.length > 0 ? `${all} shortest solutions begin ${ends(first_moves)}` : "",
    last_moves.length > 0
      ? `${first_moves.length > 0 ? "they" : `${all} shortest solutions`} end ${ends(last_moves)}`
      : "",
  ].filter((text) => text !== "");
}
