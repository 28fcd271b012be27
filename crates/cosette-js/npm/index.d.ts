/// <reference lib="esnext.disposable" />

import type {
  Answer,
  Check,
  FmcAnswer,
  FmcRequest,
  InsertionsResult,
  Metric,
  Request,
  Review,
  ReviewProgress,
  ReviewRequest,
  ScrambleList,
  ScrambleOptions,
  ScrambledPosition,
  SearchEvent,
  Skeleton,
} from "./protocol.js";

export * from "./protocol.js";

/**
 * The subject of an error: the position; the moves, of a `CubeModel`; the table (an unknown name,
 * another file in its place, or blocked storage); insufficient memory; the number of threads; a
 * closed solver; another option (`request`); or the engine itself, such as a browser without SIMD
 * or a missing native engine.
 */
export type ErrorKind =
  "position" | "moves" | "table" | "memory" | "threads" | "closed" | "request" | "engine";

/** An error of the solver. `message` describes the problem and, where possible, how to fix it. */
export class CosetteError extends Error {
  readonly kind: ErrorKind;
  /** The kind in the form of Node's errors, such as `ERR_COSETTE_POSITION`. */
  readonly code: `ERR_COSETTE_${Uppercase<ErrorKind>}`;
  /** The last part of `message`, which says how to fix the problem, if it does. */
  readonly help?: string;
  /**
   * Range of the error in the text of the position or of the moves, or of the option that the
   * message names, as in `text.slice(...span)`: in UTF-16 code units.
   */
  readonly span?: [number, number];
  /** Index of the position in the list of `solveMany`. */
  readonly index?: number;
}

/**
 * Progress of loading or generating a table. The native engine loads a table after generating it.
 */
export interface TableProgress {
  event: "loading" | "generating";
  /** Bytes while loading; classes of corner paintings, all of equal work, while generating. */
  done: number;
  total: number;
}

export interface OpenOptions {
  /**
   * Name of the table, such as `190M` or `qtm-375M`. `auto`, the default: the largest stored one
   * (with the native engine, of those that fit in the free memory), otherwise `190M`. `null`: no
   * table, which suffices for goals, for moves other than face turns, for fewest moves, and,
   * without `max_length`, for positions of at most eight moves (ten quarter turns).
   */
  table?: string | null | undefined;
  /**
   * Metric of the table, if its name does not include one: a move is any turn of a face (`htm`)
   * or a quarter turn (`qtm`).
   */
  metric?: Metric | undefined;
  /**
   * Number of threads. Default: as many as the machine runs at once. In WebAssembly 1 to 64 if
   * workers can share memory, otherwise one.
   */
  threads?: number | undefined;
  /**
   * `false`: use one thread, as on pages that are not cross-origin isolated. Default: share
   * memory where possible.
   */
  sharedMemory?: boolean | undefined;
  /**
   * Node: folder of the tables. Default: the folder of the native program (`$COSETTE_TABLES`, or
   * `cosette` in the user's cache). `null`, also in a browser: do not store tables.
   */
  folder?: string | null | undefined;
  /**
   * The engine. Default: `native` in Node if the package has an addon for this machine,
   * otherwise `wasm`. `native` is rejected if there is no addon.
   */
  engine?: "native" | "wasm" | undefined;
  onProgress?: ((progress: TableProgress) => unknown) | undefined;
  /**
   * Stops loading or generating within a fraction of a second and rejects the promise. The part
   * generated until then is stored.
   */
  signal?: AbortSignal | undefined;
}

export interface SolveOptions extends Request {
  /**
   * Called for each event. An exception that it throws, or a promise that it returns and that is
   * rejected, stops the search and rejects the promise of `solve`, which waits for these promises.
   */
  onEvent?: ((event: SearchEvent) => unknown) | undefined;
  /**
   * Stops the search within a fraction of a second and rejects the promise. In WebAssembly
   * without shared memory, the search for a goal first ends by itself or at its `timeout`.
   */
  signal?: AbortSignal | undefined;
  /**
   * Stops the search as `timeout` does: the answer holds what was proven until then. In
   * WebAssembly without shared memory, the search for a goal continues.
   */
  stopSignal?: AbortSignal | undefined;
  /**
   * For measurements: searches without the two-phase search and without the inverse of the given
   * moves.
   */
  plain?: boolean | undefined;
}

