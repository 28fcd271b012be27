// The bounds on the length during a search, derived from its events.

import { capital, count, large, left, plural, roughTime, time, waitingFor } from "../format";
import { hasGoalOptions, tableMetric } from "../goals/goal-options";
import * as goals from "../goals/result-text";
import type { Answer, Metric, Provenance, SolveEvent, TurnMetric } from "../protocol";
import { inverse, movesOf } from "./notation";
import type { Options } from "./option-values";

/** Maximum length of any position; an upper bound that is not worth showing. */
const DIAMETER: Record<Metric, number> = { htm: 20, qtm: 26 };

/** Minimum progress of a length, in percent, to estimate its time. */
const MIN_PERCENT = 10;

/** Minimum estimate that is shown, in seconds. */
const MIN_ESTIMATE = 10;

/** Claim if several solutions were requested and the search ended early. */
const MAY_BE_MORE = "There may be more optimal solutions";

/** The bounds and their state. */
export interface Bounds {
  metric: TurnMetric;
  /** The goal, if the request is not for the shortest solutions with face turns. */
  goal: goals.Goal | null;
  /** The requested number of solutions and their maximum length, as in the options. */
  requestedCount: string;
  maxLength: string;
  /** Lower bound: all shorter lengths are ruled out. */
  lower: number;
  /** The length of the best solution known. */
  upper: number | null;
  /**
   * The length being searched, its progress, and the seconds left for it, with which the proof is
   * complete if no later length is needed.
   */
  searched: { length: number; percent: number; left: number | null; isLast: boolean } | null;
  /** Before the search: the reason to wait, its progress, and the seconds left. */
  waiting: { text: string; percent?: number; left?: number | null } | null;
  /** The first known solution of that length, if it was known before the answer. */
  best: string | null;
  /** The rotations at the end of the position, after which the cube is held. */
  rotations?: string;
  /** `true` if pattern databases were built for the search. */
  isBuilt?: boolean;
  answer: Answer | null;
  /** The program that gave the answer, once it has said so. */
  provenance?: Provenance;
  /** `true` if the engine was lost before it had an answer. */
  isLost?: boolean;
}

/** Returns the bounds before anything is known. */
export function nothingKnown(options: Options): Bounds {
  const { metric, count, maxLength } = options;
  return {
    metric,
    goal: hasGoalOptions(options) ? goals.goalOf(options) : null,
    requestedCount: count,
    maxLength,
    lower: 0,
    upper: null,
    searched: null,
    waiting: { text: "Starting …" },
    best: null,
    answer: null,
  };
}

/**
 * Returns the bounds before the search for a position that each of these sequences of moves
 * produces: their inverses are solutions, of which the shortest is shown at once. For a goal, they
 * are not used.
 */
export function solutionKnown(options: Options, ...setups: string[]): Bounds {
  if (hasGoalOptions(options)) return nothingKnown(options);
  const known = setups.map((setup) => {
    const best = inverse(setup);
    return { best, upper: lengthOf(best, options.metric)! };
  });
  return { ...nothingKnown(options), ...known.sort((a, b) => a.upper - b.upper)[0]! };
}

/** Returns the bounds after one more event. */
export function after(bounds: Bounds, event: SolveEvent): Bounds {
  switch (event.event) {
    case "queued":
      return { ...bounds, waiting: { text: waitingFor(event.ahead) || "Starting" } };
    case "preparing":
    case "building":
      return {
        ...bounds,
        isBuilt: event.event === "building",
        waiting: {
          text: capital(event.doing),
          percent: event.percent,
          left: event.seconds_left ?? null,
        },
      };
    case "started":
      return { ...bounds, waiting: { text: "Preparing the search" } };
    case "solution":
      return {
        ...bounds,
        waiting: null,
        ...(event.length < (bounds.upper ?? Infinity) && {
          upper: event.length,
          best: event.moves,
        }),
      };
    case "iteration-started":
      return {
        ...bounds,
        waiting: null,
        lower: event.length,
        searched: { length: event.length, percent: 0, left: null, isLast: false },
      };
    case "progress":
      return afterProgress(bounds, event);
    case "iteration-finished":
      return event.exhausted ? { ...bounds, lower: event.length + 1, searched: null } : bounds;
    case "answer": {
      const upper = event.length ?? lengthOf(event.best_known, bounds.metric) ?? bounds.upper;
      return {
        ...bounds,
        waiting: null,
        searched: null,
        lower: event.lower_bound,
        upper,
        best: bounds.upper === upper ? bounds.best : null,
        answer: event,
      };
    }
    case "provenance":
      return { ...bounds, provenance: event };
    case "refused":
      return { ...bounds, waiting: null, searched: null, upper: null, best: null };
  }
}

