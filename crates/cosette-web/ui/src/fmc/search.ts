// Searches at a step, and their results.

import { engine } from "#engine";
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
import { KINDS, counted, keeping, type StepKind } from "./steps";

/** A result of a search: steps to be added one after the other. */
export interface SearchResult {
  steps: StepResult[];
  /** Text before its moves: their number, and the number of moves up to their end. */
  lengths: string;
  /** The bad pieces of the next reduction, e.g. `dr:UD 4c2e`; empty if unknown. */
  badPieces: string;
}

/** Text shown before anything is known. */
const SEARCHING = "Searching …";

/** The state of a search. */
export class Search {
  results: SearchResult[] = [];
  /** The results, and how they were found. */
  claim = "";
  details = "";
  /** Text shown before anything is known. */
  doing = SEARCHING;
  error: ApiError | undefined;
  isRunning = true;
  /** Progress in percent, if known. */
  percent: number | null = null;
  /**
   * For a list of step solutions: the query, and the number of moves up to which the list is
   * complete.
   */
  query: StepQuery | undefined;
  maxMoves: number | undefined;
  /** Length of the shortest finish, once proven. */
  rest: number | null = null;
  private readonly abort = new AbortController();
  private readonly stopping = new AbortController();

  /** Begins the search; `changed` is called after each change. */
  constructor(
    ask: (search: Search, control: SearchControl) => Promise<void>,
    readonly changed: () => void,
  ) {
    void this.run(ask);
  }

  /** Describes the results, or the progress. */
  get said(): string {
    if (this.error) return "";
    return this.claim || (this.isRunning ? this.doing : "Stopped");
  }

  /** Stops the search, which then returns its results. */
  stop(): void {
    this.stopping.abort();
  }

  /** Forgets the search. */
  forget(): void {
    this.abort.abort();
  }

  /** Handles the events before a search, or instead of it. */
  hear(event: QueueEvent): void {
    if (event.event === "refused") this.error = event;
    else if (event.event === "preparing") {
      this.doing = capital(event.doing);
      this.percent = event.percent;
    } else this.doing = waitingFor(event.ahead) || SEARCHING;
  }

  private async run(ask: (search: Search, control: SearchControl) => Promise<void>): Promise<void> {
    try {
      await ask(this, { signal: this.abort.signal, stopSignal: this.stopping.signal });
    } catch (error) {
      this.error = engine.errorOf(error);
    }
    if (this.abort.signal.aborted) return;
    this.isRunning = false;
    this.percent = null;
    // A rejection after the search was stopped, such as a table that was not ready, is not shown.
    if (this.stopping.signal.aborted) this.error = undefined;
    this.changed();
  }
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
export function findStepSolutions(
  { position, from, status }: Start,
  query: StepQuery,
  onChange: () => void,
): Search {
  const { kind, axis, maxMoves, niss } = query;
  return new Search(async (search, control) => {
    search.query = query;
    let isDone = false;
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
            const isWhole = event.stop_reason === null;
            const counts = event.step_counts.filter(({ step }) => step.startsWith(kind));
            isDone =
              maxMoves !== "fewest" ||
              event.skeletons.length > 0 ||
              !isWhole ||
              length >= MAX_MOVES;
            // A stopped list includes all solutions of the lengths that it counts; those of earlier
            // rounds are known as well.
            const listed = isWhole
              ? length
              : Math.min(...counts.map(({ counts }) => counts.length - 1));
            const complete = Math.max(
              counts.length > 0 || isWhole ? listed : -1,
              search.maxMoves ?? -1,
            );
            if (complete >= 0) search.maxMoves = complete;
            const skeletons = event.skeletons.filter((skeleton) => ownLength(skeleton) <= complete);
            search.results = skeletons.map(resultOf);
            search.claim = claimOf(skeletons, query, complete);
            const listing =
              complete >= 0 &&
              [countsOf(skeletons), ...conditionsOf(counts, query)].filter(Boolean).join("; ");
            search.details = [listing, !isWhole && stoppedAfter(event, complete)]
              .filter(Boolean)
              .join(". ");
          } else if (event.event !== "skeleton") search.hear(event);
          search.changed();
        },
      );
    }
  }, onChange);
}

/** Duration, in seconds, after which a list is too long to be read. */
const MAX_LIST_SECONDS = 60;
/** Maximum number of solutions that the engine lists. */
const MAX_LISTED = 200_000;

/** Describes the proof of a list: the number of solutions of up to `complete` moves. */
function claimOf({ length }: Skeleton[], { kind, axis }: StepQuery, complete: number): string {
  if (complete < 0) return "Stopped without a result";
  const where = axis && ` on ${axis}`;
  const atMost = `of at most ${plural(complete, "move")}`;
  if (length === 0) return `No ${counted(1, kind).slice(2)}${where} ${atMost}, proven`;
  const which =
    length === 1 ? "The only" : length === 2 ? "Both" : length < MAX_LISTED ? "All" : "At least";
  return `${which} ${counted(length, kind).replace(/^[12] /, "")}${where} ${atMost}`;
}

