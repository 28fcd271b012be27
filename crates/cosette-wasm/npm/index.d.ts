/** An error of the solver. Its message says how to fix it, where something can be done. */
export class CosetteError extends Error {
    /**
     * What it is about: the position; the table (its name, or another file in its place); too little memory; the number of threads; a solver that is closed;
     * another option (`request`); or the engine itself, such as a browser without SIMD, or a native engine that is not there.
     */
    readonly kind: 'position' | 'table' | 'memory' | 'threads' | 'closed' | 'request' | 'engine';
}

/** How far a table is loaded or generated. The native engine loads a table that it has generated. */
export interface TableProgress {
    event: 'loading' | 'generating';
    /** Bytes while it is loaded; classes of corner paintings, each as much work as any other, while it is generated. */
    done: number;
    total: number;
}

/** What happens during a search, as the HTTP API and `cosette solve --events` tell it. */
export type SearchEvent =
    /** A solution that is shorter than all before. Of a goal, each that is found: also equally long ones, and with `slack` longer ones. */
    | { event: 'solution'; moves: string; length: number }
    /** This length is searched now. All shorter ones are ruled out, but for a goal with `slack`, where their solutions are found already. */
    | { event: 'threshold-started'; length: number }
    /**
     * How many parts of this length are searched, and how many seconds the rest of it, and all of the proof, will take, if that is known.
     * In WebAssembly without shared memory, that of the proof is not.
     */
    | { event: 'progress'; length: number; done: number; total: number; seconds_left?: number; proof_seconds_left?: number }
    /** The search of this length has ended. */
    | ({ event: 'threshold-done' } & Threshold)
    /** The tables of a goal are being built for the first search that needs them. `seconds_left` is an estimate, missing at the beginning. */
    | { event: 'preparing'; doing: string; percent: number; seconds_left?: number };

/** The search of a length. */
export interface Threshold {
    length: number;
    nodes: number;
    probes: number;
    seconds: number;
    /** Whether all of it was searched. */
    exhausted: boolean;
}

export interface OpenOptions {
    /** The name of a table, such as `190M` (the default) or `qtm-375M`. `null`: none, for parts of the cube, other turns than those of faces, fewest moves, and, without `max_length`, positions of at most eight moves (ten quarter turns). */
    table?: string | null;
    /** What counts as one move, where the name of the table does not say: any turn of a face, or a quarter turn. */
    metric?: 'htm' | 'qtm';
    /**
     * How many threads; by default as many as the machine runs at once. In WebAssembly 1 to 64 where workers can share memory, else
     * one.
     */
    threads?: number;
    /** `false`: one thread, as on pages that are not isolated. By default memory is shared where it can be. */
    sharedMemory?: boolean;
    /**
     * Node: the folder of the tables, by default that of the native program (`$COSETTE_TABLES`, else `cosette` in the user's
     * cache). `null`, also in a browser: tables are not kept.
     */
    folder?: string | null;
    /**
     * What computes. By default the native engine in Node, where the package has one for this machine, else WebAssembly. `native`
     * is refused where there is none.
     */
    engine?: 'native' | 'wasm';
    onProgress?: (progress: TableProgress) => void;
    /** Stops it within a fraction of a second, and rejects the promise; what was generated is kept. */
    signal?: AbortSignal;
}

/** What is asked of a position, and within which limits, as in the HTTP API. Other names are refused. */
export interface Request {
    /** How many of the shortest solutions to find; by default one. */
    count?: number | 'all';
    /** Finds all shortest solutions, and keeps one that is shortest in this metric too. */
    prefer?: 'htm' | 'qtm' | null;
    /** Finds all shortest solutions, and says what is special about the position and about them. */
    explain?: boolean;
    /** Gives up once every length up to this one is ruled out. A solution that is known and one move longer is then proven. */
    max_length?: number | null;
    /** Gives up after this many seconds of searching: the answer says what was proven by then. */
    timeout?: number | null;
    /** The format of the position; recognised if it is left out. */
    format?: 'moves' | 'facelets' | 'reid' | 'speffz' | null;
    /** The order in which the faces of 54 facelets are given, such as `ULFRBD`; by default `URFDLB`. */
    face_order?: string | null;
    /** Moves in parentheses are on the inverse (NISS). */
    niss?: boolean;
    /** That of the solver's table; any without one. `stm`, `qstm` and `etm` count the turns to a goal, whatever the table. */
    metric?: 'htm' | 'qtm' | 'stm' | 'qstm' | 'etm';
    /** The goal: a part of the cube such as `cross:D` or `UF UR DFR`, or another position; by default the solved cube. */
    to?: string | null;
    /** The turns that are allowed, such as `R U F2 r M`. */
    moves?: string | null;
    /** What turns cost, where not as the metric counts them, such as `R2=2 B=3`. */
    cost?: string | null;
    /** Solutions may cost so much more than the shortest ones. */
    slack?: number;
    /** What solutions begin and end with. */
    starts?: string | null;
    ends?: string | null;
    /** Sequences that are in none of them, separated by commas, such as `F2, R L`. */
    avoid?: string | null;
    /** Of solutions that are the same up to this, one is kept. */
    up_to?: 'symmetry' | 'inverse' | 'symmetry,inverse' | null;
}

