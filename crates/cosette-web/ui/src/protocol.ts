// What the server sends. The forms of answers and events are those of `cosette solve --json` and `--events`.

import type { Mark } from "./cube/net";

export type Metric = "htm" | "qtm";

/** Why something cannot be done, and what mends it. */
export interface Refusal {
  error: string;
  help?: string;
  /** The bytes of the text that it is about. */
  span?: [number, number];
}

/** What a text shows. */
export type Checked =
  | {
      ok: true;
      format: string;
      facelets: string;
      /** Moves that lead from the solved cube to the position. */
      setup: string;
      symmetries: number;
      odd: boolean;
    }
  | Fault;

/** Why a text shows no position. */
export interface Fault extends Refusal {
  ok: false;
  /** The facelets, where the text is a picture of 54; a dot for each that is not painted. */
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
}

/** What is special about a position. */
export interface Explanation {
  rotations: number;
  mirrors: number;
  inverting: number;
  order: number;
  is_odd: boolean;
  /** What all its shortest solutions share, where all are known. */
  solutions: { count: number; first_moves: string[]; last_moves: string[] } | null;
}

/** An answer: what is proven of a position. */
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

/** What comes before a search, or in its place. */
export type BeforeSearch =
  | { event: "queued"; id: number; ahead: number }
  | { event: "preparing"; doing: string; percent: number }
  | ({ event: "refused" } & Refusal);

/** What happens while a position is solved. */
export type SolveEvent =
  | BeforeSearch
  | { event: "started"; facelets: string }
  | { event: "solution"; length: number; moves: string }
  | { event: "threshold-started"; length: number }
  | { event: "progress"; length: number; done: number; total: number; seconds_left?: number; proof_seconds_left?: number }
  | { event: "threshold-done"; length: number; exhausted: boolean; nodes: number }
  | ({ event: "answer" } & Answer);

/** One line of a batch, solved or not. */
export type BatchLine = { line: number; input: string } & (Answer | Refusal);

/** What happens while a batch is solved. */
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
  state: "absent" | "partial" | "filling" | "ready" | "faulty";
  percent: number | null;
  fault: string | null;
  in_use: boolean;
  fits: boolean;
  fill_seconds: number | null;
  cube_seconds: number | null;
}

/** How a filling goes. */
export type FillEvent =
  | { event: "progress"; percent: number; seconds_left: number | null }
  | { event: "filled" }
  | { event: "stopped"; percent: number }
  | ({ event: "refused" } & Refusal);
