// The solutions found: one is shown with the player; several can be listed, filtered, sorted,
// chosen, copied and downloaded.

import { copyButton, download, field, h, select, setChildren, setText } from "../dom";
import { count, plural } from "../format";

/**
 * Number of solutions listed at first, and added each time; copying and downloading include all.
 */
const LISTED = 200;

/** Number of solutions seen at a glance; longer lists can be filtered. */
const FEW = 8;

/** A solution. */
export interface Solution {
  moves: string;
  /**
   * The cost and the variants of the goal that the solution reaches, if solutions differ in them.
   */
  length?: number | undefined;
  variant?: string | undefined;
}

/** The orders to choose from. */
const ORDERS: [value: string, text: string][] = [
  ["length", "by length"],
  ["moves", "by moves"],
];

/** Any length. */
const ANY = "";

/** The list of solutions. */
export class Solutions {
  private readonly said = h("span", { role: "status" });
  private readonly wanted = h("input", {
    type: "search",
    class: "code-text",
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    placeholder: "R U R'",
    oninput: () => this.draw(),
  });
  private readonly length = h("select", { onchange: () => this.draw() });
  private readonly order = select(ORDERS, "length");
  private readonly lengths = field("Length", this.length);
  private readonly filters = h(
    "div",
    { class: "filters", role: "group", "aria-label": "Filters" },
    field("Contains moves", this.wanted),
    this.lengths,
    field("Sort", this.order),
  );
  private readonly list = h("ol", {
    class: "list",
    onchange: (event: Event) => this.choose((event.target as HTMLInputElement).value),
  });
  private readonly more = h("button", {
    type: "button",
    class: "quiet",
    onclick: () => this.showMore(),
  });
  readonly element = h("div", { class: "solutions" });
  private all: Solution[] = [];
  /** The solutions that match the filter, in order. */
  private found: Solution[] = [];
  /** `true` if the solutions reach several variants of the goal. */
  private hasVariants = false;
  private chosen: string | undefined;

  /** `onChoose` is called with the chosen solution; undefined if there is none any more. */
  constructor(private readonly onChoose: (solution: string | undefined) => void) {
    this.order.addEventListener("change", () => this.draw());
  }

  /** Removes all solutions. */
  clear(): void {
    this.choose(undefined);
    this.all = [];
    setChildren(this.element);
  }

  /** Shows solutions and chooses the first one. */
  show(solutions: Solution[]): void {
    const [first] = solutions;
    if (first === undefined) return this.clear();
    if (first.moves !== this.chosen) this.choose(first.moves);
    this.all = solutions;
    if (solutions.length === 1) return setChildren(this.element);
    const counts = new Map<number, number>();
    for (const { length } of solutions)
      if (length !== undefined) counts.set(length, (counts.get(length) ?? 0) + 1);
    this.lengths.hidden = counts.size < 2;
    this.order.options[0]!.text = this.lengths.hidden ? "as found" : "by length";
    this.hasVariants = new Set(solutions.map(({ variant }) => variant)).size > 1;
    setChildren(
      this.length,
      h("option", { value: ANY }, "any"),
      ...[...counts].map(([length, number]) =>
        h("option", { value: length }, `${length} (${count(number)})`),
      ),
    );
    this.wanted.value = "";
    this.filters.hidden = solutions.length <= FEW;
    const buttons = h(
      "span",
      { class: "row tight" },
      copyButton("Copy list", "Copy the listed solutions, one per line", () => this.text()),
      h(
        "button",
        {
          type: "button",
          class: "quiet",
          onclick: () => download("solutions.txt", "text/plain", this.text()),
        },
        "Download",
      ),
    );
    setChildren(
      this.element,
      h("div", { class: "row" }, h("h3", {}, this.said), buttons),
      this.filters,
      this.list,
      this.more,
    );
    this.draw();
  }

  /** Returns the solutions that match the filter, one per line. */
  private text(): string {
    return this.found.map(({ moves }) => `${moves}\n`).join("");
  }

  /** Lists the solutions that match the filter. */
  private draw(): void {
    const wanted = this.wanted.value.trim().replace(/\s+/g, " ");
    const isWanted = ({ moves, length }: Solution): boolean =>
      ` ${moves} `.includes(wanted && ` ${wanted} `) &&
      ["", String(length)].includes(this.length.value);
    const found = this.all.filter(isWanted);
    // The engine sorts by length.
    this.found =
      this.order.value === "moves" ? found.sort((a, b) => (a.moves < b.moves ? -1 : 1)) : found;
    const all = plural(this.all.length, "solution");
    setText(this.said, found.length === this.all.length ? all : `${count(found.length)} of ${all}`);
    setChildren(this.list);
    this.list.scrollTop = 0;
    this.showMore();
  }

  private showMore(): void {
    const listed = this.list.children.length;
    this.list.append(
      ...this.found.slice(listed, listed + LISTED).map((solution) => this.row(solution)),
    );
    const left = this.found.length - this.list.children.length;
    // If the focused button is gone, the focus moves to the first solution that it listed.
    const isGone = left === 0 && document.activeElement === this.more;
    this.more.hidden = left === 0;
    if (isGone) this.list.children[listed]?.querySelector("input")?.focus();
    setText(this.more, `Show ${count(Math.min(left, LISTED))} more of ${count(left)}`);
  }

  private row({ moves, length, variant }: Solution): HTMLElement {
    const beside = [!this.lengths.hidden && String(length), this.hasVariants && variant]
      .filter(Boolean)
      .join(", ");
    return h(
      "li",
      {},
      h(
        "label",
        { class: "choice" },
        h("input", {
          type: "radio",
          name: "solution",
          value: moves,
          checked: moves === this.chosen,
        }),
        h("span", { class: "solution" }, moves || "(no moves)"),
        beside !== "" && h("span", { class: "beside" }, beside),
      ),
    );
  }

  private choose(solution: string | undefined): void {
    this.chosen = solution;
    this.onChoose(solution);
  }
}
