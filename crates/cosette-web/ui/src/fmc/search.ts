// Searches at a step, and their results.

import { engine } from "#engine";
import { signal, type ReadonlySignal } from "@preact/signals";
import type { SearchControl } from "../engine/engine";
import { capital, count, plural, time, waitingFor } from "../format";
import type {
  ApiError,
  AttemptStatus,
  QueueEvent,
  FmcAnswer,
  InsertionsResult,
  Skeleton,
} from "../protocol";
import { after, details, headline, nothingKnown } from "../solve/bounds";
import { movesOf } from "../solve/notation";
import { DEFAULTS } from "../solve/option-values";
import type { StepResult } from "./attempt";
import { known, lengthOf } from "./moves";
import type { SearchResult } from "./results";
import { KINDS, keeping, nameOf, type StepKind } from "./steps";

/** Text shown before anything is known. */
const SEARCHING = "Searching …";

/** The state of a search, as it becomes known. */
interface SearchState {
  results: SearchResult[];
  /** The results, and how they were found. */
  claim: string;
  details: string;
  /** Text shown before anything is known. */
  doing: string;
  error: ApiError | undefined;
  isRunning: boolean;
  /** Progress in percent, if known. */
  percent: number | null;
  /**
   * For a list of step solutions: the query, and the number of moves up to which the list is
   * complete.
   */
  query?: StepQuery;
  maxMoves?: number;
}

/** A search, running or ended. */
export interface Search {
  state: ReadonlySignal<SearchState>;
  /** Stops the search, which then returns its results. */
  stop: () => void;
  /** Forgets the search. */
  forget: () => void;
}

/** Reports what has become known. */
type Tell = (known: Partial<SearchState>) => void;

/** Begins a search, of which this is known. */
function begin(
  ask: (tell: Tell, control: SearchControl) => Promise<void>,
  known?: Partial<SearchState>,
): Search {
  const abort = new AbortController();
  const stopping = new AbortController();
  const state = signal<SearchState>({
    results: [],
    claim: "",
    details: "",
    doing: SEARCHING,
    error: undefined,
    isRunning: true,
    percent: null,
    ...known,
  });
  const tell: Tell = (known) => (state.value = { ...state.value, ...known });
  void ask(tell, { signal: abort.signal, stopSignal: stopping.signal })
    .catch((error: unknown) => tell({ error: engine.errorOf(error) }))
    // A rejection after the search was stopped, such as a table that was not ready, is not shown.
    .then(() =>
      tell({
        isRunning: false,
        percent: null,
        ...(stopping.signal.aborted && { error: undefined }),
      }),
    );
  return { state, stop: () => stopping.abort(), forget: () => abort.abort() };
}

/** Describes the results of a search, or its progress. */
export function said({ error, claim, isRunning, doing }: SearchState): string {
  if (error) return "";
  return claim || (isRunning ? doing : "Stopped");
}

/** Returns what an event before a search, or instead of it, makes known. */
function heard(event: QueueEvent): Partial<SearchState> {
  if (event.event === "refused") return { error: event };
  if (event.event === "preparing") return { doing: capital(event.doing), percent: event.percent };
  return { doing: waitingFor(event.ahead) || SEARCHING };
}

/**
 * A search for the solutions of a step with at most `maxMoves` moves, or with the minimum number
 * of moves.
 */
export interface StepQuery {
  kind: StepKind;
  axis: string;
  maxMoves: number | "fewest";
  niss: string;
}

/** Maximum number of moves of a step that can be searched. */
export const MAX_MOVES = 15;

/**
 * A scramble, the moves done on it, and the position after them; the reductions reached are
 * preserved.
 */
export interface Start {
  position: string;
  from: string;
  status: AttemptStatus;
}

/** All solutions of a step. */
export function findStepSolutions({ position, from, status }: Start, query: StepQuery): Search {
  const { kind, axis, maxMoves, niss } = query;
  const ask = async (tell: Tell, control: SearchControl): Promise<void> => {
    let isDone = false;
    let complete = -1;
    for (
      let length = maxMoves === "fewest" ? 0 : maxMoves;
      !isDone && !control.stopSignal.aborted;
      length += 1
    ) {
      // For finishes, one is enough unless more are requested.
      const options = [
        `max=${length}`,
        kind === "finish" ? `n=${MAX_LISTED}` : `niss=${niss}`,
      ].join(", ");
      const steps = `${keeping(status, kind)}${kind}${axis && `:${axis}`}[${options}]`;
      isDone = true;
      await engine.fmc(
        { position, from, steps, count: "all", timeout: MAX_LIST_SECONDS },
        control,
        (event) => {
          if (event.event === "answer") {
            isDone =
              maxMoves !== "fewest" ||
              event.skeletons.length > 0 ||
              event.stop_reason !== null ||
              length >= MAX_MOVES;
            complete = Math.max(complete, completeUpTo(event, kind, length));
            tell(listOf(event, query, complete));
          } else if (event.event !== "skeleton") tell(heard(event));
        },
      );
    }
  };
  return begin(ask, { query });
}

