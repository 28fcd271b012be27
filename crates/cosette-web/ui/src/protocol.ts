// The types that the server sends. Answers and events are those of `cosette solve --json` and `--events`.

import type { Mark } from "./cube/net";

export type Metric = "htm" | "qtm";

/** Why a request failed, and how to fix it. */
export interface ApiError {
  error: string;
  help?: string;
  /** The bytes of the text that are wrong. */
  span?: [number, number];
}

/** Whether a text is a position. */
export type PositionCheck =
  | {
      ok: true;
      format: string;
      facelets: string;
      /** Moves that lead from the solved cube to the position. */
      setup: string;
      /** The rotation of the whole cube in the text. */
      rotation?: string;
      symmetries: number;
      odd: boolean;
    }
  | NotAPosition;

/** Why a text is not a position. */
export interface NotAPosition extends ApiError {
  ok: false;
  /** The facelets if the text is 54 of them; a dot for each that is not painted. */
  facelets?: string;
  blank: number;
  marks: Mark[];
}

/** What to solve. */
export interface SolveRequest {
  position: string;
  metric: Metric;
  count: number | "all";
  max_length?: number;
  timeout?: number;
  prefer?: Metric;
  explain?: boolean;
  niss?: boolean;
}

/** What is special about a position. */
export interface Explanation {
  rotations: number;
  mirrors: number;
  inverting: number;
  order: number;
  is_odd: boolean;
  /** What all its shortest solutions have in common, if all are known. */
  solutions: { count: number; first_moves: string[]; last_moves: string[] } | null;
}

/** An answer: what has been proven about a position. */
export interface Answer {
  facelets: string;
  metric: Metric;
  optimal: boolean;
  length: number | null;
  lower_bound: number;
  upper_bound: number;
  solutions: string[];
  solution_count: number;
  complete: boolean;
  stopped: "max-length" | "timeout" | "interrupt" | null;
  best_known: string | null;
  symmetries: number;
  nodes: number;
  probes: number;
  seconds: number;
  table: string;
  explanation?: Explanation;
}

/** Events before a search begins, or instead of it. */
export type BeforeSearch =
  | { event: "queued"; id: number; ahead: number }
  | { event: "preparing"; doing: string; percent: number }
  | ({ event: "refused" } & ApiError);

/** Events while a position is solved. */
export type SolveEvent =
  | BeforeSearch
  | { event: "started"; facelets: string }
  | { event: "solution"; length: number; moves: string }
  | { event: "threshold-started"; length: number }
  | { event: "progress"; length: number; done: number; total: number; seconds_left?: number; proof_seconds_left?: number }
  | { event: "threshold-done"; length: number; exhausted: boolean; nodes: number }
  | ({ event: "answer" } & Answer);

/** One line of a batch, solved or not. */
export type BatchLine = { line: number; input: string } & (Answer | ApiError);

/** Events while a batch is solved. */
export type BatchEvent =
  | BeforeSearch
  | ({ event: "answer" | "failure" } & BatchLine)
  | { event: "progress"; done: number; total: number; rate: number | null; seconds_left: number | null }
  | { event: "end"; done: number; total: number; stopped: boolean };

/** A pruning table. */
export interface Table {
  name: string;
  metric: Metric;
  bytes: number;
  state: "absent" | "partial" | "generating" | "ready" | "faulty";
  percent: number | null;
  fault: string | null;
  in_use: boolean;
  /** Whether the next search in its metric uses it, generated first if it is not on disk. */
  next: boolean;
  fits: boolean;
  generation_seconds: number | null;
  cube_seconds: number | null;
}

/** Events while a table is generated. */
export type GenerationEvent =
  | { event: "progress"; percent: number; seconds_left: number | null }
  | { event: "generated" }
  | { event: "stopped"; percent: number }
  | ({ event: "refused" } & ApiError);
