// The engine of the static page: the npm package `cosette`, which works in workers of the browser.
//
// One table is open at a time, for a browser gives a page little memory. It is opened by the first search, which on an empty page is
// that of an example, or at once where an earlier visit has kept it; what an earlier visit has generated in part is continued. A search
// waits for it, but for positions that are near solved. No smaller table comes before it: the smallest one, of 24 MB, takes 3.6 s of one
// processor to generate, that of 190 MB 4.2 s, for both mark the same positions.

import { CosetteError, Reader, Solver, TABLES, hasSimd, removeTable, storedTables, type TableProgress } from "../../../../cosette-wasm/npm/index.js";
import type { ApiError, BeforeSearch, FewestEvent, FewestRequest, GenerationEvent, InsertionsEvent, InsertionsRequest, Metric, PositionCheck, SolveEvent, SolveRequest, Table, TurnMetric } from "../protocol";
import { isOfGoal, isPlain, tableMetric } from "../goals/asked";
import { isolationSettled } from "../site/isolation";
import { Stored } from "../stored";
import { questionAbout, type Engine, type SearchControl, type Tables } from "./engine";
import { workOf } from "./estimate";

/** Where the table stands, for the notices. */
export interface TableState {
  name: string;
  /** `stopped` also means failed. */
  state: "opening" | "ready" | "stopped";
  /** While it is opened, once something is known. */
  progress?: { event: TableProgress["event"]; percent: number; secondsLeft: number | null };
  /** Once it is ready: whether it is kept for the next visit, or why not, and how many threads there are. */
  storage?: "stored" | "elsewhere" | "refused";
  threads?: number;
  error?: ApiError;
}

/** A table that is open or being opened. */
interface Opening {
  name: string;
  solver: Promise<Solver>;
  abort: AbortController;
  heard: Set<(progress: NonNullable<TableState["progress"]>) => void>;
  /** The searches with it in turn, of which the first one runs. */
  turns: Set<Turn>;
}

/** A search with a table. */
interface Turn {
  signal: AbortSignal;
  /** An example gives way to whatever is asked. */
  isExample: boolean;
  ended: Promise<void>;
}

/** The size that is used until another is chosen: less on phones that have little memory, or do not say how much they have. */
const USUAL = "190M";
const USUAL_ON_PHONES = "94M";
const MUCH_MEMORY = 6;

/** How many solvers without a table are kept for the next question: each has workers and a memory of its own. */
const MOST_IDLE = 2;

/** The gigabytes of memory of the machine, up to 8, where the browser says that. */
const memory = (navigator as Navigator & { deviceMemory?: number }).deviceMemory;

function usualSize(): string {
  const isPhone = matchMedia("(pointer: coarse) and (max-width: 60rem)").matches;
  return isPhone && (memory ?? 0) < MUCH_MEMORY ? USUAL_ON_PHONES : USUAL;
}

/** Whether a table takes at most half of the memory; browsers say at most 8 GB, and some say nothing. */
function fits(bytes: number): boolean {
  return memory === undefined || bytes <= memory * 2 ** 29;
}

const metricOf = (name: string): Metric => (name.startsWith("qtm") ? "qtm" : "htm");
const sizeOf = (name: string): string => name.slice(name.indexOf("-") + 1);

/** Whether a solver is of no use any more. */
const isFault = (error: unknown): boolean => error instanceof CosetteError && ["engine", "closed"].includes(error.kind);

/** What is refused by the page itself. */
class Refusal extends Error {
  constructor(readonly refused: ApiError) {
    super(refused.error);
  }
}

/** Solves in workers. */
export class BrowserEngine implements Engine {
  readonly rule = "the one that is chosen here is used";
  readonly kept = "Kept";
  private readonly sizes = new Stored<Partial<Record<Metric, string>>>("tables", {}, () => localStorage);
  /** How many seconds one of the native engine took here, when a table was generated. */
  private readonly pace = new Stored<{ times: number | null }>("pace", { times: null }, () => localStorage);
  /** The table of each metric whose generation was stopped: it goes on only when it is asked for. */
  private readonly stopped = new Stored<Partial<Record<Metric, string>>>("stopped", {}, () => localStorage);
  private reader: Promise<Reader> | undefined;
  /** Solvers without a table, of steps and of positions near solved, that do nothing. */
  private readonly idle: Promise<Solver>[] = [];
  private opening: Opening | undefined;
  private state: TableState | undefined;
  private readonly watchers = new Set<(state: TableState | undefined) => void>();