/**
 * Returns the number of moves up to which a list is complete: a stopped one includes all solutions
 * of the lengths that it counts. Returns -1 if it includes none.
 */
function completeUpTo(answer: FmcAnswer, kind: StepKind, length: number): number {
  const lengths = countsAt(answer, kind).map(({ counts }) => counts.length - 1);
  if (answer.stop_reason === null) return length;
  return lengths.length > 0 ? Math.min(...lengths) : -1;
}

const countsAt = ({ step_counts }: FmcAnswer, kind: StepKind): FmcAnswer["step_counts"] =>
  step_counts.filter(({ step }) => step.startsWith(kind));

/** The list of the solutions of up to `complete` moves, and what is claimed about it. */
function listOf(answer: FmcAnswer, query: StepQuery, complete: number): Partial<SearchState> {
  const skeletons = answer.skeletons.filter((skeleton) => ownLength(skeleton) <= complete);
  const listing = [countsOf(skeletons), ...conditionsOf(countsAt(answer, query.kind), query)];
  const sentences = [
    ...(complete >= 0 ? listing : []),
    answer.stop_reason !== null && stoppedAfter(answer, complete),
  ];
  return {
    results: skeletons.map(resultOf),
    claim: claimOf(skeletons, query, complete),
    details: sentences
      .filter(Boolean)
      .map((sentence) => `${sentence}.`)
      .join(" "),
    ...(complete >= 0 && { maxMoves: complete }),
  };
}

/** Duration, in seconds, after which a list is too long to be read. */
const MAX_LIST_SECONDS = 60;
/** Maximum number of solutions that the engine lists. */
const MAX_LISTED = 200_000;

/** Says how many solutions of up to `complete` moves a step has. */
function claimOf(skeletons: Skeleton[], { kind, axis }: StepQuery, complete: number): string {
  if (complete < 0) return "Stopped without a result";
  const { length } = skeletons;
  const isShortest = length > 0 && skeletons.every((each) => ownLength(each) === complete);
  const deed = kind === "finish" ? "finish" : `do ${nameOf(kind)}${axis && ` on ${axis}`}`;
  const goal = `to ${deed} in ${isShortest ? "" : "at most "}${plural(complete, "move")}`;
  if (length === 0) return `No way ${goal}, proven`;
  if (length === 1) return `The only way ${goal}`;
  return `${length < MAX_LISTED ? "" : "At least "}${plural(length, "way")} ${goal}`;
}

/** Returns the number of solutions by length, if there are several lengths. */
function countsOf(skeletons: Skeleton[]): string {
  const numbers: number[] = [];
  for (const length of skeletons.map(ownLength)) numbers[length] = (numbers[length] ?? 0) + 1;
  const counted = [...numbers.entries()].filter(([, number]) => number > 0);
  return counted.length < 2
    ? ""
    : counted
        .map(([length, number]) => `${count(number)} with ${plural(length, "move")}`)
        .join(", ");
}

/** Describes the conditions under which a list is complete, in sentences without a full stop. */
function conditionsOf(counts: FmcAnswer["step_counts"], { kind, niss }: StepQuery): string[] {
  const sides: Record<string, string> = {
    linear: "no NISS inside the step",
    none: "same side as the last step",
  };
  const kept = counts.map(({ from_reduction }) => nameOf(from_reduction ?? "")).filter(Boolean);
  const conditions = [
    kind === "finish" ? "" : (sides[niss] ?? ""),
    kept.length > 0 ? `${[...new Set(kept)].join(" or ")} kept` : "",
  ];
  return [
    capital(conditions.filter(Boolean).join("; ")),
    kind === "finish" ? "" : "A final quarter turn also means its inverse",
  ];
}

/** Describes the time limit of a stopped list, and its consequence. */
function stoppedAfter({ seconds }: FmcAnswer, complete: number): string {
  return `Stopped after ${time(seconds)}${complete < 0 ? "" : "; longer solutions were not searched"}`;
}

/** A search for skeletons of these steps, best first. */
export function findSkeletons(
  { position, from, status }: Start,
  typed: string,
  timeout: number,
): Search {
  const first = KINDS.find((kind) => typed.trimStart().toLowerCase().startsWith(kind));
  const kept = first ? keeping(status, first) : "";
  const steps = kept + typed;
  return begin(async (tell, control) => {
    let results: SearchResult[] = [];
    // Start of the search, if known.
    let begun: number | undefined = performance.now();
    const timer = setInterval(() => {
      if (begun !== undefined)
        tell({ percent: Math.min(100, (performance.now() - begun) / (10 * timeout)) });
    }, 250);
    const asked = engine.fmc(
      { position, from, steps, count: MAX_SKELETONS, timeout },
      control,
      (event) => {
        if (event.event === "skeleton") {
          begun ??= performance.now();
          results = [resultOf(event), ...results];
          tell({ results, doing: `${plural(event.length, "move")}; searching for fewer` });
        } else if (event.event === "answer") tell(bestOf(event, kept !== ""));
        else {
          begun = event.event === "queued" && event.ahead === 0 ? performance.now() : undefined;
          tell(heard(event));
        }
      },
    );
    await asked.finally(() => clearInterval(timer));
  });
}

