/**
 * The requests, answers and events of Cosette: of this package and of the HTTP API of `cosette-web`,
 * whose OpenAPI document has the same fields.
 */

/** A metric of face turns: of any angle (`htm`), or quarter turns (`qtm`). */
export type Metric = "htm" | "qtm";

/** A metric of the moves to a goal. */
export type TurnMetric = Metric | "stm" | "qstm" | "etm";

/** The options of a request, as in the HTTP API. Unknown names are rejected. */
export interface Request {
  /** Number of shortest solutions to find. Default: 1. */
  count?: number | "all" | undefined;
  /** Finds all shortest solutions and returns one that is also shortest in this metric. */
  prefer?: Metric | null | undefined;
  /**
   * Finds all shortest solutions and describes the special properties of the position and of its
   * solutions.
   */
  explain?: boolean | undefined;
  /**
   * Stops once all lengths up to this one are ruled out. A known solution that is one move
   * longer is then proven shortest.
   */
  max_length?: number | null | undefined;
  /** Stops after this many seconds of searching. The answer holds what was proven until then. */
  timeout?: number | null | undefined;
  /** Format of the position. Default: detected from the text. */
  format?: "moves" | "facelets" | "reid" | "speffz" | null | undefined;
  /** Order of the faces in 54 facelets, such as `ULFRBD`. Default: `URFDLB`. */
  face_order?: string | null | undefined;
  /** `true` if moves in parentheses are on the inverse (NISS). */
  niss?: boolean | undefined;
  /**
   * The metric. Default: that of the solver's table; a solver without a table accepts any.
   * `stm`, `qstm` and `etm` count the moves to a goal, with any table.
   */
  metric?: TurnMetric | undefined;
  /**
   * The goal, such as `cross:D`, `UF UR DFR`, or another position. Default: the solved cube.
   */
  goal?: string | null | undefined;
  /** The allowed moves, such as `R U F2 r M`. */
  moves?: string | null | undefined;
  /** Costs of individual moves, which override the metric, such as `R2=2 B=3`. */
  costs?: string | null | undefined;
  /** Maximum cost of a solution above the minimum. */
  slack?: number | undefined;
  /** Required prefix and suffix of solutions. */
  starts_with?: string | null | undefined;
  ends_with?: string | null | undefined;
  /** Forbidden sequences, separated by commas, such as `F2, R L`. */
  avoid?: string | null | undefined;
  /** Returns one solution of each equivalence class. */
  unique_up_to?: "symmetry" | "inverse" | "symmetry,inverse" | null | undefined;
}

/** An event of a search, as in the HTTP API and in `cosette solve --events`. */
export type SearchEvent =
  /**
   * A solution shorter than all earlier ones. For a goal, each solution found, including equally
   * long ones and, with `slack`, longer ones.
   */
  | { event: "solution"; moves: string; length: number }
  /**
   * The search of this length begins. All shorter lengths are ruled out, except for a goal with
   * `slack`, where their solutions have already been found.
   */
  | { event: "iteration-started"; length: number }
  /**
   * Number of work units of this length that are searched, and estimated seconds for the rest of
   * this length and for the entire proof, where known. In WebAssembly without shared memory, the
   * estimate for the proof is missing.
   */
  | {
      event: "progress";
      length: number;
      done: number;
      total: number;
      seconds_left?: number;
      proof_seconds_left?: number;
    }
  /** The search of this length ended. */
  | ({ event: "iteration-finished" } & Iteration)
  /**
   * The pattern databases of a goal are being built for the first search that needs them.
   * `seconds_left` is an estimate, missing at the beginning.
   */
  | { event: "building"; doing: string; percent: number; seconds_left?: number };

/** One iteration of the search: all sequences of one length. */
export interface Iteration {
  length: number;
  nodes: number;
  probes: number;
  seconds: number;
  /** `true` if all sequences of this length were searched. */
  exhausted: boolean;
}