export interface SolveOptions extends Request {
    /** Hears what happens. What it throws stops the search, and rejects the promise. */
    onEvent?: (event: SearchEvent) => void;
    /** Stops the search within a fraction of a second, and rejects the promise. In WebAssembly without shared memory, the search for a goal ends first, by itself or with its `timeout`. */
    signal?: AbortSignal;
    /** Stops it as `timeout` does: the answer says what was proven by then. Without shared memory, the search for a goal goes on in WebAssembly. */
    stopSignal?: AbortSignal;
    /** Searches without the two-phase search and without the inverse of the given moves: for measurements. */
    plain?: boolean;
}

/** What has been proven, in the words of the HTTP API and of `cosette solve --json`. */
export interface Answer {
    /** The text of the position, without its name. */
    input: string;
    /** The name of the position, where its text has one, as in `T-perm: R U R' …`. */
    name?: string;
    format: string;
    facelets: string;
    metric: 'htm' | 'qtm' | 'stm' | 'qstm' | 'etm';
    /** The goal, if one was asked for. */
    to?: string;
    /** For goals: the turns that were allowed, the length of each solution, and the place where it meets the goal. */
    turns?: string;
    lengths?: number[];
    places?: string[];
    /** Why the turns do not lead to the goal, if they do not; then there is no solution, and the bounds say nothing. */
    unreachable?: string;
    /** Whether `length` is proven to be the shortest. */
    optimal: boolean;
    /** The length of the shortest solutions, if it is known. */
    length: number | null;
    /** No solution is shorter. */
    lower_bound: number;
    /** No shortest solution is longer; 255 if nothing is known. */
    upper_bound: number;
    /** Shortest solutions, as many as were asked for, each checked by applying it to the position. */
    solutions: string[];
    /** The number of `solutions`. */
    solution_count: number;
    /** With `prefer`: how many shortest solutions there are. */
    preferred_among?: number;
    /** Whether these are all the solutions asked for, proven shortest. */
    complete: boolean;
    /** Why the search ended early, if it did. */
    stopped: 'max-length' | 'timeout' | 'interrupt' | null;
    /** A solution that is not proven shortest, if no proven one is known. */
    best_known: string | null;
    /** How many of the 48 symmetries fix the position. */
    symmetries: number;
    /** Nodes expanded, and accesses to the table. */
    nodes: number;
    probes: number;
    seconds: number;
    table: string;
    engine: string;
    /** The search of each length. */
    thresholds: Threshold[];
    /** What is special about the position, and about its solutions if all are known. */
    explanation?: Explanation;
}

/** What is special about a position. */
export interface Explanation {
    /** How many of the 24 rotations of the whole cube, and of the 24 mirrored symmetries, fix the position. */
    rotations: number;
    mirrors: number;
    /** How many of the 48 symmetries map it to its inverse. */
    inverting: number;
    /** How many times it has to be repeated to return to solved. */
    order: number;
    /** Whether its permutation of the corners is odd. */
    is_odd: boolean;
    /** What all its shortest solutions have in common, if all are known. */
    solutions: { count: number; first_moves: string[]; last_moves: string[] } | null;
}

/** What is asked of a scramble in fewest moves, and within which limits, as in the HTTP API. Other names are refused. */
export interface FewestRequest {
    /** The steps; by default `eo[max=5] > dr > htr > finish`. Options are `max=`, `n=`, `niss=` and, of `dr`, `triggers=R,RU2R`. */
    steps?: string;
    /** Moves that have been done, with those on the inverse in round brackets, as in `U (F R) D`; comments are left out. */
    from?: string;
    /** How many skeletons are kept, the best ones; by default one. With one step and `all`, all ways to it of at most `max=` moves; without `max=` it goes on until `timeout`. */
    count?: number | 'all';
    /** Searches for so many seconds, unless all is tried before; by default 10, with `null` without a limit. */
    timeout?: number | null;
}