/** Returns the bounds after some progress. */
function afterProgress(bounds: Bounds, event: Extract<SolveEvent, { event: "progress" }>): Bounds {
  const percent = Math.floor((100 * event.done) / event.total);
  const left = percent >= MIN_PERCENT ? (event.seconds_left ?? null) : null;
  const proof = event.proof_seconds_left ?? null;
  const isLast = left !== null && proof !== null && proof <= left;
  return { ...bounds, waiting: null, searched: { length: event.length, percent, left, isLast } };
}

/** Returns the bounds that remain when the engine is lost. */
export function withoutEngine(bounds: Bounds): Bounds {
  return { ...bounds, waiting: null, searched: null, isLost: true };
}

/** Returns the length of a solution. */
function lengthOf(solution: string | null, metric: TurnMetric): number | undefined {
  return solution === null
    ? undefined
    : movesOf(solution).reduce(
        (length, move) => length + (metric === "qtm" && move.endsWith("2") ? 2 : 1),
        0,
      );
}

/** Formats a length: "18 moves", "cost 7". */
export function unitsOf(length: number, { metric, goal }: Bounds): string {
  if (goal?.hasCosts) return `cost ${length}`;
  const units = plural(length, metric.includes("q") ? "quarter turn" : "move");
  return goal?.counting && length > 0 ? `${units} (${goal.counting})` : units;
}

/** Returns the maximum length of any position; a goal may need more. */
function maxLengthOf({ metric, goal }: Bounds): number {
  return goal ? Infinity : DIAMETER[tableMetric(metric)];
}

/** Maximum number of lengths on the line; costs may be larger. */
const MAX_LENGTHS = 31;

/** The kinds of a length; a known one is that of the best solution so far. */
export type LengthKind = "ruled-out" | "open" | "known" | "proven" | "unneeded";

/** Returns the kind of each length on the line of lengths; empty if there is no line. */
export function lengthKinds(bounds: Bounds): LengthKind[] {
  const { lower, upper, answer } = bounds;
  const max = maxLengthOf(bounds);
  // The maximum length for a goal is unknown.
  const longest = max === Infinity ? Math.max(lower, upper ?? 0) : max;
  if (longest === 0 || longest >= MAX_LENGTHS || answer?.unreachable !== undefined) return [];
  return Array.from({ length: longest + 1 }, (_, length) => {
    if (length === answer?.length) return "proven";
    if (length < lower) return "ruled-out";
    if (length === upper) return "known";
    return upper !== null && length > upper ? "unneeded" : "open";
  });
}

/** Describes the bounds in one line. */
export function headline(bounds: Bounds): string {
  const { maxLength, lower, upper, answer, waiting, goal } = bounds;
  const units = (length: number): string => unitsOf(length, bounds);
  if (goal && answer && (answer.length !== null || answer.unreachable))
    return goals.headline(goal, answer, units);
  if (answer?.length != null)
    return answer.length === 0 ? "Already solved" : `${units(answer.length)}, proven optimal`;
  // More lengths may be ruled out than requested; that is the claim.
  if (answer?.stop_reason === "max-length") return `No solution within ${units(Number(maxLength))}`;
  if (waiting) return waiting.text;
  if (upper === null || upper > maxLengthOf(bounds)) return `At least ${units(lower)}`;
  if (lower === 0) return `At most ${units(upper)}`;
  if (lower < upper) return `${lower} to ${units(upper)}`;
  return goal ? units(upper) : `${units(upper)}, proven optimal`;
}

/** Describes a solution of this length, which is longer than the shortest. */
export function headlineOfLonger(bounds: Bounds, length: number | undefined): string {
  const shortest = bounds.answer?.length;
  return length !== undefined && shortest != null && length > shortest
    ? `${unitsOf(length, bounds)}, ${length - shortest} more than optimal`
    : "";
}

/** Describes the shown solution, if the headline does not. */
export function claim(bounds: Bounds): string {
  const { requestedCount, maxLength, lower, upper, answer, isLost, goal } = bounds;
  const unproven = upper === null ? "" : unitsOf(upper, bounds);
  if (!answer && upper === lower && !goal)
    return isLost && requestedCount !== "1" ? MAY_BE_MORE : "";
  if (!answer)
    return unproven && (isLost ? `Best known: ${unproven}, unproven` : `Best so far: ${unproven}`);
  const isAboveLimit = answer.stop_reason === "max-length" && lower > Number(maxLength) + 1;
  const atLeast = isAboveLimit && answer.length === null && `At least ${unitsOf(lower, bounds)}`;
  if (goal) return atLeast || goals.claim(goal, answer, requestedCount, bounds.rotations);
  if (answer.length === null) {
    const bestKnown = unproven && `Best known: ${unproven}, unproven`;
    return [atLeast, bestKnown].filter(Boolean).join(". ");
  }
  if (answer.length === 0) return "";
  const isBeyond = maxLength !== "" && answer.length > Number(maxLength);
  return [
    isBeyond && `Proven without searching beyond ${unitsOf(Number(maxLength), bounds)}`,
    countClaim(answer, requestedCount),
  ]
    .filter(Boolean)
    .join(". ");
}

