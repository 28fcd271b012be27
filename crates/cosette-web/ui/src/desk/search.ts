// What the engine is asked at a step, and what it has answered so far.

import { engine } from "#engine";
import type { SearchControl } from "../engine/engine";
import { capital, count, plural, time, waitingFor } from "../format";
import type { ApiError, BeforeSearch, FewestAnswer, Here, Inserted, Skeleton } from "../protocol";
import { after, details, headline, nothingKnown } from "../solve/bounds";
import { movesOf } from "../solve/notation";
import { DEFAULTS } from "../solve/options";
import type { Made } from "./attempt";
import { known, lengthOf } from "./moves";
import { KINDS, counted, keeping, type Kind } from "./steps";

/** What was found: steps to be added one after the other. */
export interface Finding {
  made: Made[];
  /** What stands before its moves: how many they are, and how many there are then. */
  lengths: string;
  /** The bad pieces of the reduction after it, as `dr:UD 4c2e`; empty if that is not known. */
  left: string;
}

/** What is said before anything is known. */
const SEARCHING = "Searching …";

/** A search, as it is now. */
export class Search {
  findings: Finding[] = [];
  /** What is known, and how. */
  claim = "";
  details = "";
  /** What is said before anything is known. */
  doing = SEARCHING;
  error: ApiError | undefined;
  isRunning = true;
  /** How much of it is done, in percent, if that is known. */
  percent: number | null = null;
  /** Of a list of ways: which are asked for, and up to how many moves they are known. */
  wanted: Wanted | undefined;
  most: number | undefined;
  /** The length of the shortest finish, once it is proven. */
  rest: number | null = null;
  private readonly abort = new AbortController();
  private readonly stopping = new AbortController();

  /** Begins; `changed` is called after each change. */
  constructor(
    ask: (search: Search, control: SearchControl) => Promise<void>,
    readonly changed: () => void,
  ) {
    void this.run(ask);
  }

  /** What is known, or what it does. */
  get said(): string {
    if (this.error) return "";
    return this.claim || (this.isRunning ? this.doing : "Stopped");
  }

  /** Has it answer with what is known. */
  stop(): void {
    this.stopping.abort();
  }

  /** Forgets it. */
  forget(): void {
    this.abort.abort();
  }

  /** Hears what comes before a search, or instead of it. */
  hear(event: BeforeSearch): void {
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
    // What is refused after it was stopped, as a table that was not ready, is no news.
    if (this.stopping.signal.aborted) this.error = undefined;
    this.changed();
  }
}

/** Which ways are asked for: of at most so many moves, or of the fewest that there are. */
export interface Wanted {
  kind: Kind;
  axis: string;
  most: number | "fewest";
  niss: string;
}

/** The most moves of a step that can be asked for. */
export const MOST_MOVES = 15;

/** A scramble, the moves that have been done, and where they lead: what they have reached is kept. */
export interface Start {
  position: string;
  from: string;
  here: Here;
}

/** All ways to a step. */
export function findWays({ position, from, here }: Start, wanted: Wanted, onChange: () => void): Search {
  const { kind, axis, most, niss } = wanted;
  return new Search(async (search, control) => {
    search.wanted = wanted;
    let isDone = false;
    for (let length = most === "fewest" ? 0 : most; !isDone && !control.stopSignal.aborted; length += 1) {
      // Of finishes one is enough where more are not asked for.
      const options = [`max=${length}`, kind === "finish" ? `n=${MOST_LISTED}` : `niss=${niss}`].join(", ");
      const steps = `${keeping(here, kind)}${kind}${axis && `:${axis}`}[${options}]`;
      isDone = true;
      await engine.fewest({ position, from, steps, count: "all", timeout: LONGEST_LIST }, control, (event) => {
        if (event.event === "answer") {
          const isWhole = event.stopped === null;
          const ways = event.ways.filter(({ step }) => step.startsWith(kind));
          isDone = most !== "fewest" || event.skeletons.length > 0 || !isWhole || length >= MOST_MOVES;
          // A list that was stopped has all of the lengths that it counts; those of the rounds before are known as well.
          const listed = isWhole ? length : Math.min(...ways.map(({ counts }) => counts.length - 1));
          const complete = Math.max(ways.length > 0 || isWhole ? listed : -1, search.most ?? -1);
          if (complete >= 0) search.most = complete;
          const skeletons = event.skeletons.filter((skeleton) => ownLength(skeleton) <= complete);
          search.findings = skeletons.map(findingOf);
          search.claim = claimOfWays(skeletons, wanted, complete);
          const listing = complete >= 0 && [countsOf(skeletons), ...conditionsOf(ways, wanted)].filter(Boolean).join("; ");
          search.details = [listing, !isWhole && stoppedAfter(event, complete)].filter(Boolean).join(". ");
        } else if (event.event !== "skeleton") search.hear(event);
        search.changed();
      });
    }
  }, onChange);
}

