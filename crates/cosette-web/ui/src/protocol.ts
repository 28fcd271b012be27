// The types that the server sends. Requests, answers and the events of a search are those of the npm package.

import type { Answer, Check, Request, SearchEvent } from "../../../cosette-wasm/npm/index.js";

export type { Answer, Explanation } from "../../../cosette-wasm/npm/index.js";

export type Metric = "htm" | "qtm";

/** Why a request failed, and how to fix it. */
export interface ApiError {
  error: string;
  help?: string;
  /** The bytes of the text that are wrong. */
  span?: [number, number];
}

/** What a text means. */
export type PositionCheck = Check;

/** Why a text is not a position. */
export type NotAPosition = Check & { ok: false };

/** What to solve. */
export interface SolveRequest extends Request {
  position: string;
  metric: Metric;
  count: number | "all";
}

/** Events before a search begins, or instead of it. */
export type BeforeSearch =
  | { event: "queued"; id: number; ahead: number }
  | { event: "preparing"; doing: string; percent: number; seconds_left?: number | null }
  | ({ event: "refused" } & ApiError);

/** Events while a position is solved. */
export type SolveEvent =
  | BeforeSearch
  | { event: "started"; facelets: string }
  | SearchEvent
  | ({ event: "answer" } & Answer);

/** Which steps of fewest moves to find. */
export interface FewestRequest {
  position: string;
  /** A pipeline, such as `eo[max=5] > dr > htr > finish`, which is the usual one. */
  steps?: string;
  /** What has been done: moves, with those on the inverse in round brackets. */
  from?: string;
  count?: number | "all";
  timeout?: number;
  niss?: boolean;
}

/** Moves through steps. Those on the inverse are in round brackets. */
export interface Skeleton {
  length: number;
  /** What each has reached, as `dr:UD`, its moves, and all by then. */
  steps: { step: string; moves: string; total: number }[];
  moves: string;
  solution: string | null;
}

/** What is reached by moves, and what is left. */
export interface Here {
  facelets: string;
  /** The most that is, as `eo:FB`. */
  reached: string[];
  /** For each step, along each of its axes: how many pieces are bad, and where their facelets are, 0 to 53. */
  bad: { step: string; corners: number; edges: number; facelets: number[] }[];
}

/** What was found. */
export interface FewestAnswer {
  input: string;
  facelets: string;
  steps: string;
  from: string;
  here: Here;
  /** By their length. */
  skeletons: Skeleton[];
  /** How many ways there are to the first steps, by number of moves, from none on; these are all. */
  ways: { step: string; after: string | null; counts: number[] }[];
  /** Whether no skeleton of these steps, with their options, is shorter. */
  proven: boolean;
  stopped: string | null;
  tasks: number;
  seconds: number;
}

/** Events while steps are found: each skeleton that is better than all before, then the answer. */
export type FewestEvent = BeforeSearch | ({ event: "skeleton" } & Skeleton) | ({ event: "answer" } & FewestAnswer);

/** Which skeleton to finish by an insertion. */
export interface InsertionsRequest {
  position: string;
  from: string;
  count?: number;
}

/** The best places for what finishes a skeleton. */
export interface Inserted {
  input: string;
  skeleton: string;
  /** What it leaves, in words. */
  left: string;
  /** How many there are. */
  count: number;
  /** By their length: the moves of the skeleton before it, its own, how many are saved where they meet, and all. */
  insertions: { length: number; place: number; moves: string; cancelled: number; solution: string }[];
}

/** Events while insertions are found. */
export type InsertionsEvent = BeforeSearch | ({ event: "answer" } & Inserted);

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
