// What is known about the length during a search, derived from its events.

import { capital, count, plural, time } from "../format";
import type { Answer, Metric, SolveEvent } from "../protocol";

/** No position needs more moves than this. */
export const DIAMETER: Record<Metric, number> = { htm: 20, qtm: 26 };

/** What is known so far. */
export interface Bounds {
  metric: Metric;
  /** Every shorter length is ruled out. */
  lower: number;
  /** A solution of this length is known. */
  upper: number | null;
  /** The length that is being searched, and how much of it is done. */
  searched: { length: number; percent: number; remaining: number | null } | null;
  /** Before the search: what it is waiting for. */
  waiting: string | null;
  best: string | null;
  answer: Answer | null;
}

/** Before anything is known. */
export function nothingKnown(metric: Metric): Bounds {
  return { metric, lower: 0, upper: null, searched: null, waiting: "Connecting …", best: null, answer: null };
}

/** What is known after one more event. */
export function after(bounds: Bounds, event: SolveEvent): Bounds {
  switch (event.event) {
    case "queued":
      return { ...bounds, waiting: event.ahead > 0 ? `Waiting for ${plural(event.ahead, "other search", "other searches")}` : "Starting" };
    case "preparing":
      return { ...bounds, waiting: `${capital(event.doing)}: ${event.percent} %` };
    case "started":
      return { ...bounds, waiting: "Searching" };
    case "solution":
      return { ...bounds, waiting: null, upper: Math.min(event.length, DIAMETER[bounds.metric]), best: event.moves };
    case "threshold-started":
      return { ...bounds, waiting: null, lower: event.length, searched: { length: event.length, percent: 0, remaining: null } };
    case "progress": {
      const percent = Math.floor((100 * event.done) / event.total);
      return { ...bounds, waiting: null, searched: { length: event.length, percent, remaining: event.proof_seconds_left ?? event.seconds_left ?? null } };
    }
    case "threshold-done":
      return event.exhausted ? { ...bounds, lower: event.length + 1, searched: null } : bounds;
    case "answer":
      return { ...bounds, waiting: null, searched: null, lower: event.lower_bound, upper: event.length ?? event.upper_bound, answer: event };
    case "refused":
      return { ...bounds, waiting: null, searched: null };
  }
}

/** The bounds in one line. */
export function headline({ metric, lower, upper, answer, waiting }: Bounds): string {
  const unit = (length: number): string => plural(length, metric === "htm" ? "move" : "quarter turn");
  if (answer?.length != null) return answer.length === 0 ? "Already solved" : `${unit(answer.length)}, proven to be the fewest`;
  if (answer?.stopped === "max-length") return `No solution within ${unit(answer.lower_bound - 1)}`;
  if (waiting) return waiting;
  return upper === null ? `${lower} ≤ length` : upper === lower ? `length = ${upper}` : `${lower} ≤ length ≤ ${upper}`;
}

/** The details below the headline. */
export function details({ searched, answer }: Bounds): string {
  if (answer) {
    const work = `${count(answer.nodes)} nodes, ${time(answer.seconds)}, table ${answer.table}`;
    const stopped = { timeout: "Stopped at the time limit", interrupt: "Stopped", "max-length": "" }[answer.stopped ?? "max-length"];
    return [stopped, work].filter(Boolean).join("; ");
  }
  if (!searched) return "";
  const left = searched.remaining === null ? "" : `, at most about ${time(searched.remaining)} left`;
  return `${searched.percent} % of threshold ${searched.length}${left}`;
}
