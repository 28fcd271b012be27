// The scales of the curve of a review, which the page and its picture share.

import type { Review, ReviewedMove, ReviewedStep } from "../protocol";

/** The edges of a plot, in units of its drawing. */
export interface Edges {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A position of the curve: that of the scramble, or after a move. */
export type Point = Pick<ReviewedMove, "length" | "change" | "lower_bound" | "upper_bound">;

/** The parts of a review that its curve shows. */
export interface Curve extends Pick<Review, "length"> {
  start: Pick<Point, "lower_bound" | "upper_bound">;
  moves: (Point & Pick<ReviewedMove, "move" | "step">)[];
  steps: Pick<ReviewedStep, "label">[];
}

/** The positions of a review, and their places in a plot with these edges. */
export function plotOf({ start, moves }: Curve, { left, right, top, bottom }: Edges) {
  const points: Point[] = [{ ...start, length: 0, change: null }, ...moves];
  const longest = Math.max(1, ...points.map(({ length }) => length));
  const highest = Math.max(1, ...points.map((point) => point.upper_bound));
  const x = (length: number): number => left + ((right - left) * length) / longest;
  const y = (distance: number): number => bottom - ((bottom - top) * distance) / highest;
  /** The points of a polyline. */
  const path = (bound: "lower_bound" | "upper_bound"): string =>
    points.map((point) => `${x(point.length)},${y(point[bound])}`).join(" ");
  /** The distances with a line across the plot. */
  const grid = [0, 5, 10, 15, 20, 25].filter((distance) => distance <= highest);
  return { points, longest, grid, x, y, path };
}

/** Returns `true` if a move increased the distance. */
export const isLost = ({ change }: Pick<Point, "change">): boolean => change !== null && change > 0;
