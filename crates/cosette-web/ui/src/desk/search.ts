// What the engine is asked at a step, and what it has answered so far.

import { engine } from "#engine";
import type { SearchControl } from "../engine/engine";
import { capital, count, plural, time } from "../format";
import type { ApiError, BeforeSearch, FewestAnswer, Inserted, Skeleton } from "../protocol";
import { after, details, headline, nothingKnown } from "../solve/bounds";
import { DEFAULTS } from "../solve/options";
import type { Made } from "./attempt";
import { known, lengthOf } from "./moves";
import { counted, type Kind } from "./steps";

/** What was found: steps to be added one after the other. */
export interface Finding {
  made: Made[];
  /** What stands before its moves: how many they are, and how many there are then. */
  count: string;
}

/** What is said before anything is known. */
const STARTING = "Starting …";
const SEARCHING = "Searching …";

/** A search, as it is now. */
export class Search {
  findings: Finding[] = [];
  /** What is known, and how. */
  said = STARTING;
  details = "";
  error: ApiError | undefined;
  isRunning = true;
  /** How much of it is done, in percent, if that is known. */
  percent: number | null = null;
  /** Of a list of ways: up to how many moves. */
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
      this.said = capital(event.doing);
      this.percent = event.percent;
    } else if (event.ahead > 0) this.said = `Waiting for ${plural(event.ahead, "other search", "other searches")}`;
    // What is known of fewer moves stays.
    else if (this.said === STARTING) this.said = SEARCHING;
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
    if (this.error) this.said = "";
    else if ([STARTING, SEARCHING].includes(this.said)) this.said = "Stopped";
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
export const MOST = 15;

/** All ways to a step. */
export function findWays(position: string, from: string, { kind, axis, most, niss }: Wanted, onChange: () => void): Search {
  return new Search(async (search, control) => {
    let isDone = false;
    for (let length = most === "fewest" ? 0 : most; !isDone; length += 1) {
      search.most = length;
      const options = [`max=${length}`, kind !== "finish" && `niss=${niss}`].filter(Boolean).join(", ");
      const steps = `${kind}${axis && `:${axis}`}[${options}]`;
      isDone = true;
      await engine.fewest({ position, from, steps, count: "all", timeout: LONGEST_LIST }, control, (event) => {
        if (event.event === "answer") {
          isDone = most !== "fewest" || event.skeletons.length > 0 || event.stopped !== null || length >= MOST;
          search.findings = event.skeletons.map(findingOf);
          [search.said, search.details] = claimOfWays(event, kind, axis, length);
        } else if (event.event !== "skeleton") search.hear(event);
        search.changed();
      });
    }
  }, onChange);
}

/** A list that takes so many seconds is too long to be read. */
const LONGEST_LIST = 60;

/** What a list proves: how many ways there are, and of which lengths. */
function claimOfWays({ ways, skeletons, stopped, seconds }: FewestAnswer, kind: Kind, axis: string, most: number): [string, string] {
  const where = axis && ` along ${axis}`;
  const atMost = `of at most ${plural(most, "move")}`;
  if (stopped !== null) return [`${counted(skeletons.length, kind)}${where}; there are more`, `Stopped after ${time(seconds)}`];
  if (skeletons.length === 0) return [`No ${counted(1, kind).slice(2)}${where} ${atMost}, proven`, ""];
  const lengths: number[] = [];
  for (const { counts } of ways) for (const [length, number] of counts.entries()) lengths[length] = (lengths[length] ?? 0) + number;
  const rows = lengths.map((number, length) => number > 0 && `${count(number)} of ${plural(length, "move")}`).filter(Boolean);
  const all = skeletons.length === 1 ? "The only" : "All";
  return [`${all} ${counted(skeletons.length, kind).replace(/^1 /, "")}${where} ${atMost}`, rows.join(", ")];
}

/** Skeletons of these steps, the best ones first. */
export function findSkeletons(position: string, from: string, steps: string, timeout: number, onChange: () => void): Search {
  return new Search(async (search, control) => {
    await engine.fewest({ position, from, steps, count: MOST_SKELETONS, timeout }, control, (event) => {
      if (event.event === "skeleton") {
        search.findings = [findingOf(event), ...search.findings];
        search.said = `${plural(event.length, "move")}; searching for fewer`;
      } else if (event.event === "answer") {
        search.findings = event.skeletons.map(findingOf);
        const best = event.skeletons[0]?.length;
        const found = best === undefined ? "No skeleton" : plural(best, "move");
        search.said = event.proven ? `${found}, proven: none of these steps is shorter` : `${found}, the best found in ${time(event.seconds)}`;
        search.details = event.proven || best === undefined ? "" : "There may be shorter ones.";
      } else search.hear(event);
      search.changed();
    });
  }, onChange);
}

/** How many skeletons are listed. */
const MOST_SKELETONS = 10;

function findingOf({ steps, length }: Skeleton): Finding {
  const made: Made[] = [];
  for (const { step, moves } of steps) {
    const last = made.at(-1);
    // What is reached without moves is reached by the step before.
    if (moves === "" && last) last.reached = step;
    else if (moves !== "" || steps.length === 1) made.push({ moves, reached: step });
  }
  const own = steps.length === 1 ? lengthOf(known(steps[0]!.moves)) : length;
  return { made, count: own === length ? String(length) : `${own}/${length}` };
}

/** The best insertions that finish what these moves leave. */
export function findInsertions(position: string, from: string, onChange: () => void): Search {
  return new Search(async (search, control) => {
    await engine.insertions({ position, from, count: MOST_INSERTIONS }, control, (event) => {
      if (event.event === "answer") {
        search.findings = insertionsOf(event);
        const best = event.insertions[0]?.length ?? 0;
        search.said = `${plural(best, "move")} by an insertion, proven best`;
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
    const shown = inserted.includes("[") ? inserted : [...moves.slice(0, place), `[${inserted}]`, ...moves.slice(place)].join(" ").trim();
    return { made: [{ moves: shown, reached: "finish", solution }], count: String(length) };
  });
}

/** The shortest finish from a position, proven. */
export function findFinish(facelets: string, onChange: () => void): Search {
  return new Search(async (search, control) => {
    let bounds = nothingKnown(DEFAULTS);
    await engine.solve({ position: facelets, metric: "htm", count: 1 }, control, (event) => {
      if (event.event === "refused") search.error = event;
      bounds = after(bounds, event);
      search.said = headline(bounds);
      search.details = details(bounds);
      search.percent = bounds.searched?.percent ?? bounds.waiting?.percent ?? null;
      if (event.event === "answer") {
        search.rest = event.length;
        search.findings = event.solutions.map((moves) => ({ made: [{ moves, reached: "finish" }], count: String(event.length) }));
      }
      search.changed();
    });
  }, onChange);
}