/** Options for many positions: those of `Request`, for each position, and some for the list. */
export interface SolveManyOptions extends Request {
  /**
   * `true`, the default: results in the order of the positions. `false`: each result as soon as it
   * is found.
   */
  ordered?: boolean | undefined;
  /**
   * The treatment of a text that is not a position. `throw`, the default: the iteration throws its
   * error and ends. `return`: the error takes the place of the answer.
   */
  errors?: "throw" | "return" | undefined;
  /** Stops all searches within a fraction of a second; the iteration throws the reason. */
  signal?: AbortSignal | undefined;
}

/** The answer for a position of a list. */
export interface IndexedAnswer extends Answer {
  /** Index of the position in the list. */
  index: number;
}

export interface FmcOptions extends FmcRequest {
  /**
   * Called for each skeleton that is shorter than all earlier ones. Exceptions and promises are
   * treated as in `SolveOptions`.
   */
  onEvent?: ((event: { event: "skeleton" } & Skeleton) => unknown) | undefined;
  /**
   * Stops the search and rejects the promise: immediately, or, in WebAssembly without shared
   * memory, at the `timeout`.
   */
  signal?: AbortSignal | undefined;
  /**
   * Stops the search as `timeout` does, if workers can share memory: the answer holds what was
   * found until then.
   */
  stopSignal?: AbortSignal | undefined;
}

export interface ReviewOptions extends ReviewRequest {
  /**
   * Called for each position that has been searched, from the end of the solution on. Exceptions and
   * promises are treated as in `SolveOptions`.
   */
  onEvent?: ((event: ReviewProgress) => unknown) | undefined;
  /**
   * Stops the search and rejects the promise: immediately, or, in WebAssembly without shared
   * memory, at the `timeout`.
   */
  signal?: AbortSignal | undefined;
  /**
   * Stops the search as `timeout` does, if workers can share memory: positions without a proof
   * by then have bounds.
   */
  stopSignal?: AbortSignal | undefined;
}

