// How to solve it.

import { field, h, select } from "../dom";
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

/** The controls. */
export class OptionsInput {
  readonly element: HTMLElement;
  private readonly metric: HTMLSelectElement;
  private readonly count: HTMLSelectElement;
  private readonly maxLength: HTMLInputElement;
  private readonly timeout: HTMLInputElement;

  constructor(chosen: Chosen) {
    this.metric = select([["htm", "any turn of a face (HTM)"], ["qtm", "quarter turns (QTM)"]], chosen.metric);
    this.count = select([["1", "one"], ["10", "up to 10"], ["100", "up to 100"], ["all", "all"]], chosen.count);
    this.maxLength = number({ min: 0, max: 26, step: 1, value: chosen.maxLength, placeholder: "none" });
    this.timeout = number({ min: 0.1, step: "any", value: chosen.timeout, placeholder: "none" });
    this.element = h(
      "div",
      { class: "options" },
      field("One move is", this.metric),
      field("Shortest solutions", this.count),
      field("Longest, in moves", this.maxLength),
      field("Time limit, in seconds", this.timeout),
    );
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
      count: count === "all" ? count : Number(count),
      ...(maxLength && { max_length: Number(maxLength) }),
      ...(timeout && { timeout: Number(timeout) }),
    };
  }
}

function number(props: Record<string, unknown>): HTMLInputElement {
  return h("input", { type: "number", inputmode: "decimal", ...props });
}