/** A list that takes so many seconds is too long to be read. */
const LONGEST_LIST = 60;
/** The engine lists at most so many. */
const MOST_LISTED = 200_000;

/** What a list proves: how many ways there are of up to so many moves. */
function claimOfWays({ length }: Skeleton[], { kind, axis }: Wanted, complete: number): string {
  if (complete < 0) return "Stopped before anything was known";
  const where = axis && ` along ${axis}`;
  const atMost = `of at most ${plural(complete, "move")}`;
  if (length === 0) return `No ${counted(1, kind).slice(2)}${where} ${atMost}, proven`;
  const which = length === 1 ? "The only" : length < MOST_LISTED ? "All" : "Some";
  return `${which} ${counted(length, kind).replace(/^1 /, "")}${where} ${atMost}`;
}

/** How many ways there are of which lengths. */
function countsOf(skeletons: Skeleton[]): string {
  const numbers: number[] = [];
  for (const length of skeletons.map(ownLength)) numbers[length] = (numbers[length] ?? 0) + 1;
  return [...numbers.entries()].filter(([, number]) => number > 0).map(([length, number]) => `${count(number)} of ${plural(length, "move")}`).join(", ");
}

/** Of which ways a list has all. */
function conditionsOf(ways: FewestAnswer["ways"], { kind, niss }: Wanted): string[] {
  const sides = kind === "finish" ? "" : ({ before: "all moves on one side", none: "all moves on the side of the last ones" }[niss] ?? "");
  const kept = [...new Set(ways.map(({ after }) => after).filter(Boolean))];
  const last = kind === "finish" ? "" : "a last quarter turn stands for both directions: L for L and L'";
  return [sides, kept.length > 0 ? `turns that keep ${kept.join(" or ")}` : "", last];
}

/** When a list was stopped, and what that means. */
function stoppedAfter({ seconds }: FewestAnswer, complete: number): string {
  return `Stopped after ${time(seconds)}${complete < 0 ? "" : "; longer ones were not searched"}`;
}

/** Skeletons of these steps, the best ones first. */
export function findSkeletons({ position, from, here }: Start, typed: string, timeout: number, onChange: () => void): Search {
  const first = KINDS.find((kind) => typed.trimStart().toLowerCase().startsWith(kind));
  const kept = first ? keeping(here, first) : "";
  const steps = kept + typed;
  return new Search(async (search, control) => {
    // Since when it searches, if that is known.
    let begun: number | undefined = performance.now();
    const timer = setInterval(() => {
      if (begun === undefined) return;
      search.percent = Math.min(100, (performance.now() - begun) / (10 * timeout));
      search.changed();
    }, 250);
    const asked = engine.fewest({ position, from, steps, count: MOST_SKELETONS, timeout }, control, (event) => {
      if (event.event === "skeleton") {
        begun ??= performance.now();
        search.findings = [findingOf(event), ...search.findings];
        search.doing = `${plural(event.length, "move")}; searching for fewer`;
      } else if (event.event === "answer") {
        search.findings = event.skeletons.map(findingOf);
        const best = event.skeletons[0]?.length;
        const took = time(event.seconds);
        if (best !== undefined) search.claim = `${plural(best, "move")}, ${event.proven ? "proven: no skeleton of these steps is shorter" : `the best found in ${took}`}`;
        else if (event.proven) search.claim = "There is no such skeleton, proven";
        else search.claim = event.stopped === null ? "No skeleton within the limits of the steps" : `No skeleton found in ${took}`;
        const shorter = event.proven || best === undefined ? "" : "There may be shorter ones.";
        search.details = event.proven ? extentOf(event, kept !== "") : shorter;
      } else {
        begun = event.event === "queued" && event.ahead === 0 ? performance.now() : undefined;
        search.hear(event);
      }
      search.changed();
    });
    await asked.finally(() => clearInterval(timer));
  }, onChange);
}