/** The best skeletons, and what is claimed about them. */
function bestOf(answer: FmcAnswer, isKept: boolean): Partial<SearchState> {
  const { skeletons, optimal, stop_reason, seconds } = answer;
  const best = skeletons[0]?.length;
  const found = optimal ? "proven optimal for these steps" : `the best found in ${time(seconds)}`;
  const none =
    stop_reason === null
      ? "No skeleton within the limits of the steps"
      : `No skeleton found in ${time(seconds)}`;
  const shorter = best === undefined ? "" : "Shorter solutions may exist.";
  return {
    results: skeletons.map(resultOf),
    claim:
      best !== undefined
        ? `${plural(best, "move")}, ${found}`
        : optimal
          ? "No such skeleton exists, proven"
          : none,
    details: optimal ? extentOf(answer, isKept) : shorter,
  };
}

/** Describes the skeletons that a proof covers. */
function extentOf({ limits, from }: FmcAnswer, isKept: boolean): string {
  const extent = [
    isKept && "preserve the current reductions",
    limits.length > 0 && `stay within the limits of ${limits.join(" and ")}`,
    from !== "" && "cancel only with the last moves entered",
  ].filter(Boolean);
  return extent.length > 0 ? `Proven for skeletons that ${extent.join(" and ")}.` : "";
}

/** Number of skeletons listed. */
const MAX_SKELETONS = 10;

/** Number of moves of the step solution itself. */
function ownLength(skeleton: Skeleton): number {
  return lengthOf(known(stepsOf(skeleton)[0]!.moves));
}

/** Returns the steps of a skeleton, without initial steps that were already solved. */
function stepsOf({ steps }: Skeleton): Skeleton["steps"] {
  const first = steps.findIndex(({ moves }) => moves !== "");
  return steps.slice(first < 0 ? -1 : first);
}

function resultOf(skeleton: Skeleton): SearchResult {
  const { length } = skeleton;
  const steps = stepsOf(skeleton);
  const results: StepResult[] = [];
  for (const { step, moves } of steps) {
    const last = results.at(-1);
    // A reduction reached without moves belongs to the step before.
    if (moves === "" && last) last.reduction = step;
    else if (moves !== "" || steps.length === 1) results.push({ moves, reduction: step });
  }
  const own = steps.length === 1 ? ownLength(skeleton) : length;
  return {
    steps: results,
    lengths: own === length ? String(length) : `${own}/${length}`,
    badPieces: (steps.length === 1 && steps[0]!.bad_pieces) || "",
  };
}

/** A search for the best insertions that finish these moves. */
export function findInsertions(position: string, from: string): Search {
  return begin(async (tell, control) => {
    await engine.insertions({ position, from, count: MAX_INSERTIONS }, control, (event) => {
      if (event.event !== "answer") return tell(heard(event));
      const best = event.insertions[0]?.length ?? 0;
      tell({
        results: insertionsOf(event),
        claim: `${plural(best, "move")}, the fewest with one insertion of an optimal algorithm for these pieces`,
        details: `${capital(event.case)} left; ${plural(event.count, "insertion")} of optimal algorithms tried`,
      });
    });
  });
}

/** Number of insertions listed. */
const MAX_INSERTIONS = 30;

function insertionsOf({ skeleton, insertions }: InsertionsResult): SearchResult[] {
  const moves = skeleton.split(" ");
  return insertions.map(({ length, index, moves: inserted, solution }) => {
    const shown = [...moves.slice(0, index), `[${inserted}]`, ...moves.slice(index)]
      .join(" ")
      .trim();
    return {
      steps: [{ moves: shown, reduction: "finish", solution }],
      lengths: String(length),
      badPieces: "",
    };
  });
}

/** A search for a proven optimal finish from a position; `onProven` is called with its length. */
export function findFinish(position: string, onProven: (length: number) => void): Search {
  return begin(async (tell, control) => {
    let bounds = nothingKnown(DEFAULTS);
    await engine.solve({ position, metric: "htm", count: 1 }, control, (event) => {
      if (event.event === "provenance") return;
      if (event.event === "queued" || event.event === "preparing" || event.event === "refused")
        tell(heard(event));
      else tell({ doing: SEARCHING });
      bounds = after(bounds, event);
      const isUnknown = bounds.waiting || (bounds.lower === 0 && bounds.upper === null);
      tell({
        claim: isUnknown ? "" : headline(bounds),
        details: details(bounds),
        percent: bounds.searched?.percent ?? bounds.waiting?.percent ?? null,
      });
      if (event.event !== "answer") return;
      const { length, best_known } = event;
      const solutions = length !== null ? event.solutions : [best_known ?? ""].filter(Boolean);
      const results = solutions.map((moves) => ({
        steps: [{ moves, reduction: "finish" }],
        lengths: String(movesOf(moves).length),
        badPieces: "",
      }));
      tell({ results });
      if (length !== null) onProven(length);
      else if (results.length > 0)
        tell({
          claim: `${headline(bounds)}; best known: ${plural(Number(results[0]!.lengths), "move")}, unproven`,
        });
    });
  });
}
