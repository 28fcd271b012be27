// The engine of the offline web app: the npm package `cosette-solver`, in workers of the browser.
//
// One table is in use at a time, because a browser gives a page little memory. It is opened by the
// first search, which on an empty page is that of an example, or immediately if an earlier visit
// stored it; partial generation of an earlier visit resumes. Until it is generated, the smallest
// table answers searches in half turns: it takes a second of one processor to generate, in memory,
// and proves positions of up to 14 moves in 0.3 s. A longer search begins again with the table in
// use once that is ready, because it is several times as fast there.

import {
  CosetteError,
  Reader,
  Solver,
  TABLES,
  hasSimd,
  removeTable,
  storedTables,
  type ErrorKind,
  type SearchEvent,
  type TableProgress,
} from "../../../../cosette-js/npm/index.js";
import { version } from "../../package.json";
import type {
  ApiError,
  QueueEvent,
  FmcEvent,
  FmcRequest,
  GenerationEvent,
  InsertionsEvent,
  InsertionsRequest,
  Metric,
  PositionCheck,
  ReviewEvent,
  ReviewRequest,
  SolveEvent,
  SolveRequest,
  Table,
  TurnMetric,
} from "../protocol";
import { isOfGoal, isPlain, tableMetric } from "../goals/goal-options";
import { isolationSettled } from "../site/isolation";
import { Stored } from "../browser-storage";
import { requestToCheck, savesData, type Engine, type SearchControl, type Tables } from "./engine";
import { workOf } from "./estimate";

interface OpeningProgress {
  event: TableProgress["event"];
  percent: number;
  secondsLeft: number | null;
}

/** State of the table, for the notices. */
export interface TableState {
  name: string;
  /** `stopped` includes failed. */
  state: "opening" | "ready" | "stopped";
  /** Progress of opening, once it is known. */
  progress?: OpeningProgress;
  /**
   * Known once the table is ready: its storage for the next visit, and the number of threads.
   */
  storage?: "stored" | "elsewhere" | "refused";
  threads?: number;
  error?: ApiError;
}

/** A solver that is open or being opened. */
interface OpenedSolver {
  solver: Promise<Solver>;
  abort: AbortController;
}

/** The table in use, with its solver. */
interface Opening extends OpenedSolver {
  name: string;
  heard: Set<(progress: OpeningProgress) => void>;
  /** The queue of searches with this table; the first one is running. */
  turns: Set<Turn>;
}

/** A queued search with a table. */
interface Turn {
  signal: AbortSignal;
  /** An example gives way to any other search. */
  isExample: boolean;
  ended: Promise<void>;
}

/** Default table size: smaller on phones with little memory, or of unknown memory. */
const DEFAULT_SIZE = "190M";
const DEFAULT_SIZE_ON_PHONES = "94M";
const MUCH_MEMORY = 6;

/** The table that answers until the one in use is generated. */
const FIRST_TABLE = "htm-24M";

/** Time until the remaining time of a generation is estimated, in seconds: the code gets faster. */
const SETTLED_TIME = 1.5;

/** Maximum number of idle solvers without a table: each has its own workers and memory. */
const MAX_IDLE = 2;

/** Memory of the machine in gigabytes, up to 8, if the browser reports it. */
const memory = (navigator as Navigator & { deviceMemory?: number }).deviceMemory;

function defaultSize(): string {
  const isPhone = matchMedia("(pointer: coarse) and (max-width: 60rem)").matches;
  return isPhone && (memory ?? 0) < MUCH_MEMORY ? DEFAULT_SIZE_ON_PHONES : DEFAULT_SIZE;
}

/**
 * Returns `true` if a table takes at most half of the memory; browsers report at most 8 GB, and
 * some report nothing.
 */
function fits(bytes: number): boolean {
  return memory === undefined || bytes <= memory * 2 ** 29;
}

const metricOf = (name: string): Metric => (name.startsWith("qtm") ? "qtm" : "htm");
const sizeOf = (name: string): string => name.slice(name.indexOf("-") + 1);

/** Returns the state of a table in the storage; undefined if nothing is stored. */
const storageOf = async (name: string): Promise<"ready" | "partial" | undefined> =>
  (await storedTables().catch(() => undefined))?.[name];

const isOfKind = (error: unknown, ...kinds: ErrorKind[]): boolean =>
  error instanceof CosetteError && kinds.includes(error.kind);

