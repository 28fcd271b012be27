// The attempt at fewest moves that is shown, and its selected step.

import { signal } from "@preact/signals";
import type { Attempt, Step } from "../fmc/attempt";

/** A new object after each change, because steps are changed in place. */
export const selection = signal<{ attempt: Attempt; step: Step } | undefined>(undefined);