/** Of which skeletons none is shorter. */
function extentOf({ limits, from }: FewestAnswer, isKept: boolean): string {
  const extent = [
    isKept && "those that keep what is reached",
    limits.length > 0 && `within the limits of ${limits.join(" and ")}`,
    from !== "" && "those that undo no more than the last turns so far",
  ].filter(Boolean);
  return extent.length > 0 ? capital(`${extent.join("; ")}.`) : "";
}

/** How many skeletons are listed. */
const MOST_SKELETONS = 10;

/** How many moves a way to one step has of its own. */
function ownLength(skeleton: Skeleton): number {
  return lengthOf(known(stepsOf(skeleton)[0]!.moves));
}

/** Its steps, without those at the beginning that were reached already. */
function stepsOf({ steps }: Skeleton): Skeleton["steps"] {
  const first = steps.findIndex(({ moves }) => moves !== "");
  return steps.slice(first < 0 ? -1 : first);
}

function findingOf(skeleton: Skeleton): Finding {
  const { length } = skeleton;
  const steps = stepsOf(skeleton);
  const made: Made[] = [];
  for (const { step, moves } of steps) {
    const last = made.at(-1);
    // What is reached without moves is reached by the step before.
    if (moves === "" && last) last.reached = step;
    else if (moves !== "" || steps.length === 1) made.push({ moves, reached: step });
  }
  const own = steps.length === 1 ? ownLength(skeleton) : length;
  return { made, lengths: own === length ? String(length) : `${own}/${length}`, left: (steps.length === 1 && steps[0]!.left) || "" };
}

/** The best insertions that finish what these moves leave. */
export function findInsertions(position: string, from: string, onChange: () => void): Search {
  return new Search(async (search, control) => {
    await engine.insertions({ position, from, count: MOST_INSERTIONS }, control, (event) => {
      if (event.event === "answer") {
        search.findings = insertionsOf(event);
        const best = event.insertions[0]?.length ?? 0;
        search.claim = `${plural(best, "move")}, the fewest with one insertion of a shortest sequence`;
        search.details = `${capital(event.left)} are left; ${plural(event.count, "insertion")} of shortest sequences, at all places`;
      } else search.hear(event);
      search.changed();
    });
  }, onChange);
}

/** How many insertions are listed. */
const MOST_INSERTIONS = 30;

function insertionsOf({ skeleton, insertions }: Inserted): Finding[] {
  const moves = skeleton.split(" ");
  return insertions.map(({ length, place, moves: inserted, solution }) => {
    const shown = [...moves.slice(0, place), `[${inserted}]`, ...moves.slice(place)].join(" ").trim();
    return { made: [{ moves: shown, reached: "finish", solution }], lengths: String(length), left: "" };
  });
}

/** The shortest finish from a position, proven. */
export function findFinish(position: string, onChange: () => void): Search {
  return new Search(async (search, control) => {
    let bounds = nothingKnown(DEFAULTS);
    await engine.solve({ position, metric: "htm", count: 1 }, control, (event) => {
      if (event.event === "queued" || event.event === "preparing" || event.event === "refused") search.hear(event);
      else search.doing = SEARCHING;
      bounds = after(bounds, event);
      search.claim = bounds.waiting || (bounds.lower === 0 && bounds.upper === null) ? "" : headline(bounds);
      search.details = details(bounds);
      search.percent = bounds.searched?.percent ?? bounds.waiting?.percent ?? null;
      if (event.event === "answer") {
        search.rest = event.length;
        const isProven = event.length !== null;
        const solutions = isProven ? event.solutions : [event.best_known ?? ""].filter(Boolean);
        search.findings = solutions.map((moves) => ({ made: [{ moves, reached: "finish" }], lengths: String(movesOf(moves).length), left: "" }));
        if (!isProven && solutions.length > 0) search.claim += `; that of ${plural(movesOf(solutions[0]!).length, "move")} is not proven shortest`;
      }
      search.changed();
    });
  }, onChange);
}