/** The number of solutions by length. */
function countsOf(skeletons: Skeleton[]): string {
  const numbers: number[] = [];
  for (const length of skeletons.map(ownLength)) numbers[length] = (numbers[length] ?? 0) + 1;
  return [...numbers.entries()]
    .filter(([, number]) => number > 0)
    .map(([length, number]) => `${count(number)} with ${plural(length, "move")}`)
    .join(", ");
}

/** Describes the conditions under which a list is complete. */
function conditionsOf(counts: FmcAnswer["step_counts"], { kind, niss }: StepQuery): string[] {
  const sides =
    kind === "finish"
      ? ""
      : ({ linear: "all moves on one side", none: "all moves on the side of the previous step" }[
          niss
        ] ?? "");
  const kept = [...new Set(counts.map(({ from_reduction }) => from_reduction).filter(Boolean))];
  const last =
    kind === "finish" ? "" : "a final quarter turn represents both directions: L for L and L'";
  return [sides, kept.length > 0 ? `only moves that preserve ${kept.join(" or ")}` : "", last];
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
  onChange: () => void,
): Search {
  const first = KINDS.find((kind) => typed.trimStart().toLowerCase().startsWith(kind));
  const kept = first ? keeping(status, first) : "";
  const steps = kept + typed;
  return new Search(async (search, control) => {
    // Start of the search, if known.
    let begun: number | undefined = performance.now();
    const timer = setInterval(() => {
      if (begun === undefined) return;
      search.percent = Math.min(100, (performance.now() - begun) / (10 * timeout));
      search.changed();
    }, 250);
    const asked = engine.fmc(
      { position, from, steps, count: MAX_SKELETONS, timeout },
      control,
      (event) => {
        if (event.event === "skeleton") {
          begun ??= performance.now();
          search.results = [resultOf(event), ...search.results];
          search.doing = `${plural(event.length, "move")}; searching for fewer`;
        } else if (event.event === "answer") {
          search.results = event.skeletons.map(resultOf);
          const best = event.skeletons[0]?.length;
          const took = time(event.seconds);
          if (best !== undefined)
            search.claim = `${plural(best, "move")}, ${event.optimal ? "proven shortest for these steps" : `the best found in ${took}`}`;
          else if (event.optimal) search.claim = "No such skeleton exists, proven";
          else
            search.claim =
              event.stop_reason === null
                ? "No skeleton within the limits of the steps"
                : `No skeleton found in ${took}`;
          const shorter = event.optimal || best === undefined ? "" : "Shorter solutions may exist.";
          search.details = event.optimal ? extentOf(event, kept !== "") : shorter;
        } else {
          begun = event.event === "queued" && event.ahead === 0 ? performance.now() : undefined;
          search.hear(event);
        }
        search.changed();
      },
    );
    await asked.finally(() => clearInterval(timer));
  }, onChange);
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
export function findInsertions(position: string, from: string, onChange: () => void): Search {
  return new Search(async (search, control) => {
    await engine.insertions({ position, from, count: MAX_INSERTIONS }, control, (event) => {
      if (event.event === "answer") {
        search.results = insertionsOf(event);
        const best = event.insertions[0]?.length ?? 0;
        search.claim = `${plural(best, "move")}, the fewest with one insertion of an optimal algorithm for these pieces`;
        search.details = `${capital(event.case)} left; ${plural(event.count, "insertion")} of optimal algorithms tried`;
      } else search.hear(event);
      search.changed();
    });
  }, onChange);
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

/** A search for the proven shortest finish from a position. */
export function findFinish(position: string, onChange: () => void): Search {
  return new Search(async (search, control) => {
    let bounds = nothingKnown(DEFAULTS);
    await engine.solve({ position, metric: "htm", count: 1 }, control, (event) => {
      if (event.event === "queued" || event.event === "preparing" || event.event === "refused")
        search.hear(event);
      else search.doing = SEARCHING;
      bounds = after(bounds, event);
      search.claim =
        bounds.waiting || (bounds.lower === 0 && bounds.upper === null) ? "" : headline(bounds);
      search.details = details(bounds);
      search.percent = bounds.searched?.percent ?? bounds.waiting?.percent ?? null;
      if (event.event === "answer") {
        search.rest = event.length;
        const isProven = event.length !== null;
        const solutions = isProven ? event.solutions : [event.best_known ?? ""].filter(Boolean);
        search.results = solutions.map((moves) => ({
          steps: [{ moves, reduction: "finish" }],
          lengths: String(movesOf(moves).length),
          badPieces: "",
        }));
        if (!isProven && solutions.length > 0)
          search.claim += `; best known: ${plural(movesOf(solutions[0]!).length, "move")}, unproven`;
      }
      search.changed();
    });
  }, onChange);
}
