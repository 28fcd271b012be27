// The request to solve a position.

import { hasGoalOptions, requestOf } from "../goals/goal-options";
import type { SolveRequest } from "../protocol";
import type { Options } from "./option-values";

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