/** An optimal solver with a table in memory. */
export class Solver {
  private constructor();
  /**
   * Loads a table, or generates it. Rejects with the reason of `signal`, or with a
   * `CosetteError`. If storage is blocked or full, the table is in memory only (`isStored`); in
   * Node, a table that has to be generated must fit into a `folder` that is named.
   */
  static open(options?: OpenOptions): Promise<Solver>;
  /** The engine in use. */
  readonly engine: "native" | "wasm";
  /** Name of the table, or `no table`. */
  readonly table: string;
  /** Metric of the table; empty without a table. */
  readonly metric: Metric | "";
  readonly threads: number;
  /** `true` if the table is stored and will not be generated again. */
  readonly isStored: boolean;
  /**
   * Finds a proven shortest solution of a position in any format: moves, facelets, Reid notation
   * or Speffz cycles. Concurrent calls are queued.
   */
  solve(position: string, options?: SolveOptions): Promise<Answer>;
  /**
   * Finds all shortest solutions (`count: 'all'`). Solutions that differ only in the order of
   * turns of opposite faces count once.
   */
  solveAll(position: string, options?: Omit<SolveOptions, "count" | "prefer">): Promise<Answer>;
  /**
   * Solves many positions, as many at once as there are threads. A search for a goal, a solver
   * without a table, and WebAssembly without shared memory take one position at a time. The
   * iteration begins with the first `next()`, and holds at most 1024 results, whose positions it
   * has taken; leaving it early, as by `break`, stops the searches. Other calls but `check` wait
   * until at most 1024 positions are solved.
   */
  solveMany(
    positions: Iterable<string> | AsyncIterable<string>,
    options?: SolveManyOptions & { errors?: "throw" | undefined },
  ): AsyncGenerator<IndexedAnswer, void, undefined>;
  solveMany(
    positions: Iterable<string> | AsyncIterable<string>,
    options: SolveManyOptions,
  ): AsyncGenerator<IndexedAnswer | CosetteError, void, undefined>;
  /** Finds skeletons of fewest moves, step by step, on a scramble and on its inverse. */
  fmc(position: string, options?: FmcOptions): Promise<FmcAnswer>;
  /**
   * Finds the best insertions of a shortest sequence that finishes a skeleton with three
   * corners, three edges or two swaps left. Requires a table in htm. In WebAssembly without
   * shared memory, only `close()` stops it.
   */
  insertions(
    position: string,
    options: {
      from: string;
      count?: number | "all" | undefined;
      signal?: AbortSignal | undefined;
    },
  ): Promise<InsertionsResult>;
  /**
   * Proves the distance to solved after each move of a solution: a reconstruction with comments,
   * rotations, slices and groups, one step per line, or a write-up with moves on the inverse in
   * parentheses. Requires a table.
   */
  review(scramble: string, solution: string, options?: ReviewOptions): Promise<Review>;
  /** Parses the text of a position, without solving it, also while a search runs. */
  check(
    position: string,
    options?: Pick<Request, "niss" | "format" | "face_order">,
  ): Promise<Check>;
  /**
   * Closes the engine and rejects pending calls. The memory of WebAssembly is freed when
   * JavaScript collects garbage. `using` and `await using` call it.
   */
  close(): void;
  [Symbol.dispose](): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Parses positions in a separate worker, without a table, so that it responds at once even while a
 * solver works.
 */
export class Reader {
  private constructor();
  static open(): Promise<Reader>;
  check(
    position: string,
    options?: Pick<Request, "niss" | "format" | "face_order">,
  ): Promise<Check>;
  /**
   * Draws a uniformly random position. A `seed`, up to `Number.MAX_SAFE_INTEGER`, gives the same
   * position on every machine.
   */
  random(options?: { seed?: number | undefined }): Promise<ScrambledPosition>;
  /**
   * Finds different scrambles of a position in any format. For the case that an algorithm ALG
   * solves, write `(ALG)'`.
   */
  scrambles(position: string, options?: ScrambleOptions): Promise<ScrambleList>;
  close(): void;
  [Symbol.dispose](): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Synchronous functions of positions and moves. Positions are texts in any format, or empty for the
 * solved cube; moves may include wide moves, slices, rotations and groups. An error is a
 * `CosetteError` of the kind `position` or `moves`.
 */
export interface CubeModel {
  /**
   * Returns the 54 facelets after the moves. They name each face by its place after the moves, so
   * rotations of the whole cube leave the solved cube solved.
   */
  apply(position: string, moves: string): string;
  /** Returns the inverse of a sequence of moves, with groups expanded. */
  inverse(moves: string): string;
  /** Returns `true` if the position is the solved cube, however it is held. */
  isSolved(position: string): boolean;
}

/** Loads a model of the cube, without a worker and without a table. */
export function loadCubeModel(): Promise<CubeModel>;

/**
 * Browsers: returns the tables stored for this origin, by name, such as `htm-190M`. Rejects if
 * storage is blocked.
 */
export function storedTables(): Promise<Record<string, "ready" | "partial">>;
/**
 * Browsers: removes a table, such as `190M` or `htm-190M`. Rejects if the name is unknown or the table is
 * being loaded or generated. A solver that already has the table open can continue to use it.
 */
export function removeTable(table: string): Promise<void>;

/**
 * Table sizes available in WebAssembly, with their memory use in bytes. The native engine also has
 * `3G`, `6G` and `12G`.
 */
export const TABLES: Readonly<Record<string, number>>;
/** Returns `true` if WebAssembly supports SIMD here, which is required. */
export function hasSimd(): boolean;
/** Returns `true` if workers can share memory here, which more than one thread requires. */
export function hasThreads(): boolean;
export const isNode: boolean;