export interface FewestOptions extends FewestRequest {
    /** Hears of each skeleton that is shorter than all before. What it throws stops the search, and rejects the promise. */
    onEvent?: (event: { event: 'skeleton' } & Skeleton) => void;
    /** Rejects the promise once the search has stopped: at once, but in WebAssembly without shared memory at the end of its time. */
    signal?: AbortSignal;
    /** Stops it as `timeout` does, where workers can share memory: the answer says what was found by then. */
    stopSignal?: AbortSignal;
}

/** Moves through all steps. */
export interface Skeleton {
    /** How many moves these are; if they solve the cube, of the solution. */
    length: number;
    /** What each step reaches (`eo:FB`, `dr:UD`, `htr`, `finish`), its moves, how many moves there are by then (after the last step, as `length`), and what is in the way of the reduction after it: `dr:UD 4c2e` are four corners and two edges. */
    steps: { step: string; moves: string; total: number; left?: string }[];
    /** All moves, with those on the inverse in brackets. */
    moves: string;
    /** The solution, if the cube is solved. */
    solution: string | null;
}

/** Where an attempt is. */
export interface Here {
    /** The position after what has been done. */
    facelets: string;
    /** What it has reached, only the furthest, as no `eo:FB` beside `dr:UD`: `eo:FB`, `dr:UD`, `htr`, `finish`. */
    reached: string[];
    /** The pieces that are in the way of each step, along each axis: how many, and their facelets, 0 to 53. */
    bad: { step: string; corners: number; edges: number; facelets: number[] }[];
}

/** What was found in fewest moves. */
export interface FewestAnswer {
    input: string;
    facelets: string;
    steps: string;
    from: string;
    here: Here;
    /** By their length. */
    skeletons: Skeleton[];
    /**
     * Number of ways to the first step, and to those that follow a first step which holds already, by number of moves from none on: all that there
     * are with the sides and triggers of the step and the turns that keep `after`, or any turns.
     */
    ways: { step: string; after: string | null; counts: number[] }[];
    /**
     * Whether no skeleton of these steps, with their options, is shorter, unless it undoes more than the last turns of `from`. The first step may use
     * all turns, any other keeps what those before it have reached. False if the search was stopped, and if `limits` leave no skeleton.
     */
    proven: boolean;
    /** The steps whose `max=` or `n=` may have excluded a skeleton that is as short as these: `proven` is within these limits. */
    limits: string[];
    stopped: 'timeout' | 'interrupt' | 'memory' | null;
    /** How many lists of ways were made. */
    tasks: number;
    seconds: number;
}

/** The best places for what finishes a skeleton. */
export interface Inserted {
    input: string;
    /** The moves of the skeleton on the scramble. */
    skeleton: string;
    /** What it leaves: `three corners`, `three edges` or `two swaps`. */
    left: string;
    /** How many insertions of shortest sequences there are. */
    count: number;
    /**
     * The best of them, by the length of the solution: none of a shortest sequence is shorter. Longer sequences, of which more may be saved, are not
     * tried. `place` moves of the skeleton come before the `moves`, `cancelled` are saved where they meet.
     */
    insertions: { length: number; place: number; moves: string; cancelled: number; solution: string }[];
}

/** An optimal solver with a table in memory. */
export class Solver {
    private constructor();
    /**
     * Loads a table, or generates it. Rejects with the reason of `signal`, or a `CosetteError`. Where storage is refused or full, the
     * table is in memory only (`isStored`).
     */
    static open(options?: OpenOptions): Promise<Solver>;
    /** What computes. */
    readonly engine: 'native' | 'wasm';
    /** Empty without a table, as is its metric. */
    readonly table: string;
    readonly metric: 'htm' | 'qtm' | '';
    readonly threads: number;
    /** Whether the table is kept, and will not be generated again. */
    readonly isStored: boolean;
    /**
     * A shortest solution, proven, of a position in any format: moves, facelets, Reid's pieces, Speffz cycles. Several calls are
     * answered one after the other.
     */
    solve(position: string, options?: SolveOptions): Promise<Answer>;
    /** All shortest solutions: `count: 'all'`. Those that differ only in the order of turns of opposite faces count once. */
    solveAll(position: string, options?: Omit<SolveOptions, 'count' | 'prefer'>): Promise<Answer>;
    /** Skeletons of fewest moves, step by step, on a scramble and on its inverse. */
    fewest(position: string, options?: FewestOptions): Promise<FewestAnswer>;
    /**
     * The best places for a shortest sequence that finishes a skeleton, which leaves three corners, three edges or two swaps. Needs a table in htm. In
     * WebAssembly without shared memory only `close()` stops it.
     */
    insertions(position: string, options: { from: string; count?: number | 'all'; signal?: AbortSignal }): Promise<Inserted>;
    /** What a text means, without solving it. */
    check(position: string, options?: Pick<Request, 'niss' | 'format' | 'face_order'>): Promise<Check>;
    /** Ends the engine. What is not answered yet is rejected. WebAssembly's memory is free once JavaScript collects garbage. */
    close(): void;
}

