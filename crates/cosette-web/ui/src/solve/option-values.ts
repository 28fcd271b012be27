// The options of a search, and the values that they accept.

import { DEFAULT_GOAL_OPTIONS, EQUIVALENCES, type GoalOptions } from "../goals/goal-options";
import type { Metric, TurnMetric } from "../protocol";

/** The options as texts. */
export interface Options extends GoalOptions {
  metric: TurnMetric;
  count: string;
  maxLength: string;
  timeout: string;
  /** `true` if moves in parentheses apply to the inverse. */
  niss: string;
}

/** One shortest solution in the half-turn metric, no limits. */
export const DEFAULTS: Options = {
  metric: "htm",
  count: "1",
  maxLength: "",
  timeout: "",
  niss: "false",
  ...DEFAULT_GOAL_OPTIONS,
};

/** The metrics to choose from. */
export const METRICS: [value: Metric, text: string][] = [
  ["htm", "half-turn (HTM)"],
  ["qtm", "quarter-turn (QTM)"],
];

/** The metrics of goals. */
const METRICS_OF_GOALS: [value: TurnMetric, text: string][] = [
  ["stm", "slice-turn (STM)"],
  ["qstm", "slice-quarter-turn (QSTM)"],
  ["etm", "execution-turn (ETM)"],
];

/** All metrics. */
export const ALL_METRICS: [value: TurnMetric, text: string][] = [...METRICS, ...METRICS_OF_GOALS];

/** The counts to choose from. */
export const CHOICES: [value: string, text: string][] = [
  ["1", "one"],
  ["10", "up to 10"],
  ["100", "up to 100"],
  ["1000", "up to 1000"],
  ["all", "all"],
  ["prefer", "one with fewest quarter turns"],
];

/** The maximum length of any position, in either metric. */
const MAX_LENGTH = 26;

/** The shortest time limit, in seconds. */
const MIN_TIMEOUT = 0.1;

/** Maximum slack. */
const MAX_SLACK = 20;

/** The optional numbers. */
export const LIMITS = {
  maxLength: { min: 0, max: MAX_LENGTH, step: 1 },
  timeout: { min: MIN_TIMEOUT, step: "any" },
  slack: { min: 0, max: MAX_SLACK, step: 1 },
};

/** Describes the values that an option accepts, if it does not accept this one. */
export function takesOf(option: keyof Options, value: string): string | undefined {
  const names = (choices: [value: string, text: string][]): string[] =>
    choices.map(([name]) => name);
  const unless = (isAccepted: boolean, values: string): string | undefined =>
    isAccepted ? undefined : values;
  const oneOf = (values: string[]): string | undefined =>
    unless(values.includes(value), `one of ${values.join(", ")}`);
  const number = Number(value || NaN);
  const upTo = (max: number): string | undefined =>
    unless(
      value === "" || (Number.isInteger(number) && number >= 0 && number <= max),
      `a number of moves from 0 to ${max}`,
    );
  switch (option) {
    case "metric":
      return oneOf(names(ALL_METRICS));
    case "count":
      return oneOf(names(CHOICES));
    case "niss":
      return oneOf(["true", "false"]);
    case "maxLength":
      return upTo(MAX_LENGTH);
    case "slack":
      return upTo(MAX_SLACK);
    case "uniqueUpTo":
      return oneOf(names(EQUIVALENCES));
    case "timeout":
      return unless(
        value === "" || (Number.isFinite(number) && number >= MIN_TIMEOUT),
        `a number of seconds, at least ${MIN_TIMEOUT}`,
      );
    default:
      // Other texts are checked by the engine.
      return undefined;
  }
}
