// The scales of the curve of a review, which the page and its picture share.

import type { Review, ReviewedMove, ReviewedStep } from "../protocol";

/** The edges of a plot, in units of its drawing. */
export interface Edges {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A point of the curve: the position of the scramble, or after a move. */
export type Point = Pick<ReviewedMove, "length" | "change" | "lower_bound" | "upper_bound">;

/** A position of a running review: the number of moves up to it, and its bounds. */
export type SearchedPoint = Pick<Point, "length" | "lower_bound" | "upper_bound">;

/** The parts of a review that its curve shows. */
export interface Curve extends Pick<Review, "length"> {
  start: Pick<Point, "lower_bound" | "upper_bound">;
  moves: (Point & Pick<ReviewedMove, "move" | "step">)[];
  steps: Pick<ReviewedStep, "label" | "length">[];
}

/** Returns the number of a step; a step without a turn, as an inspection, counts as none. */
export const numberOf = (steps: Curve["steps"], index: number): number =>
  steps.slice(0, index + 1).filter(({ length }) => length > 0).length;

/** The share of a plot above its highest point, which has room for the label of a climb. */
const HEADROOM = 0.1;

/** Returns the scales of a plot with these edges: of numbers of moves, and of distances. */
export function scalesOf(longest: number, highest: number, edges: Edges) {
  const { left, right, top, bottom } = edges;
  const x = (length: number): number => left + ((right - left) * length) / longest;
  const height = (bottom - top) * (1 - HEADROOM);
  const y = (distance: number): number => bottom - (height * distance) / highest;
  /** The numbers of moves that are written below the plot. */
  const ticks = ticksTo(longest);
  /** The distances with a line across the plot. */
  const grid = ticksTo(highest);
  return { ...edges, x, y, ticks, grid };
}

type Bound = "lower_bound" | "upper_bound";

/** Returns the points of a polyline along a bound. */
export function pathOf(
  points: SearchedPoint[],
  bound: Bound,
  { x, y }: ReturnType<typeof scalesOf>,
): string {
  return points.map((point) => `${x(point.length)},${y(point[bound])}`).join(" ");
}

/** Returns the points of a curve, and its lines in a plot with these edges. */
export function plotOf({ start, moves }: Curve, edges: Edges) {
  const points: Point[] = [{ ...start, length: 0, change: null }, ...moves];
  const longest = Math.max(1, ...points.map(({ length }) => length));
  const highest = Math.max(1, ...points.map((point) => point.upper_bound));
  const scales = scalesOf(longest, highest, edges);
  const path = (bound: Bound, part = points): string => pathOf(part, bound, scales);
  /** The index of the first point from which on all distances are proven. */
  const known = points.findLastIndex((point) => point.lower_bound < point.upper_bound) + 1;
  const proven = path("lower_bound", points.slice(known));
  /** The area between the bounds before that point; empty if there is none. */
  const begin = points.slice(0, known + 1);
  const open =
    known === 0 ? "" : `${path("upper_bound", begin)} ${path("lower_bound", [...begin].reverse())}`;
  /** The climbs that lost the most ground: their polylines, labels and ends. */
  const climbs = largestClimbs(moves).map(({ begin, end, rise }) => {
    const climb = points.slice(begin, end + 1);
    const last = climb.at(-1)!;
    return {
      path: path("lower_bound", climb),
      label: `lost ${rise}`,
      x: scales.x(last.length),
      y: scales.y(last.lower_bound),
    };
  });
  return { points, proven, open, climbs, ...scales };
}

/** Returns the numbers up to a limit: all integers if it is small, otherwise round ones. */
function ticksTo(limit: number): number[] {
  const step = limit <= 12 ? 1 : limit <= 30 ? 5 : 10;
  return [...Array(Math.floor(limit / step) + 1).keys()].map((index) => step * index);
}

/** Returns `true` if a move increased the distance. */
export const isLost = ({ change }: Pick<Point, "change">): boolean => change !== null && change > 0;

/** Successive moves that lost ground in all, none of which gained any: `begin` to before `end`. */
export interface Climb {
  begin: number;
  end: number;
  /** The growth of the distance. */
  rise: number;
}

/** Maximum number of climbs that are marked. */
const MAX_CLIMBS = 2;

/**
 * Returns the climbs that lost the most ground, the largest first; none if a change is unknown,
 * since it may be larger. Of several equal ones, all are returned, or none if they are too many.
 */
export function largestClimbs(moves: Pick<Point, "change">[]): Climb[] {
  if (moves.some(({ change }) => change === null)) return [];
  const climbs = climbsOf(moves);
  return climbs
    .filter((climb) => climbs.filter((other) => bySize(other, climb) <= 0).length <= MAX_CLIMBS)
    .sort(bySize);
}

/** Compares climbs: those that rise more are first, and of equal ones the longer. */
const bySize = (one: Climb, other: Climb): number =>
  other.rise - one.rise || other.end - other.begin - (one.end - one.begin);

/** Returns the climbs in the order of the moves. */
function climbsOf(moves: Pick<Point, "change">[]): Climb[] {
  const climbs: Climb[] = [];
  let current: Climb | undefined;
  for (const [index, move] of moves.entries()) {
    if (isLost(move)) {
      if (!current) climbs.push((current = { begin: index, end: index, rise: 0 }));
      current.end = index + 1;
      current.rise += move.change!;
    } else if (move.change !== 0) current = undefined;
  }
  return climbs;
}
