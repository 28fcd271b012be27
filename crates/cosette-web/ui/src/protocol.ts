// The requests, answers and events that the page shares with its engines. The npm package states
// them, as the OpenAPI document of the server does; here is what the page adds or omits.

import type * as wire from "../../../cosette-js/npm/protocol.js";

export type {
  AttemptStatus,
  Explanation,
  FmcAnswer,
  GenerationEvent,
  InsertionsResult,
  Metric,
  Review,
  ReviewedMove,
  ReviewedStep,
  ScrambledPosition,
  Sharing,
  Skeleton,
  Table,
  Tables,
  TurnMetric,
} from "../../../cosette-js/npm/protocol.js";

/** The fields of an answer that the page shows. */
export type Answer = Omit<wire.Answer, "input" | "format" | "symmetries" | "probes" | "engine">;

/** The error of a request, and how to fix it. */
export interface ApiError extends wire.ApiError {
  /** `true` if the token of the server must be entered. */
  needsToken?: boolean;
}

/** The result of parsing a position. */
export type PositionCheck = wire.Check;

/** The error of a text that is not a position. */
export type NotAPosition = wire.Check & { ok: false };

/** The request to solve a position. */
export type SolveRequest = wire.Request & { position: string } & Required<
    Pick<wire.Request, "metric" | "count">
  >;

type Queued = Extract<wire.QueueEvent, { event: "queued" }>;
type Preparing = Extract<wire.QueueEvent, { event: "preparing" }>;
type Started = Extract<wire.SolveEvent, { event: "started" }>;

/**
 * Events before a search begins, or instead of it. The engine in the browser has no ids, and
 * estimates when the table is ready.
 */
export type QueueEvent =
  | (Omit<Queued, "id"> & Partial<Queued>)
  | (Preparing & { seconds_left?: number | null })
  | Exclude<wire.QueueEvent, Queued | Preparing>;

/** The program that solved a position, and the checksum of its table. */
export interface Provenance {
  version: string;
  /** The machine that searched: "server on this machine". */
  machine: string;
  threads: number;
  checksum: string | null;
}

/** Events while a position is solved; the page adds the last one. */
export type SolveEvent =
  | QueueEvent
  | wire.SearchEvent
  | Pick<Started, "event" | "facelets">
  | ({ event: "answer" } & Answer)
  | ({ event: "provenance" } & Provenance);

/** The request for fewest moves. */
export type FmcRequest = wire.FmcRequest & { position: string };

/**
 * Events while steps are found: each skeleton that is better than all earlier ones, then the
 * answer.
 */
export type FmcEvent =
  QueueEvent | ({ event: "skeleton" } & wire.Skeleton) | ({ event: "answer" } & wire.FmcAnswer);

/** The request to finish a skeleton. */
export type InsertionsRequest = Pick<wire.FmcRequest, "count"> & { position: string; from: string };

/** Events while insertions are found. */
export type InsertionsEvent = QueueEvent | ({ event: "answer" } & wire.InsertionsResult);

/** The request to review a solution. */
export interface ReviewRequest {
  position: string;
  solution: string;
  metric: wire.Metric;
}

/** Events while a solution is reviewed. */
export type ReviewEvent = QueueEvent | wire.ReviewProgress | ({ event: "answer" } & wire.Review);

/** Events while a batch is solved. */
export type BatchEvent = QueueEvent | Exclude<wire.BatchEvent, wire.QueueEvent>;

/** One line of a batch, solved or not. */
export type BatchLine = { line: number; name?: string; input: string } & (Answer | wire.ApiError);