/** The result of a solve, with the names of the HTTP API and of `cosette solve --json`. */
export interface Answer {
  /** The text of the position, without its name. */
  input: string;
  /** Name of the position, if its text includes one, e.g. `T-perm: R U R' …`. */
  name?: string;
  format: string;
  facelets: string;
  metric: TurnMetric;
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
  stop_reason: "max-length" | "timeout" | "interrupt" | null;
  /** The shortest known solution, if none is proven shortest. */
  best_known: string | null;
  /** Number of the 48 symmetries that fix the position. */
  symmetries: number;
  /** Nodes expanded, and table look-ups. */
  nodes: number;
  probes: number;
  seconds: number;
  /** The tables of the search, or `no table`. */
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
  steps?: string | undefined;
  /**
   * Moves done before the search, with those on the inverse in parentheses, e.g. `U (F R) D`.
   * Comments are ignored.
   */
  from?: string | undefined;
  /**
   * Number of skeletons to return, best first. Default: 1. With one step and `all`: all its
   * solutions of at most `max=` moves; without `max=`, the search continues until `timeout`.
   */
  count?: number | "all" | undefined;
  /**
   * Maximum search time in seconds; the search ends earlier once everything is searched.
   * Default: 10. `null`: no limit.
   */
  timeout?: number | null | undefined;
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
  stop_reason: "timeout" | "interrupt" | "memory" | null;
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
  insertions: {
    length: number;
    index: number;
    moves: string;
    cancellations: number;
    solution: string;
  }[];
}

/** The options of a request for a review, as in the HTTP API. Unknown names are rejected. */
export interface ReviewRequest {
  /** The metric. Default: that of the solver's table; in the HTTP API, `htm`. */
  metric?: Metric | undefined;
  /** Maximum time in seconds. Positions that are not proven within this time have bounds. */
  timeout?: number | null | undefined;
}

/** A position of a reviewed solution. */
export interface ReviewedPosition {
  /** The 54 facelets, with the cube held as after the moves. */
  facelets: string;
  /** The proven distance to solved. */
  distance: number | null;
  /** Proven bounds on the distance. */
  lower_bound: number;
  upper_bound: number;
  /** The shortest known solution of the position, as the cube is held. */
  continuation: string | null;
}

/** A move of a reviewed solution, with the position after it. */
export interface ReviewedMove extends ReviewedPosition {
  /** The move as it was written. */
  move: string;
  /** The index of its step; null in a solution on both sides. */
  step: number | null;
  /** Number of moves up to this one. */
  length: number;
  /**
   * The change of the distance: -1 if the move gained ground, 1 if it lost ground. A turn of a
   * slice, or a half turn in the quarter-turn metric, may gain or lose 2.
   */
  change: number | null;
}

/** A line of a reviewed solution. */
export interface ReviewedStep {
  /** The line number, counted from one. */
  line: number;
  /** The comment. */
  label: string | null;
  /** The moves; those on the inverse are in parentheses. */
  moves: string;
  length: number;
  /** The distances before and after the step. */
  before: number | null;
  after: number | null;
  /**
   * The goal that the step reached, such as `cross:D`, and the shortest way to it with any face
   * turns, proven; null if there is none to compare.
   */
  best: { goal: string; length: number; moves: string } | null;
}

/** The progress of a review, and the bounds of the position that has just been searched. */
export interface ReviewProgress {
  event: "progress";
  /** The number of positions that have been searched, and of all positions. */
  done: number;
  total: number;
  /**
   * Number of moves up to the position; null for one between the steps of a solution on both sides.
   */
  length: number | null;
  /** Proven bounds on its distance. */
  lower_bound: number;
  upper_bound: number;
}

