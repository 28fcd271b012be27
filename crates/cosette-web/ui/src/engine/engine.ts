// The interface of an engine. There are two implementations: the server of this page, and workers
// in the browser. Each build has one of them, under the name `#engine`.

import { DEFAULT_TURNS } from "../goals/turns";
import type {
  ApiError,
  FmcEvent,
  FmcRequest,
  GenerationEvent,
  InsertionsEvent,
  InsertionsRequest,
  PositionCheck,
  ReviewEvent,
  ReviewRequest,
  ScrambledPosition,
  SolveEvent,
  SolveRequest,
  Table,
} from "../protocol";

/** The means to end a search early. */
export interface SearchControl {
  /** Forgets the search. */
  signal: AbortSignal;
  /** Stops the search, which then returns the bounds proven until then. */
  stopSignal: AbortSignal;
  /** `true` if the search was not requested by the user. */
  isExample?: boolean;
}

/** Answers a request, and passes on each event up to the answer or the error. */
type Search<Request, Event> = (
  request: Request,
  control: SearchControl,
  onEvent: (event: Event) => void,
) => Promise<void>;

/** The available tables. */
export interface Tables {
  /** The storage location, in a sentence, with code between back-ticks. */
  place: string;
  tables: Table[];
  /** `true` if the server was started with a specific table, which it always uses. */
  isNamed?: boolean;
}

/**
 * An engine: parses positions, solves them, and manages tables. Its methods reject with exceptions
 * that `errorOf` explains.
 */
export interface Engine {
  /** The rule that selects the table of a search, in a sentence. */
  readonly rule: string;
  /** Heading of the storage location of the tables. */
  readonly storageTitle: string;
  /** The error of a search that ends as if it were stopped, but was not stopped by the user. */
  readonly interrupted?: ApiError;
  /** Parses the text of a position; `niss`: moves in parentheses are on the inverse. */
  check(position: string, niss: boolean): Promise<PositionCheck>;
  /**
   * Returns the error in the options of a request; undefined if there is none, or it is not known.
   */
  checkRequest(asked: Partial<SolveRequest>): Promise<ApiError | undefined>;
  /** Returns `true` if an example may be solved before the user enters anything. */
  isExampleWanted(): Promise<boolean>;
  /** A random position. */
  random(): Promise<Pick<ScrambledPosition, "scramble">>;
  /** Solves a position. */
  solve: Search<SolveRequest, SolveEvent>;
  /** Finds fewest-moves steps. */
  fmc: Search<FmcRequest, FmcEvent>;
  /** Finds the best insertions that finish a skeleton. */
  insertions: Search<InsertionsRequest, InsertionsEvent>;
  /** Proves the distance to solved after each move of a solution. */
  review: Search<ReviewRequest, ReviewEvent>;
  tables(): Promise<Tables>;
  /** Generates a table, or resumes generating it, and passes on each event. */
  generate(name: string, onEvent: (event: GenerationEvent) => void): Promise<void>;
  /** Stops the generation of a table; the generated part is stored. */
  stopGenerating(name: string): Promise<void>;
  removeTable(name: string): Promise<void>;
  /**
   * Uses a table from now on, if the user can choose it, and waits until it is ready or abandoned.
   */
  useTable?(name: string): Promise<void>;
  /** Calls `listener` soon, and whenever opening a table begins or ends. */
  onTableChange?(listener: () => void): void;
  /** Returns the error to show for an exception; undefined if the user aborted the operation. */
  errorOf(exception: unknown): ApiError | undefined;
}

/**
 * A request that is rejected if its options are invalid, and is otherwise answered at once: with
 * explicit moves no table of the whole cube is needed, and with a zero timeout no other one.
 */
export function requestToCheck(
  asked: Partial<SolveRequest>,
): Partial<SolveRequest> & { position: string } {
  return { position: "R", moves: DEFAULT_TURNS[asked.metric ?? "htm"], ...asked, timeout: 0 };
}

/** Returns `true` if the browser requests reduced data usage. */
export function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData ?? false;
}
