// The controls of the options of a search.

import { hasGoalOptions } from "../goals/goal-options";
import type { TurnMetric } from "../protocol";
import { areFixed, option, options } from "../stores/options";
import { maxLength, timeout } from "../stores/query";
import { NumberInput, SelectField, useNewId } from "../ui/field";
import { ALL_METRICS, CHOICES, OPTIONS, type Options } from "./option-values";
import { Question } from "./question";

const NAMES: (keyof Options)[] = ["metric", "count", "maxLength", "timeout", "niss"];

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

const metric = option("metric");
const count = option("count");
const niss = option("niss");

/** The controls, folded behind a summary. */
export function OptionsInput({ onChange }: { onChange: () => void }) {
  const nissId = useNewId();
  return (
    <Question kind="Metric and limits" summary={summary()} names={NAMES} onChange={onChange}>
      <fieldset class="fields" aria-label="Options" disabled={areFixed.value} onChange={onChange}>
        <SelectField
          label="Metric"
          hint={METRIC_HINTS[metric.value]}
          options={ALL_METRICS}
          value={metric}
        />
        <SelectField
          label="Optimal solutions"
          hint="L R and R L count once, because opposite turns commute."
          options={CHOICES}
          value={count}
          isDisabled={(name) => name === "prefer" && hasGoalOptions(options.value)}
        />
        <NumberInput label="Search up to (moves)" entry={maxLength} />
        <NumberInput label="Time limit (s)" entry={timeout} />
        <div class="check">
          <input
            id={nissId}
            type="checkbox"
            checked={niss.value === "true"}
            onChange={(event) => (niss.value = String(event.currentTarget.checked))}
          />
          <label for={nissId}>Moves in parentheses are on the inverse (NISS)</label>
        </div>
      </fieldset>
    </Question>
  );
}

function summary(): string {
  const { metric, count, maxLength, timeout, niss } = options.value;
  const solutions = CHOICES.find(([name]) => name === count)?.[1];
  const isValid = (option: "maxLength" | "timeout"): boolean =>
    options.value[option] !== "" && OPTIONS[option].takes(options.value[option]) === undefined;
  return [
    metric.toUpperCase(),
    COUNTS[count] ?? `${solutions} solutions`,
    isValid("maxLength") && `search up to ${maxLength} moves`,
    isValid("timeout") && `at most ${timeout} s`,
    niss === "true" && "NISS",
  ]
    .filter(Boolean)
    .join(", ");
}