/** Returns `true` if a solver is no longer usable. */
const isFault = (error: unknown): boolean => isOfKind(error, "engine", "closed");

/** A rejection by the page itself. */
class Refusal extends Error {
  constructor(readonly refused: ApiError) {
    super(refused.error);
  }
}

/** Solves in workers. */
export class BrowserEngine implements Engine {
  readonly rule = "searches use the table selected here";
  readonly storageTitle = "Stored";
  private readonly sizes = new Stored<Partial<Record<Metric, string>>>(
    "tables",
    {},
    () => localStorage,
  );
  /** Duration of table generation here, relative to the native engine. */
  private readonly pace = new Stored<{ times: number | null }>(
    "pace",
    { times: null },
    () => localStorage,
  );
  /** For each metric, the table whose generation was stopped; it resumes only on request. */
  private readonly stopped = new Stored<Partial<Record<Metric, string>>>(
    "stopped",
    {},
    () => localStorage,
  );
  private reader: Promise<Reader> | undefined;
  /** Idle solvers without a table, for goals, fewest moves and positions near solved. */
  private readonly idle: Promise<Solver>[] = [];
  private opening: Opening | undefined;
  /** The solver with {@link FIRST_TABLE}. */
  private first: OpenedSolver | undefined;
  private state: TableState | undefined;
  private readonly watchers = new Set<(state: TableState | undefined) => void>();

  /** Calls `watcher` now and whenever the state of the table changes. */
  watch(watcher: (state: TableState | undefined) => void): void {
    this.watchers.add(watcher);
    watcher(this.state);
  }

  /**
   * Opens the table of the last visit if it is stored, or resumes its generation unless that was
   * stopped. On an empty page, an example with the first table comes before any generation.
   */
  async resume(): Promise<void> {
    await isolationSettled();
    const name = this.nameFor("htm");
    const stored = await storageOf(name);
    const isEmpty = location.search === "" && ["", "#solve"].includes(location.hash);
    const hasExample = isEmpty && !savesData() && (await this.isExampleWanted());
    if (stored !== "ready" && name !== FIRST_TABLE && hasExample)
      return void this.openFirst().solver.catch(() => undefined);
    const isWanted = stored === "ready" || (stored === "partial" && !this.isStopped(name));
    if (isWanted && this.opening === undefined) this.open(name).solver.catch(() => undefined);
  }

  onTableChange(listener: () => void): void {
    queueMicrotask(listener);
    let last = this.state?.state;
    this.watch((state) => {
      if (state?.state === last) return;
      last = state?.state;
      listener();
    });
  }

  async isExampleWanted(): Promise<boolean> {
    return hasSimd() && !this.isStopped(this.nameFor("htm"));
  }

  async check(position: string, niss: boolean): Promise<PositionCheck> {
    return this.read((reader) => reader.check(position, { niss }));
  }

  /** Only a solver can check the request; it is used if it exists and is idle. */
  async checkRequest(asked: Partial<SolveRequest>): Promise<ApiError | undefined> {
    const { position, metric, ...question } = requestToCheck(asked);
    const check = async (solver: Solver): Promise<ApiError | undefined> => {
      try {
        await solver.solve(position, {
          ...question,
          ...(metric && metric !== tableMetric(metric) && { metric }),
        });
        return undefined;
      } catch (error) {
        return error instanceof CosetteError && error.kind === "request"
          ? this.errorOf(error)
          : undefined;
      }
    };
    const { opening } = this;
    if (opening && this.state?.state === "ready" && opening.turns.size === 0)
      return check(await opening.solver);
    return this.idle.length > 0
      ? this.withoutTable(new AbortController().signal, check)
      : undefined;
  }

  async random(): Promise<{ scramble: string }> {
    return this.read((reader) => reader.random());
  }

