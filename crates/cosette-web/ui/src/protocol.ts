// The types that the server sends. Requests, answers and search events are those of the npm
// package.

import type { Answer as AnswerOfEngine, Check, FmcAnswer, FmcRequest as FmcRequestOfEngine, InsertionsResult, Request, SearchEvent, Skeleton } from "../../../cosette-js/npm/index.js";

export type { Explanation, FmcAnswer, AttemptStatus, InsertionsResult, Skeleton } from "../../../cosette-js/npm/index.js";

/** The fields of an answer that the page shows. */
export type Answer = Omit<AnswerOfEngine, "input" | "format" | "symmetries" | "probes" | "engine" | "iterations">;

/** The metric of a table. */
export type Metric = "htm" | "qtm";

/** The metric of a search, including those of goals. */
export type TurnMetric = Answer["metric"];

/** The error of a request, and how to fix it. */
export interface ApiError {
  error: string;
  help?: string;
  /** Byte range of the error in the text. */
  span?: [number, number];
  /** `true` if the token of the server must be entered. */
  needsToken?: boolean;
}

/** The result of parsing a position. */
export type PositionCheck = Check;

/** The error of a text that is not a position. */
export type NotAPosition = Check & { ok: false };

/** The request to solve a position. */
export interface SolveRequest extends Request {
  position: string;
  metric: TurnMetric;
  count: number | "all";
}

/** Events before a search begins, or instead of it. */
export type QueueEvent =
  | { event: "queued"; id?: number; ahead: number }
  | { event: "preparing"; doing: string; percent: number; seconds_left?: number | null }
  | ({ event: "refused" } & ApiError);

/** Events while a position is solved. */
export type SolveEvent =
  | QueueEvent
  | { event: "started"; facelets: string }
  | SearchEvent
  | ({ event: "answer" } & Answer);

/** The request for fewest moves. */
export interface FmcRequest extends FmcRequestOfEngine {
  position: string;
}

/**
 * Events while steps are found: each skeleton that is better than all earlier ones, then the
 * answer.
 */
export type FmcEvent = QueueEvent | ({ event: "skeleton" } & Skeleton) | ({ event: "answer" } & FmcAnswer);

/** The request to finish a skeleton. */
export interface InsertionsRequest {
  position: string;
  from: string;
  count?: number | "all";
}

/** Events while insertions are found. */
export type InsertionsEvent = QueueEvent | ({ event: "answer" } & InsertionsResult);

/** One line of a batch, solved or not. */
export type BatchLine = { line: number; name?: string; input: string } & (Answer | ApiError);

/** Events while a batch is solved. */
export type BatchEvent =
  | QueueEvent
  | ({ event: "answer" | "failure" } & BatchLine)
  | { event: "progress"; done: number; total: number; rate: number | null; seconds_left: number | null }
  | { event: "end"; done: number; total: number; stopped: boolean };

/** A pruning table. */
export interface Table {
  name: string;
  metric: Metric;
  bytes: number;
  state: "absent" | "partial" | "generating" | "ready" | "corrupted";
  percent: number | null;
  fault: string | null;
  in_use: boolean;
  /** `true` if the next search in its metric uses it, generated first if it is not on disk. */
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