  /** Calls this whenever the state of the table changes, and now. */
  watch(watcher: (state: TableState | undefined) => void): void {
    this.watchers.add(watcher);
    watcher(this.state);
  }

  /** Opens the table of the last visit if it is kept, or goes on generating it if that was not stopped. */
  async resume(): Promise<void> {
    await isolationSettled();
    const name = this.nameFor("htm");
    const stored = await storedTables().catch(() => ({}) as Record<string, "ready" | "partial">);
    const isWanted = stored[name] === "ready" || (stored[name] === "partial" && !this.isStopped(name));
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

  /** Only a solver knows, which is asked if it is there and has nothing else to do. */
  async checkAsked(asked: Partial<SolveRequest>): Promise<ApiError | undefined> {
    const { position, metric, ...question } = questionAbout(asked);
    const check = async (solver: Solver): Promise<ApiError | undefined> => {
      try {
        await solver.solve(position, { ...question, ...(metric && metric !== tableMetric(metric) && { metric }) });
        return undefined;
      } catch (error) {
        return error instanceof CosetteError && error.kind === "request" ? this.errorOf(error) : undefined;
      }
    };
    const { opening } = this;
    if (opening && this.state?.state === "ready" && opening.turns.size === 0) return check(await opening.solver);
    return this.idle.length > 0 ? this.withoutTable(new AbortController().signal, check) : undefined;
  }

  async random(): Promise<{ scramble: string }> {
    return this.read((reader) => reader.random());
  }

  async solve(request: SolveRequest, control: SearchControl, onEvent: (event: SolveEvent) => void): Promise<void> {
    const { position, ...asked } = request;
    const { signal, stopSignal } = control;
    const facelets = await this.readFor(position, asked.niss, signal, onEvent);
    if (facelets === undefined) return;
    const solveWith = async (solver: Solver): Promise<void> => {
      onEvent({ event: "started", facelets });
      onEvent({ event: "answer", ...(await solver.solve(position, { ...asked, signal, stopSignal, onEvent })) });
    };
    // While its table is not there, a position near solved and a part of the cube are answered without one, by one thread. All else
    // waits for it.
    const isReady = this.state?.state === "ready" && this.state.name === this.nameFor(tableMetric(request.metric));
    if (!control.isExample && !isReady && (isPlain(request) || isOfGoal(request))) {
      try {
        return await this.withoutTable(signal, solveWith);
      } catch (error) {
        // With the table it is tried again, where too little memory is said as well.
        if (!(error instanceof CosetteError) || !["table", "memory", "engine"].includes(error.kind)) throw error;
      }
    }
    await this.search(request.metric, control, onEvent, solveWith);
  }

  async fewest({ position, ...asked }: FewestRequest, { signal, stopSignal }: SearchControl, onEvent: (event: FewestEvent) => void): Promise<void> {
    if ((await this.readFor(position, false, signal, onEvent)) === undefined) return;
    onEvent({ event: "answer", ...(await this.withoutTable(signal, (solver) => solver.fewest(position, { ...asked, signal, stopSignal, onEvent }))) });
  }

  /** Asks a solver without a table, which is kept for the next question. */
  private async withoutTable<T>(signal: AbortSignal, ask: (solver: Solver) => Promise<T>): Promise<T> {
    const taken = this.idle.pop() ?? isolationSettled().then(() => Solver.open({ table: null, threads: 1 }));
    const solver = await taken;
    let isFaulty = false;
    try {
      signal.throwIfAborted();
      return await ask(solver);
    } catch (error) {
      isFaulty = isFault(error) && !signal.aborted;
      throw error;
    } finally {
      if (isFaulty || this.idle.length >= MOST_IDLE) solver.close();
      else this.idle.push(taken);
    }
  }

  async insertions({ position, ...asked }: InsertionsRequest, control: SearchControl, onEvent: (event: InsertionsEvent) => void): Promise<void> {
    const { signal, stopSignal } = control;
    if ((await this.readFor(position, false, signal, onEvent)) === undefined) return;
    await this.search("htm", control, onEvent, async (solver) => {
      onEvent({ event: "answer", ...(await solver.insertions(position, { ...asked, signal: anyOf(signal, stopSignal) })) });
    });
  }

  /** The facelets of a position; nothing if it is none, which is refused. */
  private async readFor(position: string, niss: boolean | undefined, signal: AbortSignal, onEvent: (event: { event: "refused" } & ApiError) => void): Promise<string | undefined> {
    const check = await this.check(position, niss ?? false);
    signal.throwIfAborted();
    if (check.ok) return check.facelets;
    onEvent({ event: "refused", error: check.error, help: check.help, span: check.span });
    return undefined;
  }

  /** Searches with the table of a metric, once it is open and the searches before have ended. */
  private async search(metric: TurnMetric, control: SearchControl, onEvent: (event: BeforeSearch) => void, act: (solver: Solver) => Promise<void>): Promise<void> {
    const { signal, stopSignal, isExample = false } = control;
    // Other metrics are those of goals, with which any table goes.
    const isOfTables = metric === tableMetric(metric);
    const name = (isOfTables ? undefined : this.opening?.name) ?? this.nameFor(tableMetric(metric));
    if (this.opening?.name !== name) this.refuseWhileSearching();
    const opening = this.open(name);
    const { turns } = opening;
    const before = [...turns];
    let end = (): void => undefined;
    const turn: Turn = { signal, isExample, ended: new Promise((resolve) => (end = resolve)) };
    turns.add(turn);
    try {
      const solver = await this.waitFor(opening, control, onEvent);
      for (const each of before) {
        // What is forgotten ends in a moment.
        const ahead = before.filter((other) => turns.has(other) && !other.signal.aborted).length;
        if (turns.has(each) && ahead > 0) onEvent({ event: "queued", ahead });
        await Promise.race([each.ended, aborted(signal, stopSignal)]);
      }
      await act(solver);
      // A browser keeps what is persistent also when its disk is full. Some ask the user, so it is asked for only now.
      if (solver.isStored && !isExample) void navigator.storage.persisted().then((isPersistent) => isPersistent || navigator.storage.persist()).catch(() => false);
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
          state: isGenerated ? "generating" : state?.state === "ready" ? "ready" : (stored?.[name] ?? "absent"),
          percent: isGenerated ? percent : null,
          fault: null,
          in_use: state?.state === "ready",
          next: this.nameFor(metric) === name,
          fits: fits(bytes) && (stored === undefined || (usage?.quota ?? Infinity) - (usage?.usage ?? 0) > bytes || stored[name] !== undefined),
          generation_seconds: this.secondsFor(metric, size),
          cube_seconds: null,
        };
      }),
    );
    return { place: [stored ? "They are kept in this browser, for this page." : "This browser refuses storage to this page: tables are not kept."], tables: rows };
  }

  async generate(name: string, onEvent: (event: GenerationEvent) => void): Promise<void> {
    const opening = this.choose(name);
    const hear = ({ percent, secondsLeft }: NonNullable<TableState["progress"]>): void => onEvent({ event: "progress", percent, seconds_left: secondsLeft });
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
    await this.opening.solver.then(
      () => undefined,
      () => undefined,
    );
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
    if (!(exception instanceof CosetteError)) return { error: exception instanceof Error ? exception.message : String(exception), help: "load the page again" };
    // What is wrong, and how to fix it.
    const [error, ...help] = exception.message.split("; ");
    return { error: error!, ...(help.length > 0 && { help: help.join("; ") }), ...(exception.kind === "memory" && { help: "choose a smaller table under Tables, or close other tabs" }) };
  }

  /** The table that is used for a metric. */
  nameFor(metric: Metric): string {
    const size = this.sizes.get()[metric];
    return `${metric}-${size !== undefined && size in TABLES ? size : usualSize()}`;
  }

  /** Asks the reader, which is opened by the first question, and by the one after a fault. */
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

  /** Opens a table that is used from now on. */
  private choose(name: string): Opening {
    if (this.opening?.name !== name) this.refuseWhileSearching();
    this.sizes.set({ ...this.sizes.get(), [metricOf(name)]: sizeOf(name) });
    return this.open(name);
  }

  private refuseWhileSearching(): void {
    const isSearching = [...(this.opening?.turns ?? [])].some(({ signal, isExample }) => !isExample && !signal.aborted);
    if (isSearching) throw new Refusal({ error: "another search is using the table that is open", help: "stop that search first" });
  }

  /** Waits for a table. Stopping the search stops the generation, unless somebody else follows it; forgetting the search does not. */
  private async waitFor(opening: Opening, { signal, stopSignal }: SearchControl, onEvent: (event: BeforeSearch) => void): Promise<Solver> {
    const { name, solver, heard } = opening;
    const hear = ({ event, percent, secondsLeft }: NonNullable<TableState["progress"]>): void => onEvent({ event: "preparing", doing: `${event} the table ${name}`, percent, seconds_left: secondsLeft });
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

  private open(name: string): Opening {
    if (this.opening?.name === name && !this.opening.abort.signal.aborted) return this.opening;
    this.close();
    const abort = new AbortController();
    const heard: Opening["heard"] = new Set();
    let first: { at: number; done: number } | undefined;
    const onProgress = ({ event, done, total }: TableProgress): void => {
      // A table that was given up may still tell of its last slice.
      if (this.opening !== opening) return;
      const now = performance.now();
      if (event === "generating") first ??= { at: now, done };
      const isKnown = first !== undefined && done > first.done;
      const seconds = isKnown ? (now - first!.at) / 1000 : 0;
      const secondsLeft = isKnown ? (seconds / (done - first!.done)) * (total - done) : null;
      const progress = { event, percent: Math.floor((100 * done) / Math.max(total, 1)), secondsLeft };
      this.change({ name, state: "opening", progress });
      for (const hear of heard) hear(progress);
      const work = workOf(metricOf(name), sizeOf(name));
      // Of a table that was mostly there, the fixed work at the beginning and the end would count too much.
      if (isKnown && done === total && first!.done < total / 2 && work !== null) this.pace.set({ times: seconds / ((1 - first!.done / total) * work) });
    };
    this.forgetStop(name);
    const opening: Opening = { name, abort, heard, turns: new Set(), solver: isolationSettled().then(() => Solver.open({ table: name, signal: abort.signal, onProgress })) };
    this.opening = opening;
    this.change({ name, state: "opening" });
    opening.solver.then(
      async ({ isStored, threads }) => {
        // What this visit could not keep, another tab may be keeping.
        const isElsewhere = !isStored && (await storedTables().catch(() => ({}) as Record<string, string>))[name] !== undefined;
        if (this.opening !== opening) return;
        this.change({ name, state: "ready", storage: isStored ? "stored" : isElsewhere ? "elsewhere" : "refused", threads });
      },
      (error: unknown) => {
        if (this.opening !== opening) return;
        this.opening = undefined;
        const told = abort.signal.aborted ? undefined : this.errorOf(error);
        this.change({ name, state: "stopped", ...(this.state?.progress && { progress: this.state.progress }), ...(told && { error: told }) });
      },
    );
    return opening;
  }

  /** Closes the table that is open. */
  private close(): void {
    const { opening } = this;
    if (!opening) return;
    this.opening = undefined;
    opening.abort.abort();
    opening.solver.then(
      (solver) => solver.close(),
      () => undefined,
    );
    this.change(undefined);
  }

  private change(state: TableState | undefined): void {
    this.state = state;
    for (const watcher of this.watchers) watcher(state);
  }

  /** About how long a table takes to be generated, if one was generated here. */
  private secondsFor(metric: Metric, size: string): number | null {
    const { times } = this.pace.get();
    const work = workOf(metric, size);
    return times === null || work === null ? null : times * work;
  }
}

/** The engine of this page. */
export const engine = new BrowserEngine();
void engine.resume();

/** Rejects once one of the signals is aborted. */
function aborted(...signals: AbortSignal[]): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of signals) {
      if (signal.aborted) reject(signal.reason);
      else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    }
  });
}

/** Aborted with the first of these; browsers before 2024 have no `AbortSignal.any`. */
function anyOf(...signals: AbortSignal[]): AbortSignal {
  const first = new AbortController();
  aborted(...signals).catch((reason: unknown) => first.abort(reason));
  return first.signal;
}