  async solve(
    request: SolveRequest,
    control: SearchControl,
    onEvent: (event: SolveEvent) => void,
  ): Promise<void> {
    const { position, ...asked } = request;
    const { signal, stopSignal, isExample = false } = control;
    // An example is valid, and is proven before a two-phase search would begin.
    const facelets = isExample
      ? undefined
      : await this.readFor(position, asked.niss, signal, onEvent);
    if (facelets === undefined && !isExample) return;
    // A search that begins again with another table does not take back what is proven.
    let lower = 0;
    const hear = (event: SearchEvent): void => {
      if (event.event === "iteration-started") lower = Math.max(lower, event.length);
      if (event.event === "solution" || !("length" in event) || event.length >= lower)
        onEvent(event);
    };
    const solveWith = async (solver: Solver): Promise<void> => {
      if (facelets !== undefined) onEvent({ event: "started", facelets });
      const proven = isOfGoal(request) ? 0 : lower;
      const answer = await solver.solve(position, {
        ...asked,
        plain: isExample,
        signal,
        stopSignal,
        onEvent: hear,
      });
      onEvent({ event: "answer", ...answer, lower_bound: Math.max(proven, answer.lower_bound) });
      const { threads } = solver;
      onEvent({ event: "provenance", version, machine: "this browser", threads, checksum: null });
    };
    // Until the table is ready, positions near solved and parts of the cube are solved without one,
    // by one thread.
    const isReady = this.isReady(this.nameFor(tableMetric(request.metric)));
    if (!isExample && !isReady && (isPlain(request) || isOfGoal(request))) {
      try {
        return await this.withoutTable(signal, solveWith);
      } catch (error) {
        // Retried with a table, which also reports insufficient memory.
        if (!isOfKind(error, "table", "memory", "engine")) throw error;
      }
    }
    await this.search(request.metric, control, onEvent, solveWith);
  }

  async fmc(
    { position, ...asked }: FmcRequest,
    { signal, stopSignal }: SearchControl,
    onEvent: (event: FmcEvent) => void,
  ): Promise<void> {
    if ((await this.readFor(position, false, signal, onEvent)) === undefined) return;
    onEvent({
      event: "answer",
      ...(await this.withoutTable(signal, (solver) =>
        solver.fmc(position, { ...asked, signal, stopSignal, onEvent }),
      )),
    });
  }

  /** Runs a request on a solver without a table, which is cached for the next request. */
  private async withoutTable<T>(
    signal: AbortSignal,
    ask: (solver: Solver) => Promise<T>,
  ): Promise<T> {
    const taken =
      this.idle.pop() ?? isolationSettled().then(() => Solver.open({ table: null, threads: 1 }));
    const solver = await taken;
    let isFaulty = false;
    try {
      signal.throwIfAborted();
      return await ask(solver);
    } catch (error) {
      isFaulty = isFault(error) && !signal.aborted;
      throw error;
    } finally {
      if (isFaulty || this.idle.length >= MAX_IDLE) solver.close();
      else this.idle.push(taken);
    }
  }

  async insertions(
    { position, ...asked }: InsertionsRequest,
    control: SearchControl,
    onEvent: (event: InsertionsEvent) => void,
  ): Promise<void> {
    const { signal, stopSignal } = control;
    if ((await this.readFor(position, false, signal, onEvent)) === undefined) return;
    await this.search("htm", control, onEvent, async (solver) => {
      onEvent({
        event: "answer",
        ...(await solver.insertions(position, { ...asked, signal: anyOf(signal, stopSignal) })),
      });
    });
  }

  async review(
    { position, solution, metric }: ReviewRequest,
    control: SearchControl,
    onEvent: (event: ReviewEvent) => void,
  ): Promise<void> {
    const { signal, stopSignal } = control;
    if ((await this.readFor(position, false, signal, onEvent)) === undefined) return;
    await this.search(metric, control, onEvent, async (solver) => {
      onEvent({
        event: "answer",
        ...(await solver.review(position, solution, { signal, stopSignal, onEvent })),
      });
    });
  }

  /**
   * Returns the facelets of a position; nothing if it is invalid, and then reports the rejection.
   */
  private async readFor(
    position: string,
    niss: boolean | undefined,
    signal: AbortSignal,
    onEvent: (event: { event: "refused" } & ApiError) => void,
  ): Promise<string | undefined> {
    const check = await this.check(position, niss ?? false);
    signal.throwIfAborted();
    if (check.ok) return check.facelets;
    onEvent({ event: "refused", error: check.error, help: check.help, span: check.span });
    return undefined;
  }

  private isReady(name: string): boolean {
    return this.state?.state === "ready" && this.state.name === name;
  }