/** The review of a solution. */
export interface Review {
  input: string;
  /** The turns of the solution, as they were read. */
  solution: string;
  metric: Metric;
  table: string;
  /**
   * `true` if moves in parentheses were read as moves on the inverse. Then `moves` are those of
   * the linearized solution.
   */
  niss: boolean;
  /** The position after the scramble. */
  start: ReviewedPosition;
  moves: ReviewedMove[];
  steps: ReviewedStep[];
  /** Number of moves, where a turn of a slice counts as two turns of faces. */
  length: number;
  is_solved: boolean;
  /** Number of moves that are known to have increased, or to have kept the distance. */
  lost: number;
  kept: number;
  /** Nodes expanded. */
  nodes: number;
  seconds: number;
  /** The reason why some distances are not proven, if so. */
  stop_reason: "timeout" | "interrupt" | null;
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
      /**
       * Range of the error in the text, as in `text.slice(...span)`: in UTF-16 code units; in the
       * HTTP API, in characters.
       */
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
  count?: number | undefined;
  /** Minimum number of moves. The default, 21, is also the smallest value in effect. */
  min_length?: number | undefined;
  /**
   * Adds a random turn of U, or none, before the solution of the case, which is then seen from a
   * random angle.
   */
  pre_auf?: boolean | undefined;
  /** Adds a random turn of U, or none, after the solution of the case. */
  post_auf?: boolean | undefined;
  /**
   * Random seed, up to `Number.MAX_SAFE_INTEGER`. A seed gives the same scrambles on every
   * machine.
   */
  seed?: number | undefined;
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

/** A random position. */
export interface ScrambledPosition {
  facelets: string;
  scramble: string;
}

/** The HTTP API: the error of a request, and how to fix it. */
export interface ApiError {
  error: string;
  help?: string;
  /** Range of the error in the text, in characters (code points). */
  span?: [number, number];
}

/** The HTTP API: events before a search begins, or instead of it. */
export type QueueEvent =
  /** The search is in the queue: always the first event. `DELETE /solves/{id}` stops it. */
  | { event: "queued"; id: number; ahead: number }
  /** The table of the search is being loaded, or generated. */
  | { event: "preparing"; doing: string; percent: number }
  /** The search failed. */
  | ({ event: "refused" } & ApiError);

/** The HTTP API: events while a position is solved. */
export type SolveEvent =
  | QueueEvent
  /** The search begins. */
  | { event: "started"; input: string; name?: string; facelets: string }
  | SearchEvent
  | ({ event: "answer" } & Answer);

/** The HTTP API: a line of a batch that is not a position. */
export interface SolveFailure extends ApiError {
  input: string;
  name?: string;
  line: number;
}

/** The HTTP API: events while a batch is solved. */
export type BatchEvent =
  | QueueEvent
  | ({ event: "answer"; line: number } & Answer)
  | ({ event: "failure" } & SolveFailure)
  /** A line takes long. All lengths below this one are ruled out for it. */
  | {
      event: "searching";
      line: number;
      length: number;
      done: number;
      total: number;
      seconds_left: number | null;
    }
  | {
      event: "progress";
      done: number;
      total: number;
      rate: number | null;
      seconds_left: number | null;
    }
  | { event: "end"; done: number; total: number; stopped: boolean };

/** The HTTP API: a pruning table. */
export interface Table {
  name: string;
  metric: Metric;
  bytes: number;
  state: "absent" | "partial" | "generating" | "ready" | "corrupted";
  percent: number | null;
  fault: string | null;
  /** The checksum of the entries, if the table is on disk: 16 hexadecimal digits. */
  checksum: string | null;
  in_use: boolean;
  /** `true` if the next search in its metric uses it, generated first if it is not on disk. */
  next: boolean;
  fits: boolean;
  generation_seconds: number | null;
  cube_seconds: number | null;
}

/** The HTTP API: the tables and their directory. */
export interface Tables {
  folder: string;
  /** `true` if the server was started with a specific table, which it always uses. */
  named: boolean;
  tables: Table[];
}

/** The HTTP API: events while a table is generated. */
export type GenerationEvent =
  | { event: "progress"; percent: number; seconds_left: number | null }
  | { event: "generated" }
  | { event: "stopped"; percent: number }
  | ({ event: "refused" } & ApiError);

/** The HTTP API: the address and the token for other machines; null unless they may use it. */
export interface Sharing {
  address: string | null;
  token: string | null;
}
