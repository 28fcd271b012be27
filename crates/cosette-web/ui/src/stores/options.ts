// The options chosen for solving one position.

import { computed, signal } from "@preact/signals";
import { tableMetric } from "../goals/goal-options";
import { DEFAULTS, type Options } from "../solve/option-values";

export const options = signal<Options>(DEFAULTS);

/** The metric of the table that a search with these options uses. */
export const metric = computed(() => tableMetric(options.value.metric));