  /**
   * Searches with the first table, and opens the table with this name behind: at once, or after an
   * example, which is answered sooner so.
   */
  private async searchFirst(
    name: string,
    { signal, stopSignal, isExample = false }: SearchControl,
    act: (solver: Solver) => Promise<void>,
  ): Promise<void> {
    const first = this.openFirst();
    try {
      const solver = await Promise.race([first.solver, aborted(signal, stopSignal)]);
      if (!isExample) this.open(name);
      await act(solver);
    } catch (error) {
      if (this.first === first && (isFault(error) || isOfKind(error, "memory"))) this.closeFirst();
      throw error;
    } finally {
      if (isExample && this.opening === undefined) this.open(name);
    }
  }

  /** Opens the first table, in memory. */
  private openFirst(): OpenedSolver {
    const abort = new AbortController();
    return (this.first ??= {
      abort,
      solver: isolationSettled().then(() =>
        Solver.open({ table: FIRST_TABLE, folder: null, signal: abort.signal }),
      ),
    });
  }

  /** Closes the first table; a search with it is rejected. */
  private closeFirst(): void {
    const { first } = this;
    this.first = undefined;
    if (first) abandon(first);
  }

  /**
   * Searches with the table of a metric, once it is open and earlier searches have ended; until it
   * is generated with the first table.
   */
  private async search(
    metric: TurnMetric,
    control: SearchControl,
    onEvent: (event: QueueEvent) => void,
    act: (solver: Solver) => Promise<void>,
  ): Promise<void> {
    const { signal, stopSignal, isExample = false } = control;
    // The other metrics are for goals, which work with any table.
    const isOfTables = metric === tableMetric(metric);
    const name = (isOfTables ? undefined : this.opening?.name) ?? this.nameFor(tableMetric(metric));
    const isFirstQuicker =
      metricOf(name) === "htm" &&
      name !== FIRST_TABLE &&
      !this.isReady(name) &&
      (await storageOf(name)) !== "ready";
    if (isFirstQuicker) {
      try {
        return await this.searchFirst(name, control, act);
      } catch (error) {
        signal.throwIfAborted();
        // There may be too little memory for both tables.
        if (!this.isReady(name) && !isFault(error) && !isOfKind(error, "memory")) throw error;
      }
    }
    const opening = this.open(name);
    const { turns } = opening;
    const before = [...turns];
    let end = (): void => undefined;
    const turn: Turn = { signal, isExample, ended: new Promise((resolve) => (end = resolve)) };
    turns.add(turn);
    try {
      const solver = await this.waitFor(opening, control, onEvent);
      for (const each of before) {
        // A forgotten search ends within a moment.
        const ahead = before.filter((other) => turns.has(other) && !other.signal.aborted).length;
        if (turns.has(each) && ahead > 0) onEvent({ event: "queued", ahead });
        await Promise.race([each.ended, aborted(signal, stopSignal)]);
      }
      await act(solver);
      // A browser keeps persistent data even when its disk is full. Some browsers prompt the user,
      // so persistence is requested only now.
      if (solver.isStored && !isExample)
        void navigator.storage
          .persisted()
          .then((isPersistent) => isPersistent || navigator.storage.persist())
          .catch(() => false);
    } catch (error) {
      signal.throwIfAborted();
      // After a fault of the engine, its solver is closed; the next search opens it again.
      if (isFault(error) && this.opening === opening) this.close();
      throw error;
    } finally {
      turns.delete(turn);
      end();
    }
  }

  async tables(): Promise<Tables> {
    const stored = await storedTables().catch(() => undefined);
    const usage = await navigator.storage?.estimate?.().catch(() => undefined);
    const percent = this.state?.progress?.percent ?? 0;
    const rows = (["htm", "qtm"] as Metric[]).flatMap((metric) =>
      Object.entries(TABLES).map(([size, bytes]): Table => {
        const name = `${metric}-${size}`;
        const state = this.state?.name === name ? this.state : undefined;
        const isGenerated = state?.state === "opening" && stored?.[name] !== "ready";
        return {
          name,
          metric,
          bytes,
          state: isGenerated
            ? "generating"
            : state?.state === "ready"
              ? "ready"
              : (stored?.[name] ?? "absent"),
          percent: isGenerated ? percent : null,
          fault: null,
          checksum: null,
          in_use: state?.state === "ready",
          next: this.nameFor(metric) === name,
          fits:
            fits(bytes) &&
            (stored === undefined ||
              (usage?.quota ?? Infinity) - (usage?.usage ?? 0) > bytes ||
              stored[name] !== undefined),
          generation_seconds: this.secondsFor(metric, size),
          cube_seconds: null,
        };
      }),
    );
    return {
      place: stored
        ? "The tables are stored in this browser, for this site."
        : "This browser blocks storage for this site, so tables are not stored.",
      tables: rows,
    };
  }

