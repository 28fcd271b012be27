/** An error of the solver. `message` describes the problem and, where possible, how to fix it. */
export class CosetteError extends Error {
    /**
     * The subject of the error: the position; the table (an unknown name, another file in its
     * place, or blocked storage); insufficient memory; the number of threads; a closed solver;
     * another option (`request`); or the engine itself, such as a browser without SIMD or a
     * missing native engine.
     */
    readonly kind: 'position' | 'table' | 'memory' | 'threads' | 'closed' | 'request' | 'engine';
}

/**
 * Progress of loading or generating a table. The native engine loads a table after generating it.
 */
export interface TableProgress {
    event: 'loading' | 'generating';
    /** Bytes while loading; classes of corner paintings, all of equal work, while generating. */
    done: number;
    total: number;
}

/** An event of a search, as in the HTTP API and in `cosette solve --events`. */
export type SearchEvent =
    /**
     * A solution shorter than all earlier ones. For a goal, each solution found, including equally
     * long ones and, with `slack`, longer ones.
     */
    | { event: 'solution'; moves: string; length: number }
    /**
     * The search of this length begins. All shorter lengths are ruled out, except for a goal with
     * `slack`, where their solutions have already been found.
     */
    | { event: 'iteration-started'; length: number }
    /**
     * Number of work units of this length that are searched, and estimated seconds for the rest of
     * this length and for the entire proof, where known. In WebAssembly without shared memory, the
     * estimate for the proof is missing.
     */
    | { event: 'progress'; length: number; done: number; total: number; seconds_left?: number; proof_seconds_left?: number }
    /** The search of this length ended. */
    | ({ event: 'iteration-finished' } & Iteration)
    /**
     * The pattern databases of a goal are being built for the first search that needs them.
     * `seconds_left` is an estimate, missing at the beginning.
     */
    | { event: 'building'; doing: string; percent: number; seconds_left?: number };

/** One iteration of the search: all sequences of one length. */
export interface Iteration {
    length: number;
    nodes: number;
    probes: number;
    seconds: number;
    /** `true` if all sequences of this length were searched. */
    exhausted: boolean;
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
    metric?: 'htm' | 'qtm';
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
    engine?: 'native' | 'wasm';
    onProgress?: (progress: TableProgress) => void;
    /**
     * Stops loading or generating within a fraction of a second and rejects the promise. The part
     * generated until then is stored.
     */
    signal?: AbortSignal;
}

