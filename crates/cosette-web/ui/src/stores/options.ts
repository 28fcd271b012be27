// The options chosen for solving one position.

import { computed, signal } from "@preact/signals";
import { hasGoalOptions, tableMetric } from "../goals/goal-options";
import type { SolveRequest } from "../protocol";
import { DEFAULTS, requestOf, type Options } from "../solve/option-values";

export const options = signal<Options>(DEFAULTS);

/** The metric of the table that a search with these options uses. */
export const metric = computed(() => tableMetric(options.value.metric));

/** `true` if the options cannot be changed, because a search is running. */
export const areFixed = signal(false);

/** The slack when the options were last made consistent. */
let slack = "";

/** One option, to be read and written like a signal. */
export function option<N extends keyof Options>(name: N): { value: Options[N] } {
  return {
    get value() {
      return options.value[name];
    },
    set value(value) {
      options.value = { ...options.value, [name]: value };
    },
  };
}

/** Chooses these options. */
export function setOptions(chosen: Options): void {
  ({ slack } = chosen);
  // The fewest quarter turns are preferred only among solutions of the whole cube with face turns.
  options.value =
    chosen.count === "prefer" && hasGoalOptions(chosen) ? { ...chosen, count: "1" } : chosen;
}

/** Makes the options consistent with one another after a change by the user. */
export function agree(): void {
  const { value } = options;
  // Extra moves are allowed in order to see several solutions.
  const isSeveral = value.slack !== slack && Number(value.slack) > 0 && value.count === "1";
  setOptions(isSeveral ? { ...value, count: "all" } : value);
}

/** Returns the request to solve a position with the chosen options. */
export function requestFor(position: string): SolveRequest {
  const { value } = options;
  const { metric, count } = value;
  return {
    position,
    metric,
    count: 1,
    ...requestOf(value),
    ...((count === "all" || count === "prefer") && !hasGoalOptions(value) && { explain: true }),
    ...(count === "prefer" && { prefer: "qtm" }),
  };
}
