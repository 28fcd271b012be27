// The options of a search.

import { field, h, select, setText } from "../dom";
import type { Metric, SolveRequest } from "../protocol";

/** The options as they are stored. */
export interface Options {
  metric: Metric;
  count: string;
  maxLength: string;
  timeout: string;
}

/** One shortest solution in the half-turn metric, no limits. */
export const DEFAULTS: Options = { metric: "htm", count: "1", maxLength: "", timeout: "" };

/** The metrics to choose from. */
export const METRICS: [value: Metric, text: string][] = [
  ["htm", "half-turn (HTM)"],
  ["qtm", "quarter-turn (QTM)"],
];

/** The summary of some counts. */
const COUNTS: Record<string, string> = { "1": "one solution", prefer: "one with fewest quarter turns" };

/** The controls, folded behind a summary. */
export class OptionsInput {
  readonly element: HTMLElement;
  private readonly summary = h("span");
  private readonly metric: HTMLSelectElement;
  private readonly count: HTMLSelectElement;
  private readonly maxLength: HTMLInputElement;
  private readonly timeout: HTMLInputElement;

  constructor(chosen: Options) {
    this.metric = select(METRICS, chosen.metric);
    this.count = select([["1", "one"], ["10", "up to 10"], ["100", "up to 100"], ["all", "all"], ["prefer", "one with fewest quarter turns"]], chosen.count);
    this.maxLength = number({ min: 0, max: 26, step: 1, value: chosen.maxLength, placeholder: "none" });
    this.timeout = number({ min: 0.1, step: "any", value: chosen.timeout, placeholder: "none" });
    this.element = h(
      "details",
      { class: "options" },
      h("summary", {}, "Options: ", this.summary),
      h(
        "div",
        { class: "fields", onchange: () => this.summarise() },
        field("Metric", this.metric),
        field("Shortest solutions", this.count),
        field("Maximum length", this.maxLength),
        field("Time limit in seconds", this.timeout),
      ),
    );
    this.summarise();
  }

  /** The chosen options. */
  get chosen(): Options {
    return {
      metric: this.metric.value as Metric,
      count: this.count.value,
      maxLength: this.maxLength.value,
      timeout: this.timeout.value,
    };
  }

  private summarise(): void {
    const { metric, count, maxLength, timeout } = this.chosen;
    const solutions = this.count.options[this.count.selectedIndex]!.text;
    const parts = [metric.toUpperCase(), COUNTS[count] ?? `${solutions} solutions`, maxLength && `at most ${maxLength} moves`, timeout && `${timeout} s`];
    setText(this.summary, parts.filter(Boolean).join(", "));
  }

  /** Whether the options are valid; if not, the browser says what is wrong. */
  isValid(): boolean {
    return this.maxLength.reportValidity() && this.timeout.reportValidity();
  }

  /** The request to solve this position. */
  request(position: string): SolveRequest {
    const { metric, count, maxLength, timeout } = this.chosen;
    return {
      position,
      metric,
      explain: true,
      count: count === "all" ? count : Number(count) || 1,
      ...(count === "prefer" && { prefer: "qtm" }),
      ...(maxLength && { max_length: Number(maxLength) }),
      ...(timeout && { timeout: Number(timeout) }),
    };
  }
}

function number(props: Record<string, unknown>): HTMLInputElement {
  return h("input", { type: "number", inputmode: "decimal", ...props });
}
