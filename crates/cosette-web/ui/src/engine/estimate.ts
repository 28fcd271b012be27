// Estimates of the generation time of a table, from the time of another one.

import type { Metric } from "../protocol";

/**
 * Groups of sizes mark the same positions, so a size takes hardly longer than the next smaller
 * one, or many times as long.
 */
const SIZES = ["24M", "47M", "94M", "190M", "375M", "750M", "1.5G"];

/**
 * Relative work of each size: seconds of the native engine with two threads, as in `estimate.rs`
 * of cosette-app.
 */
const WORK: Record<Metric, number[]> = {
  htm: [0.4, 1.6, 1.7, 1.8, 15, 17, 19],
  qtm: [6.5, 6.5, 6.6, 58, 58, 61, 67],
};

/** The work of generating a table; multiplied by the pace of this browser, it gives seconds. */
export function workOf(metric: Metric, size: string): number | null {
  return WORK[metric][SIZES.indexOf(size)] ?? null;
}
