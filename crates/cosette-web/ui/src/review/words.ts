// The result of a review in words, for the page and its picture.

import { capital, plural } from "../format";
import { goalWords } from "../goals/describe";
import type { Metric, Review, ReviewedStep } from "../protocol";

/** Returns the name of a move that counts as one. */
export const unitOf = (metric: Metric): string => (metric === "qtm" ? "quarter turn" : "move");

/** Formats a number between two bounds. */
const between = (lower: number, upper: number): string =>
  lower === upper ? String(lower) : `${lower} to ${upper}`;

/** Says how much longer than optimal a solution is, or how far from solved it ends. */
export function headlineOf({ start, moves, steps, length, is_solved, metric }: Review): string {
  const unit = unitOf(metric);
  if (!is_solved) {
    // A linearized write-up that is unfinished ends elsewhere than its last step.
    const left = steps.at(-1)?.after ?? moves.at(-1)?.distance ?? null;
    return left === null ? "Not solved" : `${plural(left, unit)} from solved`;
  }
  if (length === start.distance) return `${plural(length, unit)}, proven optimal`;
  const most = length - start.lower_bound;
  const loss = between(Math.max(0, length - start.upper_bound), most);
  return `${loss} ${most === 1 ? unit : `${unit}s`} longer than optimal`;
}

/** Describes the length of a solution and that of an optimal one; empty if they are equal. */
export function lengthsOf({ start, length, is_solved, metric }: Review): string {
  const moves = plural(length, unitOf(metric));
  const optimal = `optimal ${between(start.lower_bound, start.upper_bound)}`;
  if (!is_solved) return `Not solved: ${moves} so far, ${optimal}`;
  return length === start.distance ? "" : `${moves}, ${optimal}`;
}

/** Compares a step with the shortest way to the goal that it reached. */
export function comparisonOf(
  best: NonNullable<ReviewedStep["best"]>,
  length: number,
  metric: Metric,
): string {
  const reached = `${capital(goalWords(best.goal))} in ${plural(length, unitOf(metric))}`;
  return best.length < length
    ? `${reached}; the best takes ${best.length}`
    : `${reached}, proven optimal`;
}
