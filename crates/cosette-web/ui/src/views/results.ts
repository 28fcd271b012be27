// The results of a batch as a table, sorted by the clicked column.

import { arrange, h, prose, setAll, setText } from "../dom";
import { plural } from "../format";
import type { BatchLine } from "../protocol";
import { addressOf, follow } from "../solve/address";
import { after, nothingKnown } from "../solve/bounds";
import { DEFAULTS, type Options } from "../solve/option-values";
import { solutionOf, whyNot } from "./files";

/** Maximum number of rows shown; a download includes all. */
const SHOWN = 200;

/** The sort key of the rows. */
type Order = "line" | "length";

/** The table. */
export class Results {
  private lines: BatchLine[] = [];
  /** Number of solved positions. */
  solved = 0;
  /** The options of the batch. */
  chosen = DEFAULTS;
  /** The rows of results that have been shown. */
  private made = new Map<BatchLine, HTMLElement>();
  private order: Order = "line";
  private isDescending = false;
  private readonly rows = h("tbody");
  private readonly more = h("p", { class: "details" });
  private readonly unsolvedOnly = h("input", {
    type: "checkbox",
    id: "unsolved-only",
    onchange: () => this.draw(),
  });
  private readonly filter = h(
    "div",
    { class: "check", hidden: true },
    this.unsolvedOnly,
    h("label", { for: "unsolved-only" }, "Unsolved only"),
  );
  private readonly heads: Record<Order, HTMLElement> = {
    line: this.head("line", "Line"),
    length: this.head("length", "Length"),
  };
  readonly element = h(
    "div",
    {},
    this.filter,
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Results by line" },
      h(
        "table",
        { class: "results" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            this.heads.line,
            h("th", { scope: "col" }, "Position"),
            this.heads.length,
            h("th", { scope: "col" }, "Solution"),
          ),
        ),
        this.rows,
      ),
    ),
    this.more,
  );

  /** Removes all results; later ones are solved with these options. */
  clear(chosen: Options): void {
    this.chosen = chosen;
    this.lines = [];
    this.made.clear();
    this.solved = 0;
    this.order = "line";
    this.isDescending = false;
    this.unsolvedOnly.checked = false;
    this.draw();
  }

  /** Adds a result, which `draw` shows. */
  add(line: BatchLine): void {
    this.lines.push(line);
    if (solutionOf(line)) this.solved += 1;
  }

  /** All results, sorted by line. */
  get sorted(): BatchLine[] {
    return [...this.lines].sort((a, b) => a.line - b.line);
  }

  /** Returns the number of results with an error or without a proven solution. */
  get unsolved(): number {
    return this.lines.length - this.solved;
  }

  /** Returns the number of results whose text is not a position. */
  get unread(): number {
    return this.lines.filter((line) => "error" in line).length;
  }

  private head(order: Order, name: string): HTMLElement {
    return h(
      "th",
      { scope: "col", class: "number" },
      h("button", { type: "button", class: "link", onclick: () => this.sortBy(order) }, name),
    );
  }

  private sortBy(order: Order): void {
    this.isDescending = this.order === order && !this.isDescending;
    this.order = order;
    this.draw();
  }

  /** Draws the current results. */
  draw(): void {
    this.element.hidden = this.lines.length === 0;
    this.filter.hidden = this.unsolved === 0;
    for (const [order, head] of Object.entries(this.heads)) {
      setAll(head, {
        "aria-sort": this.order === order ? (this.isDescending ? "descending" : "ascending") : null,
      });
    }
    const wanted = this.unsolvedOnly.checked
      ? this.lines.filter((line) => !solutionOf(line))
      : this.lines;
    const shown = this.inOrder(wanted).slice(0, SHOWN);
    arrange(
      this.rows,
      shown.map((line) => this.rowOf(line)),
    );
    setText(
      this.more,
      shown.length < wanted.length
        ? `${plural(wanted.length - shown.length, "more line")} in the download`
        : "",
    );
  }

  private rowOf(line: BatchLine): HTMLElement {
    const row = this.made.get(line) ?? makeRow(line, this.chosen);
    this.made.set(line, row);
    return row;
  }

  private inOrder(lines: BatchLine[]): BatchLine[] {
    const key = (line: BatchLine): number =>
      this.order === "line" ? line.line : (solutionOf(line)?.length ?? -1);
    const direction = this.isDescending ? -1 : 1;
    return [...lines].sort((a, b) => direction * (key(a) - key(b)) || a.line - b.line);
  }
}

function makeRow(line: BatchLine, chosen: Options): HTMLElement {
  // The view of the position shows the answer immediately.
  const bounds =
    "error" in line ? undefined : after(nothingKnown(chosen), { event: "answer", ...line });
  const address = addressOf(line.input, chosen);
  const opened = h(
    "a",
    {
      href: address,
      title: line.input,
      onclick: (event: MouseEvent) => follow(event, address, bounds ? { bounds } : {}),
    },
    line.input,
  );
  const solved = solutionOf(line);
  const found = solved
    ? h("span", { class: "solution" }, solved.solution || "(no moves)")
    : h("span", { class: "wrong" }, ...prose(whyNot(line)));
  const number = (text: string): HTMLElement => h("td", { class: "number" }, text);
  return h(
    "tr",
    {},
    number(String(line.line)),
    h(
      "td",
      { class: "entered" },
      ...(line.name ? [h("span", { class: "label" }, `${line.name}: `)] : []),
      opened,
    ),
    number(solved ? String(solved.length) : "–"),
    h("td", {}, found),
  );
}
