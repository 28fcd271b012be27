// The controls of the options of a search.

import { field, h, newId, select, setAll, setText } from "../dom";
import { hasGoalOptions, requestOf, type GoalOptions } from "../goals/goal-options";
import { NumberField, areValid } from "./number-field";
import { ALL_METRICS, CHOICES, DEFAULTS, takesOf, type Options } from "./option-values";
import type { SolveRequest, TurnMetric } from "../protocol";

/** The metrics in the summary. */
const SHORT: Record<TurnMetric, string> = {
  htm: "half-turn",
  qtm: "quarter-turn",
  stm: "slice-turn",
  qstm: "slice-quarter-turn",
  etm: "execution-turn",
};

/** Explanations of the metrics. */
const METRIC_HINTS: Record<TurnMetric, string> = {
  htm: "R2 is one move.",
  qtm: "R2 is two moves.",
  stm: "R2 and M are one move each.",
  qstm: "R2 is two moves, M is one.",
  etm: "Every move counts as one, including slices, wide moves and rotations.",
};

/** The summary of some counts. */
const COUNTS: Record<string, string> = {
  "1": "one solution",
  prefer: "one with fewest quarter turns",
};

/** The options apart from the goal options. */
type Own = Omit<Options, keyof GoalOptions>;

/** The controls, folded behind a summary. */
export class OptionsInput {
  readonly element: HTMLDetailsElement;
  private readonly summary = h("span");
  private readonly metric = select(ALL_METRICS, DEFAULTS.metric);
  private readonly meaning = h("small");
  private readonly count = select(CHOICES, DEFAULTS.count);
  private readonly maxLength = new NumberField("Max. moves", "maxLength");
  private readonly timeout = new NumberField("Time limit (s)", "timeout");
  private readonly niss = h("input", { type: "checkbox", id: newId("niss") });
  private readonly fields = h(
    "fieldset",
    { class: "fields", "aria-label": "Options" },
    field("Metric", this.metric, this.meaning),
    field(
      "Shortest solutions",
      this.count,
      "L R and R L count once, because opposite turns commute.",
    ),
    this.maxLength.element,
    this.timeout.element,
    h(
      "div",
      { class: "check" },
      this.niss,
      h("label", { for: this.niss.id }, "Moves in parentheses are on the inverse (NISS)"),
    ),
  );

  /** `onChange` is called after each change by the user. */
  constructor(onChange: () => void) {
    this.element = h(
      "details",
      { class: "options", name: "question" },
      h("summary", {}, "Options: ", this.summary),
      this.fields,
    );
    setAll(this.fields, { onchange: () => (this.summarize(), onChange()) });
    this.summarize();
  }

  /** Disables the controls during a search. */
  set disabled(isDisabled: boolean) {
    this.fields.disabled = isDisabled;
  }

  /** The chosen options. */
  get chosen(): Own {
    return {
      metric: this.metric.value as TurnMetric,
      count: this.count.value,
      maxLength: this.maxLength.value,
      timeout: this.timeout.value,
      niss: String(this.niss.checked),
    };
  }

  /** Chooses these options. */
  set chosen({ metric, count, maxLength, timeout, niss }: Own) {
    this.metric.value = metric;
    this.count.value = count;
    this.maxLength.value = maxLength;
    this.timeout.value = timeout;
    this.niss.checked = niss === "true";
    this.summarize();
  }

  /**
   * Enables the preference for fewest quarter turns, which applies only to solutions of the whole
   * cube with face turns.
   */
  set isOfFaces(isOfFaces: boolean) {
    const prefer = [...this.count.options].find(({ value }) => value === "prefer")!;
    prefer.disabled = !isOfFaces;
    if (!isOfFaces && this.count.value === "prefer") this.count.value = "1";
    this.summarize();
  }

  /** Requests all solutions, if only one was requested. */
  wantSeveral(): void {
    if (this.count.value === "1") this.count.value = "all";
    this.summarize();
  }

  private summarize(): void {
    const { metric, count, maxLength, timeout, niss } = this.chosen;
    const solutions = this.count.options[this.count.selectedIndex]!.text;
    const isValid = (option: "maxLength" | "timeout"): boolean =>
      this.chosen[option] !== "" && takesOf(option, this.chosen[option]) === undefined;
    setText(this.meaning, METRIC_HINTS[metric]);
    const parts = [
      `${SHORT[metric]} metric`,
      COUNTS[count] ?? `${solutions} solutions`,
      isValid("maxLength") && `search up to ${maxLength} moves`,
      isValid("timeout") && `at most ${timeout} s`,
      niss === "true" && "NISS",
    ];
    setText(this.summary, parts.filter(Boolean).join(", "));
  }

  /** Returns `true` if the options are valid; otherwise shows the error. */
  isValid(): boolean {
    return areValid(this.maxLength, this.timeout);
  }
}

/** Returns the request to solve a position with these options. */
export function requestFor(position: string, options: Options): SolveRequest {
  const { metric, count, maxLength, timeout, niss } = options;
  return {
    position,
    metric,
    ...((count === "all" || count === "prefer") && !hasGoalOptions(options) && { explain: true }),
    count: count === "all" ? count : Number(count) || 1,
    ...(count === "prefer" && { prefer: "qtm" }),
    ...(maxLength && { max_length: Number(maxLength) }),
    ...(timeout && { timeout: Number(timeout) }),
    ...(niss === "true" && { niss: true }),
    ...requestOf(options),
  };
}
