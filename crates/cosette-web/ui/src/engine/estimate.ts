// How long a table takes to be generated here, from how long another one took.

import type { Metric } from "../protocol";

/** Sizes mark the same positions in groups, so that a size takes hardly longer than the next smaller one, or many times as long. */
const SIZES = ["24M", "47M", "94M", "190M", "375M", "750M", "1.5G"];

/** What each size takes beside the others: the seconds of the native engine with two threads, as in `estimate.rs` of cosette-app. */
const WORK: Record<Metric, number[]> = {
  htm: [1.5, 1.6, 1.7, 1.8, 15, 17, 19],
  qtm: [6.5, 6.5, 6.6, 58, 58, 61, 67],
};

/** The work of generating a table; multiplied by the pace of this browser, seconds. */
export function workOf(metric: Metric, size: string): number | null {
  return WORK[metric][SIZES.indexOf(size)] ?? null;
}
