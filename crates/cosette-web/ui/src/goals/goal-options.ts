// The goal options of a request: a goal other than the solved cube, moves other than face turns,
// and constraints on solutions.

import type { Metric, SolveRequest, TurnMetric } from "../protocol";

/** Goal options as texts in the syntax of the engine; empty for the default. */
export interface GoalOptions {
  /** The goal. */
  goal: string;
  /** The allowed moves. */
  moves: string;
  /** The costs of individual moves. */
  costs: string;
  /** The extra moves allowed beyond the shortest solutions. */
  slack: string;
  /** Required prefix and suffix of solutions. */
  startsWith: string;
  endsWith: string;
  /** Excluded sequences. */
  avoid: string;
  /** The equivalence of which one solution per class is shown. */
  uniqueUpTo: string;
}

/** The default: only the shortest solutions with face turns. */
export const DEFAULT_GOAL_OPTIONS: GoalOptions = {
  goal: "",
  moves: "",
  costs: "",
  slack: "",
  startsWith: "",
  endsWith: "",
  avoid: "",
  uniqueUpTo: "",
};

/** The equivalences, with the names of the engine. */
export const EQUIVALENCES: [value: string, text: string][] = [
  ["", "show all"],
  ["symmetry", "one per symmetry class"],
  ["inverse", "one per inverse pair"],
  ["symmetry,inverse", "one per symmetry and inverse class"],
];

/** Returns the metric of the table that a search in this metric uses, if it uses one. */
export function tableMetric(metric: TurnMetric): Metric {
  return metric === "qtm" ? "qtm" : "htm";
}

/** Returns `true` if a query is not for the shortest solutions with face turns. */
export function hasGoalOptions({
  metric,
  ...options
}: Partial<GoalOptions> & { metric: TurnMetric }): boolean {
  return (
    metric !== tableMetric(metric) ||
    Object.keys(DEFAULT_GOAL_OPTIONS).some(
      (name) => (options[name as keyof GoalOptions] ?? "").trim() !== "",
    )
  );
}

/** Returns `true` if a request is not for the shortest solutions with face turns. */
export function isOfGoal({
  metric,
  goal,
  moves,
  costs,
  slack,
  starts_with,
  ends_with,
  avoid,
  unique_up_to,
}: SolveRequest): boolean {
  return (
    metric !== tableMetric(metric) ||
    [goal, moves, costs, slack, starts_with, ends_with, avoid, unique_up_to].some(
      (option) => option != null,
    )
  );
}

/** Returns `true` if a request is for the shortest solutions with face turns and nothing else. */
export function isPlain(request: SolveRequest): boolean {
  return !isOfGoal(request) && request.max_length == null;
}

/** Returns the fields of a request with these options. */
export function requestOf(options: Partial<GoalOptions>): Partial<SolveRequest> {
  const { goal, moves, costs, slack, startsWith, endsWith, avoid, uniqueUpTo } = {
    ...DEFAULT_GOAL_OPTIONS,
    ...options,
  };
  const given = Object.entries({
    goal,
    moves,
    costs,
    starts_with: startsWith,
    ends_with: endsWith,
    avoid,
    unique_up_to: uniqueUpTo,
  }).filter(([, text]) => text.trim() !== "");
  return { ...Object.fromEntries(given), ...(slack && { slack: Number(slack) }) };
}