  async generate(name: string, onEvent: (event: GenerationEvent) => void): Promise<void> {
    const opening = this.choose(name);
    const hear = ({ percent, secondsLeft }: OpeningProgress): void =>
      onEvent({ event: "progress", percent, seconds_left: secondsLeft });
    opening.heard.add(hear);
    try {
      await opening.solver;
      onEvent({ event: "generated" });
    } catch (error) {
      if (!opening.abort.signal.aborted) throw error;
      onEvent({ event: "stopped", percent: this.state?.progress?.percent ?? 0 });
    } finally {
      opening.heard.delete(hear);
    }
  }

  async stopGenerating(name: string): Promise<void> {
    if (this.opening?.name !== name) return;
    this.stop(this.opening);
    await this.opening.solver.catch(() => undefined);
  }

  private stop({ name, abort }: Opening): void {
    this.stopped.set({ ...this.stopped.get(), [metricOf(name)]: name });
    abort.abort();
  }

  private isStopped(name: string): boolean {
    return this.stopped.get()[metricOf(name)] === name;
  }

  private forgetStop(name: string): void {
    if (this.isStopped(name)) this.stopped.set({ ...this.stopped.get(), [metricOf(name)]: "" });
  }

  async removeTable(name: string): Promise<void> {
    if (this.opening?.name === name) {
      this.refuseWhileSearching();
      await this.stopGenerating(name);
      this.close();
    }
    this.forgetStop(name);
    await removeTable(name);
  }

  async useTable(name: string): Promise<void> {
    const { solver, abort } = this.choose(name);
    await solver.catch((error: unknown) => {
      if (!abort.signal.aborted) throw error;
    });
  }

  errorOf(exception: unknown): ApiError | undefined {
    if (exception instanceof DOMException && exception.name === "AbortError") return undefined;
    if (exception instanceof Refusal) return exception.refused;
    if (!(exception instanceof CosetteError))
      return {
        error: exception instanceof Error ? exception.message : String(exception),
        help: "reload the page",
      };
    // The error, and how to fix it.
    const [error, ...help] = exception.message.split("; ");
    return {
      error: error!,
      ...(help.length > 0 && { help: help.join("; ") }),
      ...(exception.span && { span: exception.span }),
      ...(exception.kind === "memory" && {
        help: "choose a smaller table under Tables, or close other tabs",
      }),
    };
  }

  /** Returns the name of the table for a metric. */
  nameFor(metric: Metric): string {
    const size = this.sizes.get()[metric];
    return `${metric}-${size !== undefined && size in TABLES ? size : defaultSize()}`;
  }

  /**
   * Runs a request on the reader, which is opened by the first request, and by the next one after
   * a crash.
   */
  private async read<T>(ask: (reader: Reader) => Promise<T>): Promise<T> {
    this.reader ??= Reader.open();
    const { reader } = this;
    try {
      return await ask(await reader);
    } catch (error) {
      if (this.reader === reader) this.reader = undefined;
      throw error;
    }
  }

  /** Opens a table and uses it from now on. */
  private choose(name: string): Opening {
    const opening = this.open(name);
    this.sizes.set({ ...this.sizes.get(), [metricOf(name)]: sizeOf(name) });
    return opening;
  }

  private refuseWhileSearching(): void {
    const isSearching = [...(this.opening?.turns ?? [])].some(
      ({ signal, isExample }) => !isExample && !signal.aborted,
    );
    if (isSearching)
      throw new Refusal({
        error: "another search is using the open table",
        help: "stop that search first",
      });
  }

  /**
   * Waits for a table. Stopping the search stops the generation, unless another caller follows it;
   * forgetting the search does not.
   */
  private async waitFor(
    opening: Opening,
    { signal, stopSignal }: SearchControl,
    onEvent: (event: QueueEvent) => void,
  ): Promise<Solver> {
    const { name, solver, heard } = opening;
    const hear = ({ event, percent, secondsLeft }: OpeningProgress): void =>
      onEvent({
        event: "preparing",
        doing: `${event} table ${name}`,
        percent,
        seconds_left: secondsLeft,
      });
    if (this.state?.progress) hear(this.state.progress);
    heard.add(hear);
    try {
      return await Promise.race([solver, aborted(signal, stopSignal)]);
    } catch (error) {
      if (stopSignal.aborted && heard.size === 1) this.stop(opening);
      throw error;
    } finally {
      heard.delete(hear);
    }
  }