/** The options of a request, as in the HTTP API. Unknown names are rejected. */
export interface Request {
    /** Number of shortest solutions to find. Default: 1. */
    count?: number | 'all';
    /** Finds all shortest solutions and returns one that is also shortest in this metric. */
    prefer?: 'htm' | 'qtm' | null;
    /**
     * Finds all shortest solutions and describes the special properties of the position and of its
     * solutions.
     */
    explain?: boolean;
    /**
     * Stops once all lengths up to this one are ruled out. A known solution that is one move
     * longer is then proven shortest.
     */
    max_length?: number | null;
    /** Stops after this many seconds of searching. The answer holds what was proven until then. */
    timeout?: number | null;
    /** Format of the position. Default: detected from the text. */
    format?: 'moves' | 'facelets' | 'reid' | 'speffz' | null;
    /** Order of the faces in 54 facelets, such as `ULFRBD`. Default: `URFDLB`. */
    face_order?: string | null;
    /** `true` if moves in parentheses are on the inverse (NISS). */
    niss?: boolean;
    /**
     * The metric. Default: that of the solver's table; a solver without a table accepts any.
     * `stm`, `qstm` and `etm` count the moves to a goal, with any table.
     */
    metric?: 'htm' | 'qtm' | 'stm' | 'qstm' | 'etm';
    /**
     * The goal, such as `cross:D`, `UF UR DFR`, or another position. Default: the solved cube.
     */
    goal?: string | null;
    /** The allowed moves, such as `R U F2 r M`. */
    moves?: string | null;
    /** Costs of individual moves, which override the metric, such as `R2=2 B=3`. */
    costs?: string | null;
    /** Maximum cost of a solution above the minimum. */
    slack?: number;
    /** Required prefix and suffix of solutions. */
    starts_with?: string | null;
    ends_with?: string | null;
    /** Forbidden sequences, separated by commas, such as `F2, R L`. */
    avoid?: string | null;
    /** Returns one solution of each equivalence class. */
    unique_up_to?: 'symmetry' | 'inverse' | 'symmetry,inverse' | null;
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

/** The result of a solve, with the names of the HTTP API and of `cosette solve --json`. */
export interface Answer {
    /** The text of the position, without its name. */
    input: string;
    /** Name of the position, if its text includes one, e.g. `T-perm: R U R' …`. */
    name?: string;
    format: string;
    facelets: string;
    metric: 'htm' | 'qtm' | 'stm' | 'qstm' | 'etm';
    /** The goal, if the request has one. */
    goal?: string;
    /**
     * For goals: the allowed moves, the cost of each solution, and the variants of the goal that
     * it reaches.
     */
    allowed_moves?: string;
    costs?: number[];
    variants?: string[];
    /**
     * The reason why the goal is unreachable with the allowed moves, if it is. There is then no
     * solution, and the bounds are meaningless.
     */
    unreachable?: string;
    /** `true` if `length` is proven to be the shortest. */
    optimal: boolean;
    /** Length of the shortest solutions, if known. */
    length: number | null;
    /** Proven lower bound on the length of a shortest solution. */
    lower_bound: number;
    /** Proven upper bound on the length of a shortest solution; 255 if unknown. */
    upper_bound: number;
    /**
     * Shortest solutions, up to the requested number, each verified by applying it to the
     * position.
     */
    solutions: string[];
    /** Number of `solutions`. */
    solution_count: number;
    /** With `prefer`: number of shortest solutions. */
    preferred_among?: number;
    /** `true` if these are all the requested solutions, proven shortest. */
    complete: boolean;
    /** The reason why the search ended early, if it did. */
    stop_reason: 'max-length' | 'timeout' | 'interrupt' | null;
    /** The shortest known solution, if none is proven shortest. */
    best_known: string | null;
    /** Number of the 48 symmetries that fix the position. */
    symmetries: number;
    /** Nodes expanded, and table look-ups. */
    nodes: number;
    probes: number;
    seconds: number;
    table: string;
    engine: string;
    /** Iterations of the search, by length. */
    iterations: Iteration[];
    /** Special properties of the position, and of its solutions if all are known. */
    explanation?: Explanation;
}

/** Special properties of a position. */
export interface Explanation {
    /**
     * Number of the 24 rotations of the whole cube, and of the 24 mirror symmetries, that fix the
     * position.
     */
    rotations: number;
    mirrors: number;
    /** Number of the 48 symmetries that map the position to its inverse. */
    inverting: number;
    /** Number of repetitions of the position that return to the solved cube. */
    order: number;
    /** `true` if the permutation of its corners is odd. */
    is_odd: boolean;
    /** Properties shared by all shortest solutions, if all are known. */
    solutions: { count: number; first_moves: string[]; last_moves: string[] } | null;
}

/** The options of a request for fewest moves, as in the HTTP API. Unknown names are rejected. */
export interface FmcRequest {
    /**
     * The steps. Default: `eo[max=5] > dr > htr > finish`. Options are `max=`, `n=`, `niss=` and,
     * for `dr`, `triggers=R,RU2R`.
     */
    steps?: string;
    /**
     * Moves done before the search, with those on the inverse in parentheses, e.g. `U (F R) D`.
     * Comments are ignored.
     */
    from?: string;
    /**
     * Number of skeletons to return, best first. Default: 1. With one step and `all`: all its
     * solutions of at most `max=` moves; without `max=`, the search continues until `timeout`.
     */
    count?: number | 'all';
    /**
     * Maximum search time in seconds; the search ends earlier once everything is searched.
     * Default: 10. `null`: no limit.
     */
    timeout?: number | null;
}

export interface FmcOptions extends FmcRequest {
    /**
     * Called for each skeleton that is shorter than all earlier ones. An exception that it throws
     * stops the search and rejects the promise.
     */
    onEvent?: (event: { event: 'skeleton' } & Skeleton) => void;
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

/** A sequence of moves through all steps. */
export interface Skeleton {
    /** Number of moves of the skeleton, or of the solution if the skeleton solves the cube. */
    length: number;
    /**
     * For each step: the reduction that it reaches (`eo:FB`, `dr:UD`, `htr`, `finish`), its moves,
     * the number of moves up to its end (`length` after the last step), and the bad pieces of the
     * next reduction: `dr:UD 4c2e` means four corners and two edges.
     */
    steps: { step: string; moves: string; total: number; bad_pieces?: string }[];
    /** All moves, with those on the inverse in parentheses. */
    moves: string;
    /** The solution, if the cube is solved. */
    solution: string | null;
}

/** The status of an attempt. */
export interface AttemptStatus {
    /** The position after the moves done before the search. */
    facelets: string;
    /**
     * The furthest reductions reached, out of `eo:FB`, `dr:UD`, `htr` and `finish`; `dr:UD`
     * includes `eo:FB`.
     */
    reductions: string[];
    /** The bad pieces of each step along each axis: their numbers, and their facelets, 0 to 53. */
    bad_pieces: { step: string; corners: number; edges: number; facelets: number[] }[];
}

/** The result of a search for fewest moves. */
export interface FmcAnswer {
    input: string;
    facelets: string;
    steps: string;
    from: string;
    status: AttemptStatus;
    /** Sorted by length. */
    skeletons: Skeleton[];
    /**
     * Number of solutions of the first step, and of steps that follow an already solved first
     * step, by number of moves from 0 on. They include all solutions with the sides and triggers
     * of the step that use the moves that preserve `from_reduction`, or any moves.
     */
    step_counts: { step: string; from_reduction: string | null; counts: number[] }[];
    /**
     * `true` if no skeleton of these steps, with their options, is shorter, unless it undoes more
     * than the last turns of `from`. The first step may use all moves; every other step preserves
     * the reductions before it. `false` if the search was stopped, or if `limits` leave no
     * skeleton.
     */
    optimal: boolean;
    /**
     * Steps whose `max=` or `n=` may have excluded a skeleton that is as short as these; `optimal`
     * refers to the search within these limits.
     */
    limits: string[];
    stop_reason: 'timeout' | 'interrupt' | 'memory' | null;
    /** Number of lists of step solutions that were computed. */
    tasks: number;
    seconds: number;
}

/** The best insertions that finish a skeleton. */
export interface InsertionsResult {
    input: string;
    /** Moves of the skeleton on the scramble. */
    skeleton: string;
    /** The remaining case: `three corners`, `three edges` or `two swaps`. */
    case: string;
    /** Number of insertions of shortest sequences. */
    count: number;
    /**
     * The best insertions, sorted by the length of the solution. No insertion of a shortest
     * sequence is shorter; longer sequences, which may cancel more moves, are not searched.
     * `index` is the number of skeleton moves before the `moves`; `cancellations` is the number of
     * moves saved.
     */
    insertions: { length: number; index: number; moves: string; cancellations: number; solution: string }[];
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
    readonly engine: 'native' | 'wasm';
    /** Name of the table; without a table, this and the metric are empty. */
    readonly table: string;
    readonly metric: 'htm' | 'qtm' | '';
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
    solveAll(position: string, options?: Omit<SolveOptions, 'count' | 'prefer'>): Promise<Answer>;
    /** Finds skeletons of fewest moves, step by step, on a scramble and on its inverse. */
    fmc(position: string, options?: FmcOptions): Promise<FmcAnswer>;
    /**
     * Finds the best insertions of a shortest sequence that finishes a skeleton with three
     * corners, three edges or two swaps left. Requires a table in htm. In WebAssembly without
     * shared memory, only `close()` stops it.
     */
    insertions(position: string, options: { from: string; count?: number | 'all'; signal?: AbortSignal }): Promise<InsertionsResult>;
    /** Parses the text of a position, without solving it. */
    check(position: string, options?: Pick<Request, 'niss' | 'format' | 'face_order'>): Promise<Check>;
    /**
     * Closes the engine and rejects pending calls. The memory of WebAssembly is freed when
     * JavaScript collects garbage.
     */
    close(): void;
}

/** The result of parsing a position, with the names of the HTTP API. */
export type Check =
    | {
          ok: true;
          /** Name of the position, if the text includes one, e.g. `T-perm: R U R' …`. */
          name?: string;
          format: string;
          facelets: string;
          /** Moves that produce the position from the solved cube. */
          setup: string;
          /** The rotation of the whole cube in the text, if there is one. */
          rotation?: string;
          /** An alternative reading of the text, if there is one. */
          hint?: string;
          /** Number of the 48 symmetries that fix the position. */
          symmetries: number;
          /** `true` if the permutation of its corners is odd. */
          odd: boolean;
          /** Facelets of the representative of the symmetry class. */
          representative: string;
          blank: 0;
          marks: [];
      }
    | {
          ok: false;
          format: string;
          /** Facelets of a painted cube, with a dot for each unpainted one. */
          facelets?: string;
          error: string;
          help: string;
          /** Byte range of the error in the text. */
          span: [number, number];
          /** Number of unpainted facelets, if the centers are painted. */
          blank: number;
          /**
           * The impossible pieces of a painted cube: the indices of their facelets, 0 to 53, and
           * the error of each.
           */
          marks: { facelet_indices: number[]; error: string; help: string }[];
      };

/** Options of the scrambles of a case, as in the HTTP API. Unknown names are rejected. */
export interface ScrambleOptions {
    /** Number of scrambles, 1 to 100. Default: 1. */
    count?: number;
    /** Minimum number of moves. The default, 21, is also the smallest value in effect. */
    min_length?: number;
    /**
     * Adds a random turn of U, or none, before the solution of the case, which is then seen from a
     * random angle.
     */
    pre_auf?: boolean;
    /** Adds a random turn of U, or none, after the solution of the case. */
    post_auf?: boolean;
    /**
     * Random seed, up to `Number.MAX_SAFE_INTEGER`. A seed gives the same scrambles on every
     * machine.
     */
    seed?: number;
}

/** Scrambles of a case. */
export interface ScrambleList {
    /** The 54 facelets of the case. */
    facelets: string;
    /** An alternative reading of the text of the case, if there is one. */
    hint?: string;
    /** If A solves the case, then `pre_auf` A `post_auf` solves the cube after `moves`. */
    scrambles: { moves: string; pre_auf?: string; post_auf?: string }[];
}

/**
 * Parses positions in a separate worker, without a table, so that it responds at once even while a
 * solver works.
 */
export class Reader {
    private constructor();
    static open(): Promise<Reader>;
    check(position: string, options?: Pick<Request, 'niss' | 'format' | 'face_order'>): Promise<Check>;
    /** Draws a uniformly random position. */
    random(): Promise<{ facelets: string; scramble: string }>;
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
export function storedTables(): Promise<Record<string, 'ready' | 'partial'>>;
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