/** What a text means, in the words of the HTTP API. */
export type Check =
    | {
          ok: true;
          /** The name of the position, where the text has one, as in `T-perm: R U R' …`. */
          name?: string;
          format: string;
          facelets: string;
          /** Moves that lead from the solved cube to the position. */
          setup: string;
          /** The rotation of the whole cube in the text, if there is one. */
          rotation?: string;
          /** How the text may have been meant otherwise. */
          hint?: string;
          /** How many of the 48 symmetries fix it. */
          symmetries: number;
          /** Whether its permutation of the corners is odd. */
          odd: boolean;
          /** The facelets of the representative of its symmetry class. */
          representative: string;
          blank: 0;
          marks: [];
      }
    | {
          ok: false;
          format: string;
          /** The facelets of a painted cube; a dot for each that is not painted. */
          facelets?: string;
          error: string;
          help: string;
          /** The bytes of the text that are wrong. */
          span: [number, number];
          /** How many facelets are not painted, of a cube whose centres are. */
          blank: number;
          /** The impossible pieces of a painted cube: their facelets, 0 to 53, and what is wrong with each. */
          marks: { places: number[]; error: string; help: string }[];
      };

/** Options of the scrambles of a case, as in the HTTP API. Other names are refused. */
export interface ScrambleOptions {
    /** The number of scrambles, 1 to 100; by default one. */
    count?: number;
    /** The least number of moves; by default 21, and none has fewer. */
    min_length?: number;
    /** A random turn of U, or none, comes before the solution of the case, which is then seen from a random angle. */
    pre_auf?: boolean;
    /** A random turn of U, or none, comes after the solution of the case. */
    post_auf?: boolean;
    /** The random seed, up to `Number.MAX_SAFE_INTEGER`; the same one gives the same scrambles on every machine. */
    seed?: number;
}

/** Scrambles of a case. */
export interface ScrambleList {
    /** The 54 facelets of the case. */
    facelets: string;
    /** Another reading of the text of the case. */
    hint?: string;
    /** If A solves the case, then `pre_auf` A `post_auf` solves the cube after `moves`. */
    scrambles: { moves: string; pre_auf?: string; post_auf?: string }[];
}

/** Reads positions in a worker of its own, without a table: at once, whatever a solver is doing. */
export class Reader {
    private constructor();
    static open(): Promise<Reader>;
    check(position: string, options?: Pick<Request, 'niss' | 'format' | 'face_order'>): Promise<Check>;
    /** A random position, all equally likely. */
    random(): Promise<{ facelets: string; scramble: string }>;
    /** Different scrambles that lead to one position, in any format. For the case that an algorithm ALG solves, write `(ALG)'`. */
    scrambles(position: string, options?: ScrambleOptions): Promise<ScrambleList>;
    close(): void;
}

/** Browsers: the tables that are kept for this origin, by their names, such as `htm-190M`; fails where storage is refused. */
export function storedTables(): Promise<Record<string, 'ready' | 'partial'>>;
/** Browsers: removes a table, such as `htm-190M`; fails if that is no name of a table, and while it is being loaded or generated. A solver that has it open goes on. */
export function removeTable(table: string): Promise<void>;

/** The sizes of tables that fit in WebAssembly, and how many bytes they take in memory. The native engine has `3G`, `6G` and `12G` too. */
export const TABLES: Readonly<Record<string, number>>;
/** Whether WebAssembly has SIMD here, without which nothing works. */
export function hasSimd(): boolean;
/** Whether workers can share memory here, so that more than one thread works. */
export function hasThreads(): boolean;
export const isNode: boolean;
