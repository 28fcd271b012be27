// How to solve it.

import { field, h, say, select } from "../dom";
import type { Metric, SolveRequest } from "../protocol";

/** The options as the page remembers them. */
export interface Chosen {
  metric: Metric;
  count: string;
  maxLength: string;
  timeout: string;
}

/** One shortest solution in the half-turn metric, no limits. */
export const PLAIN: Chosen = { metric: "htm", count: "1", maxLength: "", timeout: "" };

/** The metrics to choose from. */
export const METRICS: [value: Metric, shown: string][] = [
  ["htm", "half-turn (HTM)"],
  ["qtm", "quarter-turn (QTM)"],
];

/** What is said of some counts. */
const COUNTS: Record<string, string> = { "1": "one solution", prefer: "one of least quarter turns" };

/** The controls, folded away behind what they say. */
export class OptionsInput {
  readonly element: HTMLElement;
  private readonly summary = h("span");
  private readonly metric: HTMLSelectElement;
  private readonly count: HTMLSelectElement;
  private readonly maxLength: HTMLInputElement;
  private readonly timeout: HTMLInputElement;

  constructor(chosen: Chosen) {
    this.metric = select(METRICS, chosen.metric);
    this.count = select([["1", "one"], ["10", "up to 10"], ["100", "up to 100"], ["all", "all"], ["prefer", "of least quarter turns"]], chosen.count);
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
        field("How many shortest", this.count),
        field("At most … moves", this.maxLength),
        field("Seconds at most", this.timeout),
      ),
    );
    this.summarise();
  }

  /** What is chosen. */
  get chosen(): Chosen {
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
    const said = [metric.toUpperCase(), COUNTS[count] ?? `${solutions} solutions`, maxLength && `at most ${maxLength} moves`, timeout && `${timeout} s`];
    say(this.summary, said.filter(Boolean).join(", "));
  }

  /** Whether all of it makes sense; if not, the browser says what does not. */
  isValid(): boolean {
    return this.maxLength.reportValidity() && this.timeout.reportValidity();
  }

  /** The request for this position. */
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
