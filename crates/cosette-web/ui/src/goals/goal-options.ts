// Requests with goal options: a goal other than the solved cube, moves other than face turns, and
// constraints on solutions.

import type { Metric, SolveRequest, TurnMetric } from "../protocol";
import { GOAL_OPTIONS, requestOf, type Options } from "../solve/option-values";

/** Returns the metric of the table that a search in this metric uses, if it uses one. */
export function tableMetric(metric: TurnMetric): Metric {
  return metric === "qtm" ? "qtm" : "htm";
}

/** Returns `true` if a query is not for the shortest solutions with face turns. */
export function hasGoalOptions(options: Partial<Options> & Pick<Options, "metric">): boolean {
  return isOfGoal({ metric: options.metric, ...requestOf(options) });
}

/** Returns `true` if a request is not for the shortest solutions with face turns. */
export function isOfGoal(request: Pick<SolveRequest, "metric"> & Partial<SolveRequest>): boolean {
  return (
    request.metric !== tableMetric(request.metric) ||
    Object.values(GOAL_OPTIONS).some(({ name }) => request[name] != null)
  );
}

/** Returns `true` if a request is for the shortest solutions with face turns and nothing else. */
export function isPlain(request: SolveRequest): boolean {
  return !isOfGoal(request) && request.max_length == null;
}
