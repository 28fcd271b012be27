// The types that the server sends. Requests, answers and the events of a search are those of the npm package.

import type { Answer as AnswerOfEngine, Check, FewestAnswer, FewestRequest as Fewest, Inserted, Request, SearchEvent, Skeleton } from "../../../cosette-wasm/npm/index.js";

export type { Explanation, FewestAnswer, Here, Inserted, Skeleton } from "../../../cosette-wasm/npm/index.js";

/** What the page shows of an answer. */
export type Answer = Omit<AnswerOfEngine, "input" | "format" | "symmetries" | "probes" | "engine" | "thresholds">;

/** What counts as one move, for tables. */
export type Metric = "htm" | "qtm";

/** What counts as one move, for goals as well. */
export type TurnMetric = Answer["metric"];

/** Why a request failed, and how to fix it. */
export interface ApiError {
  error: string;
  help?: string;
  /** The bytes of the text that are wrong. */
  span?: [number, number];
  /** Whether the token of the server is to be entered. */
  needsToken?: boolean;
}

/** What a text means. */
export type PositionCheck = Check;

/** Why a text is not a position. */
export type NotAPosition = Check & { ok: false };

/** What to solve. */
export interface SolveRequest extends Request {
  position: string;
  metric: TurnMetric;
  count: number | "all";
}

/** Events before a search begins, or instead of it. */
export type BeforeSearch =
  | { event: "queued"; id?: number; ahead: number }
  | { event: "preparing"; doing: string; percent: number; seconds_left?: number | null }
  | ({ event: "refused" } & ApiError);

/** Events while a position is solved. */
export type SolveEvent =
  | BeforeSearch
  | { event: "started"; facelets: string }
  | SearchEvent
  | ({ event: "answer" } & Answer);

/** What is asked of a scramble in fewest moves. */
export interface FewestRequest extends Fewest {
  position: string;
}

/** Events while steps are found: each skeleton that is better than all before, then the answer. */
export type FewestEvent = BeforeSearch | ({ event: "skeleton" } & Skeleton) | ({ event: "answer" } & FewestAnswer);

/** A skeleton to finish. */
export interface InsertionsRequest {
  position: string;
  from: string;
  count?: number | "all";
}

/** Events while insertions are found. */
export type InsertionsEvent = BeforeSearch | ({ event: "answer" } & Inserted);

/** One line of a batch, solved or not. */
export type BatchLine = { line: number; name?: string; input: string } & (Answer | ApiError);

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
