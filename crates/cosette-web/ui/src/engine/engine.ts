// What the page needs of an engine. There are two: the server of this page, and workers in the browser. A build has one of
// them, under the name `#engine`.

import { USUAL } from "../goals/turns";
import type { ApiError, FewestEvent, FewestRequest, GenerationEvent, InsertionsEvent, InsertionsRequest, PositionCheck, SolveEvent, SolveRequest, Table } from "../protocol";

/** How a search is ended early. */
export interface SearchControl {
  /** Forgets the search. */
  signal: AbortSignal;
  /** Stops the search, which then answers with what is proven. */
  stopSignal: AbortSignal;
  /** Nobody has asked for it. */
  isExample?: boolean;
}

/** What tables there are. */
export interface Tables {
  /** Where they are kept, in a sentence. */
  place: (Node | string)[];
  tables: Table[];
  /** Whether the server was started with a table, which it uses whatever else there is. */
  isNamed?: boolean;
}

/** Reads positions, solves them, and has tables. Its methods reject with what `errorOf` explains. */
export interface Engine {
  /** Which table a search uses, in a sentence. */
  readonly rule: string;
  /** The heading of where tables are kept. */
  readonly kept: string;
  /** Whether a text is a position; `niss`: moves in parentheses are on the inverse. */
  check(position: string, niss: boolean): Promise<PositionCheck>;
  /** What is wrong with what is asked beside a position; undefined if nothing is, or it is not known. */
  checkAsked(asked: Partial<SolveRequest>): Promise<ApiError | undefined>;
  /** Whether an example may be solved before anything is asked. */
  isExampleWanted(): Promise<boolean>;
  /** A random position. */
  random(): Promise<{ scramble: string }>;
  /** Solves a position and passes on each event up to the answer or the refusal. */
  solve(request: SolveRequest, control: SearchControl, onEvent: (event: SolveEvent) => void): Promise<void>;
  /** Finds steps of fewest moves, and passes on each event up to the answer or the refusal. */
  fewest(request: FewestRequest, control: SearchControl, onEvent: (event: FewestEvent) => void): Promise<void>;
  /** Finds the best insertions that finish a skeleton. */
  insertions(request: InsertionsRequest, control: SearchControl, onEvent: (event: InsertionsEvent) => void): Promise<void>;
  tables(): Promise<Tables>;
  /** Generates a table, or goes on with one, and passes on each event. */
  generate(name: string, onEvent: (event: GenerationEvent) => void): Promise<void>;
  /** Stops the generation of a table; what is generated is kept. */
  stopGenerating(name: string): Promise<void>;
  removeTable(name: string): Promise<void>;
  /** Uses a table from now on, where that is for the user to choose, and waits until it is ready or given up. */
  useTable?(name: string): Promise<void>;
  /** Calls this soon, and whenever a table begins or ends to be opened. */
  onTableChange?(listener: () => void): void;
  /** What to tell the user about an exception; undefined if the user aborted what was done. */
  errorOf(exception: unknown): ApiError | undefined;
}

/**
 * A request that is refused if something is wrong with what is asked, and else is answered at once: with turns that are named no table of
 * the whole cube is needed, and without time no other.
 */
export function questionAbout(asked: Partial<SolveRequest>): Partial<SolveRequest> & { position: string } {
  return { position: "R", moves: USUAL[asked.metric ?? "htm"], ...asked, timeout: 0 };
}
