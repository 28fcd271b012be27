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
  | (Refusal & {
      ok: false;
      /** The facelets, where the text is a picture of 54; a dot for each that is not painted. */
      facelets?: string;
      blank: number;
      marks: Mark[];
    });

/** What to solve. */
export interface SolveRequest {
  position: string;
  metric: Metric;
  count: number | "all";
  max_length?: number;
  timeout?: number;
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
}

/** What happens while a position is solved. */
export type SolveEvent =
  | { event: "queued"; id: string; ahead: number }
  | { event: "table"; table: string; work: "loading" | "filling"; percent: number }
  | { event: "solution"; length: number; solution: string }
  | { event: "threshold"; length: number }
  | { event: "progress"; length: number; percent: number; remaining: number | null }
  | { event: "threshold-done"; length: number; exhausted: boolean; nodes: number }
  | ({ event: "answer" } & Answer)
  | ({ event: "error" } & Refusal);

/** One line of a batch, solved or not. */
export type BatchLine = { line: number; input: string } & (Answer | Refusal);

/** What happens while a batch is solved. */
export type BatchEvent =
  | { event: "queued"; id: string; ahead: number }
  | { event: "table"; table: string; work: "loading" | "filling"; percent: number }
  | ({ event: "result" } & BatchLine)
  | { event: "progress"; done: number; total: number; rate: number | null; remaining: number | null }
  | { event: "end"; done: number; total: number; stopped: boolean }
  | ({ event: "error" } & Refusal);

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
  | { event: "progress"; percent: number; remaining: number | null }
  | { event: "end"; filled: boolean; percent: number }
  | ({ event: "error" } & Refusal);