  /** Opens a table, unless a search is using another one. */
  private open(name: string): Opening {
    if (this.opening?.name === name && !this.opening.abort.signal.aborted) return this.opening;
    if (this.opening?.name !== name) this.refuseWhileSearching();
    this.close();
    const abort = new AbortController();
    const heard: Opening["heard"] = new Set();
    let first: { at: number; done: number } | undefined;
    const onProgress = ({ event, done, total }: TableProgress): void => {
      // An abandoned table may still report its last slice.
      if (this.opening !== opening) return;
      const now = performance.now();
      if (event === "generating") first ??= { at: now, done };
      const isKnown = first !== undefined && done > first.done;
      const seconds = isKnown ? (now - first!.at) / 1000 : 0;
      const secondsLeft =
        seconds > SETTLED_TIME ? (seconds / (done - first!.done)) * (total - done) : null;
      const progress = {
        event,
        percent: Math.floor((100 * done) / Math.max(total, 1)),
        secondsLeft,
      };
      this.change({ name, state: "opening", progress });
      for (const hear of heard) hear(progress);
      const work = workOf(metricOf(name), sizeOf(name));
      // For a table that was mostly complete, the fixed work at the beginning and the end would
      // weigh too much.
      if (isKnown && done === total && first!.done < total / 2 && work !== null)
        this.pace.set({ times: seconds / ((1 - first!.done / total) * work) });
    };
    this.forgetStop(name);
    const opening: Opening = {
      name,
      abort,
      heard,
      turns: new Set(),
      solver: isolationSettled().then(() =>
        Solver.open({ table: name, signal: abort.signal, onProgress }),
      ),
    };
    this.opening = opening;
    this.change({ name, state: "opening" });
    opening.solver.then(
      async ({ isStored, threads }) => {
        // A table that this visit could not store may be stored by another tab.
        const isElsewhere = !isStored && (await storageOf(name)) !== undefined;
        if (this.opening !== opening) return;
        if (metricOf(name) === "htm") this.closeFirst();
        this.change({
          name,
          state: "ready",
          storage: isStored ? "stored" : isElsewhere ? "elsewhere" : "refused",
          threads,
        });
      },
      (error: unknown) => {
        if (this.opening !== opening) return;
        this.opening = undefined;
        const told = abort.signal.aborted ? undefined : this.errorOf(error);
        this.change({
          name,
          state: "stopped",
          ...(this.state?.progress && { progress: this.state.progress }),
          ...(told && { error: told }),
        });
      },
    );
    return opening;
  }

  /** Closes the table that is open. */
  private close(): void {
    const { opening } = this;
    if (!opening) return;
    this.opening = undefined;
    abandon(opening);
    this.change(undefined);
  }

  private change(state: TableState | undefined): void {
    this.state = state;
    for (const watcher of this.watchers) watcher(state);
  }

  /** Estimates the generation time of a table, if one was generated here before. */
  private secondsFor(metric: Metric, size: string): number | null {
    const { times } = this.pace.get();
    const work = workOf(metric, size);
    return times === null || work === null ? null : times * work;
  }
}

/** The engine of this page. */
export const engine = new BrowserEngine();
void engine.resume();

/** Maximum time that the app waits for a reload of the page, in milliseconds. */
const GRACE = 1000;

/** Fulfilled once the app can be loaded: on the first visit, the page is about to be reloaded. */
export const settled: Promise<unknown> = Promise.race([
  isolationSettled(),
  new Promise((resolve) => setTimeout(resolve, GRACE)),
]);

/** Closes a solver, also one that is still being opened. */
function abandon({ solver, abort }: OpenedSolver): void {
  abort.abort();
  solver.then(
    (solver) => solver.close(),
    () => undefined,
  );
}

/** Rejects once one of the signals is aborted. */
function aborted(...signals: AbortSignal[]): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of signals) {
      if (signal.aborted) reject(signal.reason);
      else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    }
  });
}

/**
 * Returns a signal that is aborted with the first of these; browsers before 2024 lack
 * `AbortSignal.any`.
 */
function anyOf(...signals: AbortSignal[]): AbortSignal {
  const first = new AbortController();
  aborted(...signals).catch((reason: unknown) => first.abort(reason));
  return first.signal;
}
