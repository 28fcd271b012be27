// The results of a batch as a table, which is sorted by the column that is clicked.

import { h, prose, setAll, setChildren, setText } from "../dom";
import { plural } from "../format";
import type { BatchLine } from "../protocol";
import { solutionOf } from "./files";

/** At most this many are shown; a download has all. */
const SHOWN = 200;

/** What the rows are sorted by: the time of their solution, the latest first, until a column is clicked. */
type Order = "latest" | "line" | "length";

const COLUMNS: [order: Order, name: string][] = [
  ["line", "Line"],
  ["length", "Length"],
];

/** The table. */
export class Results {
  private lines: BatchLine[] = [];
  /** How many are solved. */
  solved = 0;
  private order: Order = "latest";
  private isDescending = false;
  private readonly rows = h("tbody");
  private readonly more = h("p", { class: "details" });
  private readonly failuresOnly = h("input", { type: "checkbox", id: "failures-only", onchange: () => this.draw() });
  private readonly filter = h("div", { class: "check", hidden: true }, this.failuresOnly, h("label", { for: "failures-only" }, "Only what failed"));
  private readonly heads = COLUMNS.map(([order, name]) => h("th", { scope: "col" }, h("button", { type: "button", class: "link", onclick: () => this.sortBy(order) }, name)));
  readonly element = h(
    "div",
    {},
    this.filter,
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Results by line" },
      h("table", { class: "results" }, h("thead", {}, h("tr", {}, ...this.heads, h("th", { scope: "col" }, "Solution"))), this.rows),
    ),
    this.more,
  );

  /** Removes all. */
  clear(): void {
    this.lines = [];
    this.solved = 0;
    this.order = "latest";
    this.failuresOnly.checked = false;
    this.draw();
  }

  /** Adds one, which `draw` shows. */
  add(line: BatchLine): void {
    this.lines.push(line);
    if (solutionOf(line)) this.solved += 1;
  }

  /** All results, sorted by line. */
  get sorted(): BatchLine[] {
    return [...this.lines].sort((a, b) => a.line - b.line);
  }

  /** How many have an error instead, or no proven solution. */
  get failed(): number {
    return this.lines.length - this.solved;
  }

  private sortBy(order: Order): void {
    this.isDescending = this.order === order && !this.isDescending;
    this.order = order;
    this.draw();
  }

  /** Shows the results so far. */
  draw(): void {
    this.filter.hidden = this.failed === 0;
    for (const [number, [order]] of COLUMNS.entries()) {
      const isSorted = this.order === order;
      setAll(this.heads[number]!, { "aria-sort": isSorted ? (this.isDescending ? "descending" : "ascending") : null });
    }
    const wanted = this.failuresOnly.checked ? this.lines.filter((line) => !solutionOf(line)) : this.lines;
    const shown = this.inOrder(wanted).slice(0, SHOWN);
    setChildren(this.rows, ...shown.map(row));
    setText(this.more, shown.length < wanted.length ? `${plural(wanted.length - shown.length, "more line")} in the download` : "");
  }

  private inOrder(lines: BatchLine[]): BatchLine[] {
    if (this.order === "latest") return lines.slice(-SHOWN).reverse();
    const key = (line: BatchLine): number => (this.order === "line" ? line.line : (solutionOf(line)?.length ?? -1));
    const direction = this.isDescending ? -1 : 1;
    return [...lines].sort((a, b) => direction * (key(a) - key(b)) || a.line - b.line);
  }
}

function row(line: BatchLine): HTMLElement {
  const solved = solutionOf(line);
  const why = "error" in line ? `${line.error}${line.help ? `; ${line.help}` : ""}` : "not proven";
  const cells = solved
    ? [String(solved.length), h("span", { class: "solution" }, solved.solution || "(no moves)")]
    : ["–", h("span", { class: "wrong" }, ...prose(why))];
  return h("tr", {}, h("td", {}, String(line.line)), ...cells.map((cell) => h("td", {}, cell)));
}