/** Describes the number of shortest solutions, if it was requested and is known. */
function countClaim(
  { complete, stop_reason, explanation, solution_count }: Answer,
  requestedCount: string,
): string {
  if (!complete) return stop_reason && requestedCount !== "1" ? MAY_BE_MORE : "";
  const shortest = explanation?.solutions?.count ?? solution_count;
  if (
    requestedCount === "1" ||
    (requestedCount !== "all" && requestedCount !== "prefer" && shortest >= Number(requestedCount))
  )
    return "";
  if (shortest === 1) return "The only optimal solution";
  return requestedCount === "prefer"
    ? `Of ${count(shortest)} optimal solutions, one with the fewest quarter turns`
    : `One of ${count(shortest)} optimal solutions`;
}

/** Describes the sequences that are ruled out, if solutions are sequences of any face turns. */
export function exclusion(bounds: Bounds): string {
  const { metric, goal, lower } = bounds;
  if (goal || lower < 2 || (metric !== "htm" && metric !== "qtm")) return "";
  const excluded = large(sequences(metric, lower - 1));
  return `${excluded} sequences of up to ${unitsOf(lower - 1, bounds)} ruled out`;
}

/**
 * Returns the number of sequences of at most this many moves, in which turns of opposite faces are
 * counted in one order only, and no face turns twice in a row.
 *
 * On one axis, the two faces have 6 and 9 turns of one and two half-turn moves together, or 4, 6, 4
 * and 1 of one to four quarter turns. Three axes may begin, and two may follow another.
 */
export function sequences(metric: Metric, length: number): number {
  const onAxis = { htm: [6, 9], qtm: [4, 6, 4, 1] }[metric];
  // Numbers of continuations after turns on one axis, by length; the empty one counts too.
  const continuations = [1];
  let total = 1;
  for (let moves = 1; moves <= length; moves += 1) {
    const fromOneAxis = onAxis.reduce(
      (sum, turns, more) => sum + turns * (continuations[moves - 1 - more] ?? 0),
      0,
    );
    continuations.push(2 * fromOneAxis);
    total += 3 * fromOneAxis;
  }
  return total;
}

/** Returns the name of the pruning table of an answer; empty if the search had none. */
export function tableOf({ table }: Answer): string {
  return ["goal", "no table"].includes(table) ? "" : table;
}

/** Describes the work of a search, apart from what was built for it before. */
function workOf(answer: Answer, { isBuilt }: Bounds): string {
  const { length, nodes, seconds, iterations } = answer;
  // A known solution is proven without a node if it is no longer than the bound of the table.
  const isRead = nodes === 0 && length !== null && length > 0 && tableOf(answer) !== "";
  const searched = isRead ? "Lower bound read from the table, " : `${plural(nodes, "node")}, `;
  if (!isBuilt) return searched + time(seconds);
  const searching = iterations.reduce((sum, iteration) => sum + iteration.seconds, 0);
  return `${searched}${time(searching)} after ${time(seconds - searching)} of preparation`;
}

/** Describes a search that ended: the reason if it was stopped, and its work. */
export function searchOf(answer: Answer, bounds: Bounds): string {
  const reasons = {
    timeout: "Stopped at the time limit; ",
    interrupt: "Stopped; ",
    "max-length": "",
  };
  return reasons[answer.stop_reason ?? "max-length"] + workOf(answer, bounds);
}

/** Describes the details below the headline. */
export function details(bounds: Bounds): string {
  const { searched, waiting, answer, lower, upper } = bounds;
  if (answer) {
    const table = tableOf(answer);
    return [searchOf(answer, bounds), table && `table ${table}`].filter(Boolean).join(", ");
  }
  if (searched) {
    const units = unitsOf(searched.length, bounds);
    const isProven = searched.length === lower && lower === upper;
    const aim = isProven ? `Finding more solutions of ${units}` : `Ruling out ${units}`;
    const progress = `${aim}: ${searched.percent} %`;
    return [progress, estimate(bounds)].filter(Boolean).join(", ");
  }
  if (waiting?.percent === undefined) return "";
  const { percent, left: seconds = null } = waiting;
  return [`${percent} %`, seconds !== null && left(seconds)].filter(Boolean).join(", ");
}

/** Describes the time left for the length that is searched, which may complete the proof. */
function estimate({ searched, upper }: Bounds): string {
  const { length, left, isLast } = searched!;
  if (left === null || left < MIN_ESTIMATE) return "";
  const isProven = upper !== null && upper <= length;
  const scope = isProven ? "left" : isLast ? "for the proof" : "for this length";
  return `about ${roughTime(left)} ${scope}`;
}
