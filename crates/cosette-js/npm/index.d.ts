import type {
  Answer,
  Check,
  FmcAnswer,
  FmcRequest,
  InsertionsResult,
  Metric,
  Request,
  ScrambleList,
  ScrambleOptions,
  ScrambledPosition,
  SearchEvent,
  Skeleton,
} from "./protocol.js";

export * from "./protocol.js";

/** An error of the solver. `message` describes the problem and, where possible, how to fix it. */
export class CosetteError extends Error {
  /**
   * The subject of the error: the position; the table (an unknown name, another file in its
   * place, or blocked storage); insufficient memory; the number of threads; a closed solver;
   * another option (`request`); or the engine itself, such as a browser without SIMD or a
   * missing native engine.
   */
  readonly kind: "position" | "table" | "memory" | "threads" | "closed" | "request" | "engine";
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
   * Name of the table, such as `190M` (the default) or `qtm-375M`. `null`: no table, which
   * suffices for goals, for moves other than face turns, for fewest moves, and, without
   * `max_length`, for positions of at most eight moves (ten quarter turns).
   */
  table?: string | null;
  /**
   * Metric of the table, if its name does not include one: a move is any turn of a face (`htm`)
   * or a quarter turn (`qtm`).
   */
  metric?: Metric;
  /**
   * Number of threads. Default: as many as the machine runs at once. In WebAssembly 1 to 64 if
   * workers can share memory, otherwise one.
   */
  threads?: number;
  /**
   * `false`: use one thread, as on pages that are not cross-origin isolated. Default: share
   * memory where possible.
   */
  sharedMemory?: boolean;
  /**
   * Node: folder of the tables. Default: the folder of the native program (`$COSETTE_TABLES`, or
   * `cosette` in the user's cache). `null`, also in a browser: do not store tables.
   */
  folder?: string | null;
  /**
   * The engine. Default: `native` in Node if the package has an addon for this machine,
   * otherwise `wasm`. `native` is rejected if there is no addon.
   */
  engine?: "native" | "wasm";
  onProgress?: (progress: TableProgress) => void;
  /**
   * Stops loading or generating within a fraction of a second and rejects the promise. The part
   * generated until then is stored.
   */
  signal?: AbortSignal;
}

export interface SolveOptions extends Request {
  /**
   * Called for each event. An exception that it throws stops the search and rejects the promise.
   */
  onEvent?: (event: SearchEvent) => void;
  /**
   * Stops the search within a fraction of a second and rejects the promise. In WebAssembly
   * without shared memory, the search for a goal first ends by itself or at its `timeout`.
   */
  signal?: AbortSignal;
  /**
   * Stops the search as `timeout` does: the answer holds what was proven until then. In
   * WebAssembly without shared memory, the search for a goal continues.
   */
  stopSignal?: AbortSignal;
  /**
   * For measurements: searches without the two-phase search and without the inverse of the given
   * moves.
   */
  plain?: boolean;
}

export interface FmcOptions extends FmcRequest {
  /**
   * Called for each skeleton that is shorter than all earlier ones. An exception that it throws
   * stops the search and rejects the promise.
   */
  onEvent?: (event: { event: "skeleton" } & Skeleton) => void;
  /**
   * Stops the search and rejects the promise: immediately, or, in WebAssembly without shared
   * memory, at the `timeout`.
   */
  signal?: AbortSignal;
  /**
   * Stops the search as `timeout` does, if workers can share memory: the answer holds what was
   * found until then.
   */
  stopSignal?: AbortSignal;
}

/** An optimal solver with a table in memory. */
export class Solver {
  private constructor();
  /**
   * Loads a table, or generates it. Rejects with the reason of `signal`, or with a
   * `CosetteError`. If storage is blocked or full, the table is in memory only (`isStored`).
   */
  static open(options?: OpenOptions): Promise<Solver>;
  /** The engine in use. */
  readonly engine: "native" | "wasm";
  /** Name of the table; without a table, this and the metric are empty. */
  readonly table: string;
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
  /** Finds skeletons of fewest moves, step by step, on a scramble and on its inverse. */
  fmc(position: string, options?: FmcOptions): Promise<FmcAnswer>;
  /**
   * Finds the best insertions of a shortest sequence that finishes a skeleton with three
   * corners, three edges or two swaps left. Requires a table in htm. In WebAssembly without
   * shared memory, only `close()` stops it.
   */
  insertions(
    position: string,
    options: { from: string; count?: number | "all"; signal?: AbortSignal },
  ): Promise<InsertionsResult>;
  /** Parses the text of a position, without solving it. */
  check(
    position: string,
    options?: Pick<Request, "niss" | "format" | "face_order">,
  ): Promise<Check>;
  /**
   * Closes the engine and rejects pending calls. The memory of WebAssembly is freed when
   * JavaScript collects garbage.
   */
  close(): void;
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
  /** Draws a uniformly random position. */
  random(): Promise<ScrambledPosition>;
  /**
   * Finds different scrambles of a position in any format. For the case that an algorithm ALG
   * solves, write `(ALG)'`.
   */
  scrambles(position: string, options?: ScrambleOptions): Promise<ScrambleList>;
  close(): void;
}

/**
 * Browsers: returns the tables stored for this origin, by name, such as `htm-190M`. Rejects if
 * storage is blocked.
 */
export function storedTables(): Promise<Record<string, "ready" | "partial">>;
/**
 * Browsers: removes a table, such as `htm-190M`. Rejects if the name is unknown or the table is
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
