// The solver: the native engine, or a worker with the table, and more workers for its threads if
// they can share memory.

import { nativeAddon, startNative } from "./native.js";
import {
  BUNDLE_HELP,
  allowListeners,
  canShareMemory,
  compile,
  isNode,
  listStored,
  processors,
  removeStored,
  startWorker,
} from "./platform.js";
import { newRows } from "./threads.js";
import { instantiate, sharedMemory } from "./module.js";

/** An error of the solver; `kind` is its subject, see index.d.ts. */
export class CosetteError extends Error {
  constructor(kind, message, { span, index } = {}) {
    super(message);
    this.name = "CosetteError";
    this.kind = kind;
    this.code = `ERR_COSETTE_${kind.toUpperCase()}`;
    // Quoted input comes first, so the last semicolon divides the message from the help.
    const divider = message.lastIndexOf("; ");
    if (divider >= 0) this.help = message.slice(divider + 2);
    if (span) this.span = span;
    if (index !== undefined) this.index = index;
  }
}

/** Formats a value for an error, with quotes around a string. */
const shown = (value) => (typeof value === "string" ? `'${value}'` : String(value));

/** Rejects options that are not an object, or include the position; an error shows an example. */
function objectOf(options, example) {
  if (typeof options !== "object" || options === null)
    throw new CosetteError(
      "request",
      `the options are ${shown(options)}; they must be an object, such as ${example}`,
    );
  for (const name of ["position", "text"]) {
    if (name in options)
      throw new CosetteError(
        "request",
        `${name} is not an option; the position is the first argument`,
      );
  }
  return options;
}

const OPEN_OPTIONS = "{ table: '190M' }";
const SOLVE_OPTIONS = "{ count: 'all' }";
const MANY_OPTIONS = "{ errors: 'return' }";
const RANDOM_OPTIONS = "{ seed: 1 }";
const FMC_OPTIONS = "{ steps: 'eo[max=4]' }";
const REVIEW_OPTIONS = "{ timeout: 60 }";
const INSERTION_OPTIONS = '{ from: "U (F R) D" }';
const SCRAMBLE_OPTIONS = "{ count: 5 }";

/** Rejects a position, or other text, that is not a string. */
function textOf(text, name = "the position is") {
  if (typeof text !== "string")
    throw new CosetteError("request", `${name} ${shown(text)}; it must be a string`);
  return text;
}

/** Names a position of a list in the error about it. */
function listedError({ kind, message, span }, index) {
  return new CosetteError(kind, `positions[${index}]: ${message}`, { span, index });
}

/** Maximum number of positions in one request to the engine. */
const CHUNK = 1024;

/** Divides positions into arrays of at most this length, each with the index of its first. */
function* chunksOf(positions, length) {
  let chunk = [];
  let first = 0;
  for (const position of positions) {
    if (chunk.push(position) < length) continue;
    yield { chunk, first };
    first += length;
    chunk = [];
  }
  if (chunk.length > 0) yield { chunk, first };
}

/** Time that a source has for more positions before those at hand are solved, in milliseconds. */
const PATIENCE = 50;

/** Divides the positions of an asynchronous source; a pause of the source ends an array early. */
async function* chunksOfSource(positions, length, signal) {
  const source = positions[Symbol.asyncIterator]();
  let isOver = false;
  let next;
  const read = async () => {
    const { value, done } = await source.next();
    isOver ||= done;
    return done ? [] : [value];
  };
  const readNext = () => {
    next = read();
    // An error is thrown where the position is needed.
    next.catch(() => {});
  };
  try {
    readNext();
    for (let first = 0; ;) {
      await unlessAborted(next, signal);
      let timer;
      const pause = new Promise((resolve) => (timer = setTimeout(resolve, PATIENCE, null)));
      const chunk = [];
      while (!isOver && chunk.length < length) {
        const item = await Promise.race([next, pause]);
        if (item === null) break;
        chunk.push(...item);
        if (!isOver) readNext();
      }
      clearTimeout(timer);
      if (chunk.length > 0) yield { chunk, first };
      first += chunk.length;
      if (isOver) return;
    }
  } finally {
    // Not awaited: the source may be waiting for a position that never comes.
    if (!isOver) Promise.resolve(source.return?.()).catch(() => {});
  }
}

/** Yields results in the order of their indices. */
async function* inOrder(results) {
  const early = new Map();
  let next = 0;
  for await (const result of results) {
    early.set(result.index, result);
    for (; early.has(next); next++) {
      yield early.get(next);
      early.delete(next);
    }
  }
}

/** Returns a random seed, with as many bits as a JSON number preserves. */
function randomSeed() {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return (high & 0x1fffff) * 2 ** 32 + low;
}

/** Returns the request to parse a text. */
function checkRequest(position, options) {
  const {
    niss = false,
    format = null,
    face_order = null,
    ...unknown
  } = objectOf(options, "{ niss: true }");
  checkOptions(unknown, {}, {});
  if (typeof niss !== "boolean")
    throw new CosetteError("request", `niss is ${shown(niss)}; it must be true or false`);
  return {
    do: "call",
    request: { do: "check", position: textOf(position), niss, format, face_order },
  };
}

/** Rejects unknown options, and values that are not functions or signals. */
function checkOptions(unknown, functions, signals) {
  const [name] = Object.keys(unknown);
  if (name !== undefined)
    throw new CosetteError("request", `unknown option ${name}; index.d.ts lists all options`);
  for (const [name, value] of Object.entries(functions)) {
    if (value !== undefined && typeof value !== "function")
      throw new CosetteError("request", `${name} is ${shown(value)}; it must be a function`);
  }
  for (const [name, value] of Object.entries(signals)) {
    // Signals of other windows are not instances of this window's class.
    const isSignal =
      typeof value?.addEventListener === "function" && typeof value.throwIfAborted === "function";
    if (![undefined, null].includes(value) && !isSignal)
      throw new CosetteError("request", `${name} is ${shown(value)}; it must be an AbortSignal`);
  }
}

/** The pending requests to workers. */
class Requests {
  #waiting = new Map();
  #last = 0;
  /** The error after which all requests are rejected. */
  failure = null;

  has(id) {
    return this.#waiting.has(id);
  }

  post(worker, message) {
    if (this.failure) return Promise.reject(this.failure);
    const id = ++this.#last;
    worker.hold();
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { worker, resolve, reject });
      worker.post({ ...message, id });
    }).finally(
      () =>
        [...this.#waiting.values()].some((waiting) => waiting.worker === worker) || worker.letGo(),
    );
  }

  /** Answers a request. Returns the error if it leaves the memory in an unknown state. */
  answer(id, answer) {
    const { resolve, reject } = this.#waiting.get(id) ?? {};
    this.#waiting.delete(id);
    // The fault of a checked position is not an error; that answer has `ok`.
    const error =
      answer.error && answer.ok === undefined
        ? new CosetteError(answer.error, answer.message, answer)
        : undefined;
    if (error) reject?.(error);
    else resolve?.(answer);
    return error?.kind === "engine" ? error : undefined;
  }

  /** Rejects all requests from now on, with the first error. */
  fail(error) {
    this.failure ??=
      error instanceof CosetteError ? error : new CosetteError("engine", error.message);
    for (const { reject } of this.#waiting.values()) reject(this.failure);
    this.#waiting.clear();
  }
}

/**
 * The listener of a request. An exception that it throws stops the request, and so does a promise
 * that it returns and that is rejected.
 */
class Listener {
  #onEvent;
  #stop;
  #pending = new Set();
  /** The first exception or reason, as `{ error }`. */
  failure = null;

  constructor(onEvent, stop) {
    this.#onEvent = onEvent;
    this.#stop = stop;
  }

  hear(event) {
    if (this.failure) return;
    try {
      const promise = this.#onEvent?.(event);
      if (typeof promise?.then !== "function") return;
      const settled = Promise.resolve(promise)
        .catch((error) => this.#fail(error))
        .finally(() => this.#pending.delete(settled));
      this.#pending.add(settled);
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error) {
    this.failure ??= { error };
    this.#stop();
  }

  /** Waits for the promises that the listener has returned. */
  async settled() {
    await Promise.all(this.#pending);
  }
}

/** A minimal module that uses SIMD. */
const USES_SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15,
  253, 98, 11,
]);
/** The metrics of tables. */
const METRICS = ["htm", "qtm"];
/** The metrics of goals, independent of the table. */
const METRICS_OF_GOALS = ["stm", "qstm", "etm"];
const MAX_THREADS = 64;
/** The name of the largest table that is stored, or else of the default table. */
const AUTO = "auto";
const DEFAULT_SIZE = "190M";
/** The table of a solver without one, and of its answers. */
const NO_TABLE = "no table";

/** Returns the name of a table with its metric, which may be missing in it. */
const fullName = (table, metric = "htm") =>
  String(table).includes("-") ? String(table) : `${metric}-${table}`;

/**
 * Time for an aborted generation to end by itself before its worker is terminated, in milliseconds.
 */
const GRACE = 250;

/** Returns `true` if WebAssembly supports SIMD here, which is required. */
export function hasSimd() {
  return "WebAssembly" in globalThis && WebAssembly.validate(USES_SIMD);
}

function needSimd() {
  if (!hasSimd())
    throw new CosetteError("engine", "WebAssembly SIMD is not supported here; use a newer browser");
}

/** Loads the compiled module. */
async function load(isShared) {
  try {
    return await compile(isShared);
  } catch (error) {
    throw new CosetteError("engine", error.message);
  }
}

/** Replaces the name of the largest stored table, such as `htm-auto`; returns any other name. */
async function resolveAuto(name, folder) {
  const [metric, size] = name.toLowerCase().split("-");
  if (size !== AUTO) return name;
  const stored = folder === null ? {} : await listStored(folder).catch(() => ({}));
  const largest = Object.keys(TABLES).findLast((size) => stored[`${metric}-${size}`] === "ready");
  return `${metric}-${largest ?? DEFAULT_SIZE}`;
}

/** Returns the addon if the native engine is used, otherwise null. */
function chooseEngine(engine) {
  if (engine !== undefined && engine !== "native" && engine !== "wasm") {
    throw new CosetteError(
      "request",
      `the engine is ${shown(engine)}; it must be 'native' or 'wasm'`,
    );
  }
  const addon = engine === "wasm" ? { refused: "it is not requested" } : nativeAddon();
  if (!addon.refused) return addon;
  if (engine === "native") {
    throw new CosetteError(
      "engine",
      `the native engine is unavailable: ${addon.refused}; omit engine: 'native' to use WebAssembly, or ${BUNDLE_HELP}`,
    );
  }
  needSimd();
  return null;
}

/** Converts a request to JSON values; others become strings, which the engine rejects by name. */
function plainly(request) {
  // An infinite timeout means no limit.
  const isUnknown = (name, value) =>
    ["function", "symbol", "bigint"].includes(typeof value) ||
    Number.isNaN(value) ||
    (value === Infinity && name !== "timeout");
  return JSON.parse(
    JSON.stringify(request, (name, value) => (isUnknown(name, value) ? String(value) : value)),
  );
}

/** Waits for a promise; rejects as soon as the signal is aborted. */
async function unlessAborted(promise, signal) {
  signal?.throwIfAborted();
  allowListeners(signal);
  let abort;
  const aborted = new Promise((_, reject) => {
    abort = () => reject(signal.reason);
    signal?.addEventListener("abort", abort);
  });
  try {
    await Promise.race([promise, aborted]);
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

export class Solver {
  #workers = [];
  #requests = new Requests();
  #queue = Promise.resolve();
  /** The listener of the current request. */
  #listener = null;
  #memory = null;
  #stopFlag = null;
  /** Checks texts while a search runs: a promise of a `Reader`. */
  #reader = null;

  engine = "wasm";
  table = NO_TABLE;
  metric = "";
  threads = 1;
  isStored = false;

  constructor(isOpened) {
    if (!isOpened)
      throw new CosetteError("request", "the constructor is private; use await Solver.open()");
  }

  static async open(options = {}) {
    const {
      table = AUTO,
      metric,
      threads,
      folder,
      sharedMemory = true,
      engine,
      onProgress,
      signal,
      ...unknown
    } = objectOf(options, OPEN_OPTIONS);
    checkOptions(unknown, { onProgress }, { signal });
    if (![undefined, ...METRICS].includes(metric))
      throw new CosetteError("request", `metric is ${shown(metric)}; it must be 'htm' or 'qtm'`);
    if (![undefined, null].includes(folder) && (typeof folder !== "string" || folder === ""))
      throw new CosetteError("request", `folder is ${shown(folder)}; it must be a path, or null`);
    if (typeof sharedMemory !== "boolean")
      throw new CosetteError(
        "request",
        `sharedMemory is ${shown(sharedMemory)}; it must be true or false`,
      );
    signal?.throwIfAborted();
    const addon = chooseEngine(engine);
    const most = addon ? Infinity : MAX_THREADS;
    if (threads !== undefined && !(Number.isInteger(threads) && threads >= 1 && threads <= most)) {
      const range = addon ? "from 1" : `from 1 to ${most}`;
      throw new CosetteError(
        "threads",
        `the number of threads is ${shown(threads)}; it must be a whole number ${range}`,
      );
    }
    allowListeners(signal);
    const solver = new Solver(true);
    solver.engine = addon ? "native" : "wasm";
    const isShared = sharedMemory && (addon !== null || canShareMemory());
    solver.threads = isShared ? (threads ?? Math.min(await processors(), most)) : 1;
    let name = table === null ? null : fullName(table, metric);
    if (metric !== undefined && name === null)
      throw new CosetteError(
        "request",
        "metric is the metric of a table, and table is null; omit metric",
      );
    if (metric !== undefined && !name.toLowerCase().startsWith(`${metric}-`))
      throw new CosetteError(
        "request",
        `the table ${name} is not in the metric ${metric}; omit metric`,
      );
    if (!addon && /-(3|6|12)G$/i.test(name))
      throw new CosetteError(
        "memory",
        `${name} is too large for WebAssembly; use the native engine in Node, or a table of at most 1.5G`,
      );
    if (!addon && name !== null) name = await resolveAuto(name, folder);
    let abort;
    const aborted = new Promise((_, reject) => {
      abort = () => setTimeout(() => reject(signal.reason), GRACE);
      signal?.addEventListener("abort", abort);
    });
    aborted.catch(() => {});
    const opened = async () => {
      await (addon ? solver.#startNative(addon) : solver.#start(isShared));
      return solver.#ask(
        { do: "open", table: name, threads: solver.threads, folder },
        { onEvent: onProgress, signal },
      );
    };
    try {
      const state = await Promise.race([opened(), aborted]);
      if (state.stopped) signal.throwIfAborted();
      solver.table = state.table ?? NO_TABLE;
      solver.metric = state.metric ?? "";
      solver.isStored = state.stored;
    } catch (error) {
      solver.close();
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
    return solver;
  }

  async #startNative(addon) {
    try {
      this.#workers.push(startNative(addon, (message) => this.#hear(message)));
    } catch (error) {
      throw new CosetteError("engine", error.message);
    }
  }

  async #start(isShared) {
    // Compiled while the workers start.
    const compiled = load(isShared);
    compiled.catch(() => {});
    if (isShared) {
      try {
        this.#memory = sharedMemory();
      } catch (error) {
        throw new CosetteError(
          "memory",
          `shared memory cannot be allocated: ${error.message}; use sharedMemory: false`,
        );
      }
    }
    // A search may have one more thread than requested: the two-phase search.
    const rows = isShared ? newRows(this.threads + 1) : null;
    const count = isShared ? this.threads + 2 : 1;
    for (let i = 0; i < count; i++) {
      const worker = await startWorker(
        (message) => this.#hear(message),
        (error) => this.#fail(error),
      ).catch(async (error) => {
        // A bundle that lacks the worker lacks the module too, whose error says so.
        await compiled;
        throw error;
      });
      this.#workers.push(worker);
      // The solver was closed meanwhile.
      const { failure } = this.#requests;
      if (failure) {
        this.#fail(failure);
        throw failure;
      }
    }
    const module = await compiled;
    const [first, ...others] = this.#workers;
    const memory = this.#memory;
    // The first instance is the main thread. Nothing waits for the answers: a busy page would delay
    // them. A failure rejects all requests.
    this.#requests.post(first, { do: "start", module, memory, rows }).then(
      ({ stopFlag }) => (this.#stopFlag = stopFlag),
      () => {},
    );
    for (const [number, worker] of others.entries())
      this.#requests
        .post(worker, { do: "runThreads", module, memory, rows, number })
        .catch(() => {});
  }

  #hear({ id, answer, event, fault }) {
    if (fault) this.#fail(new Error(fault));
    // An event of another thread may arrive after the answer, with the `id` of an earlier
    // request.
    else if (event && (id === undefined || this.#requests.has(id))) this.#listener?.hear(event);
    else if (answer) {
      const error = this.#requests.answer(id, answer);
      if (error) this.#fail(error);
    }
  }

  #fail(error) {
    this.#requests.fail(error);
    for (const worker of this.#workers.splice(0)) worker.end();
    this.#reader?.then((reader) => reader.close()).catch(() => {});
    this.#memory = this.#stopFlag = null;
  }

  /** Sends a request to the first worker once it is idle. */
  async #ask(message, { onEvent, signal, stopSignal } = {}) {
    const turn = this.#queue;
    let end;
    this.#queue = new Promise((resolve) => (end = resolve));
    const listener = new Listener(onEvent, () => this.#listener === listener && this.#stop());
    let answer;
    try {
      await unlessAborted(turn, signal);
      // A listener of the previous request may have aborted this one since its turn came.
      signal?.throwIfAborted();
      if (this.#requests.failure) throw this.#requests.failure;
      answer = await this.#askNow(message, listener, { signal, stopSignal });
    } finally {
      turn.then(end);
    }
    // The next request may begin, for which the listener may wait.
    if (!listener.failure) await unlessAborted(listener.settled(), signal);
    if (listener.failure) throw listener.failure.error;
    return answer;
  }

  async #askNow(message, listener, { signal, stopSignal }) {
    this.#setStopFlag(0);
    const stop = () => this.#stop();
    signal?.addEventListener("abort", stop);
    stopSignal?.addEventListener("abort", stop);
    this.#listener = listener;
    try {
      const answer = this.#requests.post(this.#workers[0], message);
      if (stopSignal?.aborted) stop();
      return await answer.catch((error) => {
        if (!listener.failure) throw error;
      });
    } finally {
      this.#listener = null;
      signal?.removeEventListener("abort", stop);
      stopSignal?.removeEventListener("abort", stop);
    }
  }

  #setStopFlag(value) {
    if (this.#stopFlag !== null)
      Atomics.store(new Uint8Array(this.#memory.buffer), this.#stopFlag, value);
  }

  #stop() {
    this.#setStopFlag(1);
    this.#workers[0]?.post({ do: "stop" });
  }

  /** Converts the options of a search to a request, with the metric. */
  #searchRequest(options) {
    const { metric } = options;
    const metrics = [...METRICS, ...METRICS_OF_GOALS];
    if (![undefined, ...metrics].includes(metric)) {
      throw new CosetteError(
        "request",
        `metric is ${shown(metric)}; metrics are ${metrics.join(", ")}`,
      );
    }
    if (this.metric !== "" && ![undefined, this.metric, ...METRICS_OF_GOALS].includes(metric)) {
      throw new CosetteError(
        "request",
        `the table ${this.table} is in the metric ${this.metric}; ` +
          `open a table in the metric ${metric}, or, for a goal, use table: null`,
      );
    }
    return plainly({ ...options, metric: metric ?? (this.metric || "htm") });
  }

  async solve(position, options = {}) {
    const {
      onEvent,
      signal,
      stopSignal,
      plain = false,
      ...search
    } = objectOf(options, SOLVE_OPTIONS);
    checkOptions({}, { onEvent }, { signal, stopSignal });
    if (typeof plain !== "boolean")
      throw new CosetteError("request", `plain is ${shown(plain)}; it must be true or false`);
    const request = { ...this.#searchRequest(search), position: textOf(position) };
    const question = { do: "solve", plain, request };
    const message = { do: "solve", request: question, isShared: this.#memory !== null };
    const { answer } = await this.#ask(message, { onEvent, signal, stopSignal });
    signal?.throwIfAborted();
    return answer;
  }

  async *solveMany(positions, options = {}) {
    const { signal, ordered = true, errors = "throw", ...search } = objectOf(options, MANY_OPTIONS);
    checkOptions({}, {}, { signal });
    const isIterable = [Symbol.iterator, Symbol.asyncIterator].some(
      (name) => typeof positions?.[name] === "function",
    );
    if (typeof positions === "string" || !isIterable)
      throw new CosetteError(
        "request",
        `the positions are ${shown(positions)}; they must be an array of strings, or another iterable`,
      );
    if (typeof ordered !== "boolean")
      throw new CosetteError("request", `ordered is ${shown(ordered)}; it must be true or false`);
    if (errors !== "throw" && errors !== "return")
      throw new CosetteError(
        "request",
        `errors is ${shown(errors)}; it must be 'throw' or 'return'`,
      );
    const results = this.#results(positions, this.#searchRequest(search), signal);
    for await (const result of ordered ? inOrder(results) : results) {
      if (errors === "throw" && result instanceof CosetteError) throw result;
      yield result;
    }
  }

  /** Yields the answer of each position, or the error of its text, as they are found. */
  async *#results(positions, request, signal) {
    // Without shared memory, only the time slices of single searches can be stopped.
    const areShared = this.engine === "native" || this.#memory !== null;
    const length = areShared ? CHUNK : 1;
    const chunks = positions[Symbol.asyncIterator]
      ? chunksOfSource(positions, length, signal)
      : chunksOf(positions, length);
    for await (const { chunk, first } of chunks) {
      if (areShared) yield* this.#solveChunk(chunk, first, request, signal);
      else yield await this.#solveListed(chunk[0], first, { ...request, signal });
    }
  }

  /** Solves one position of a list. */
  async #solveListed(position, index, options) {
    try {
      return { ...(await this.solve(position, options)), index };
    } catch (error) {
      if (typeof position === "string" && error.kind !== "position") throw error;
      return listedError(error, index);
    }
  }

  /** Solves several positions at once; `first` is the index of the first one in the list. */
  async *#solveChunk(chunk, first, request, signal) {
    const results = [];
    const texts = chunk.map((position, index) => {
      if (typeof position === "string") return position;
      const message = `the position is ${shown(position)}; it must be a string`;
      results.push(listedError({ kind: "request", message }, first + index));
      return null;
    });
    let wake = () => {};
    const onEvent = ({ event, index, answer, failure }) => {
      if (event === "answer") results.push({ ...answer, index: first + index });
      if (event === "failure")
        results.push(listedError({ ...failure, kind: failure.error }, first + index));
      wake();
    };
    const stop = new AbortController();
    const abort = () => {
      stop.abort();
      wake();
    };
    let end;
    const question = { do: "solveMany", positions: texts, request };
    const ended = this.#ask({ do: "call", request: question }, { onEvent, signal: stop.signal })
      .then(() => (end = {}))
      .catch((error) => (end = { error }))
      .finally(() => wake());
    allowListeners(signal);
    signal?.addEventListener("abort", abort);
    try {
      for (;;) {
        signal?.throwIfAborted();
        if (results.length > 0) yield results.shift();
        else if (end) break;
        else await new Promise((resolve) => (wake = resolve));
      }
      if (end.error) throw end.error;
    } finally {
      signal?.removeEventListener("abort", abort);
      stop.abort();
      await ended;
    }
  }

  async solveAll(position, options = {}) {
    for (const name of ["count", "prefer"]) {
      if (objectOf(options, SOLVE_OPTIONS)[name] !== undefined)
        throw new CosetteError(
          "request",
          `${name} is an option of solve only; solveAll finds all solutions`,
        );
    }
    return this.solve(position, { ...objectOf(options, SOLVE_OPTIONS), count: "all" });
  }

  async fmc(position, options = {}) {
    const { onEvent, signal, stopSignal, ...request } = objectOf(options, FMC_OPTIONS);
    checkOptions({}, { onEvent }, { signal, stopSignal });
    const question = { do: "fmc", request: plainly({ ...request, position: textOf(position) }) };
    return this.#call(question, { onEvent, signal, stopSignal });
  }

  async review(scramble, solution, options = {}) {
    const { onEvent, signal, stopSignal, ...limits } = objectOf(options, REVIEW_OPTIONS);
    checkOptions({}, { onEvent }, { signal, stopSignal });
    const request = {
      ...this.#searchRequest(limits),
      position: textOf(scramble),
      solution: textOf(solution, "the solution is"),
    };
    return this.#call({ do: "review", request }, { onEvent, signal, stopSignal });
  }

  /** Sends a request that is not searched in slices. */
  async #call(request, control) {
    const answer = await this.#ask({ do: "call", request }, control);
    control.signal?.throwIfAborted();
    return answer;
  }

  async insertions(position, options) {
    const { signal, ...request } = objectOf(options, INSERTION_OPTIONS);
    checkOptions({}, {}, { signal });
    if (request.from === undefined)
      throw new CosetteError(
        "request",
        `from is undefined; it must be the moves of the skeleton, such as ${INSERTION_OPTIONS}`,
      );
    const question = {
      do: "insertions",
      request: plainly({ ...request, position: textOf(position) }),
    };
    try {
      return await this.#ask({ do: "call", request: question }, { signal });
    } finally {
      signal?.throwIfAborted();
    }
  }

  async check(position, options = {}) {
    const message = checkRequest(position, options);
    if (this.#listener === null) return this.#ask(message);
    const reader = await (this.#reader ??= Reader.open());
    return reader.check(position, options);
  }

  close() {
    this.#fail(new CosetteError("closed", "the solver is closed"));
  }
}

/** Parses positions in a separate worker, without a table, even while a solver works. */
export class Reader {
  #worker = null;
  #requests = new Requests();

  constructor(isOpened) {
    if (!isOpened)
      throw new CosetteError("request", "the constructor is private; use await Reader.open()");
  }

  static async open() {
    needSimd();
    const reader = new Reader(true);
    const module = await load(false);
    reader.#worker = await startWorker(
      (message) => reader.#hear(message),
      (error) => reader.#fail(error),
    );
    await reader.#post({ do: "start", module, memory: null, rows: null });
    return reader;
  }

  #hear({ id, answer }) {
    const error = this.#requests.answer(id, answer);
    if (error) this.#fail(error);
  }

  #fail(error) {
    this.#requests.fail(error);
    this.#worker?.end();
    this.#worker = null;
  }

  #post(message) {
    return this.#requests.post(this.#worker, message);
  }

  #read(request) {
    return this.#post({ do: "call", request: { do: "read", request } });
  }

  async check(position, options = {}) {
    return this.#post(checkRequest(position, options));
  }

  async random(options = {}) {
    const { seed = randomSeed(), ...unknown } = objectOf(options, RANDOM_OPTIONS);
    checkOptions(unknown, {}, {});
    if (!Number.isSafeInteger(seed) || seed < 0)
      throw new CosetteError(
        "request",
        `seed is ${shown(seed)}; it must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`,
      );
    return this.#read({ do: "random", seed });
  }

  async scrambles(position, options = {}) {
    const { seed = randomSeed(), ...others } = objectOf(options, SCRAMBLE_OPTIONS);
    const request = { ...others, seed, case: textOf(position) };
    return this.#read({ do: "scrambles", request: plainly(request) });
  }

  close() {
    this.#fail(new CosetteError("closed", "the reader is closed"));
  }
}

for (const { prototype } of [Solver, Reader]) {
  // For `using` and `await using`. Browsers without them lack these symbols.
  if (Symbol.dispose)
    prototype[Symbol.dispose] = function () {
      this.close();
    };
  if (Symbol.asyncDispose)
    prototype[Symbol.asyncDispose] = async function () {
      this.close();
    };
}

/** The facelets of the solved cube. */
const SOLVED = [..."URFDLB"].map((face) => face.repeat(9)).join("");

/** Returns `true` for 54 letters of faces, nine of each, which could be read as moves. */
const areFacelets = (text) => [...text.trim()].sort().join("") === [...SOLVED].sort().join("");

/** Loads a model of the cube, whose functions are synchronous: it needs no worker and no table. */
export async function loadCubeModel() {
  needSimd();
  const engine = await instantiate(await load(false), {});
  engine.exports._initialize();
  const call = (request) => {
    const answer = engine.call({ do: "read", request });
    if (answer.error) throw new CosetteError(answer.error, answer.message, answer);
    return answer;
  };
  // The solution of the solved cube is an empty text.
  const positionOf = (position) => textOf(position).trim() || SOLVED;
  const movesOf = (moves) => {
    if (areFacelets(textOf(moves, "moves are")))
      throw new CosetteError(
        "moves",
        "the moves are 54 facelets, which are a position; write moves, such as R U2",
        { span: [0, moves.length] },
      );
    return moves;
  };
  return {
    apply: (position, moves) =>
      call({ do: "apply", position: positionOf(position), moves: movesOf(moves) }).facelets,
    inverse: (moves) => call({ do: "inverse", moves: movesOf(moves) }).moves,
    isSolved: (position) => call({ do: "isSolved", position: positionOf(position) }).solved,
  };
}

/** Returns the tables stored by the browser for this origin, by name: complete or partial. */
export async function storedTables() {
  if (isNode)
    throw new CosetteError(
      "request",
      "storedTables is for browsers; in Node, use `cosette tables list`",
    );
  return listStored().catch(refuseStorage);
}

/** Converts a refusal of the browser to an error of the solver. */
function refuseStorage(error) {
  if (error instanceof DOMException)
    throw new CosetteError("table", `the browser blocks storage for this page: ${error.message}`);
  throw error;
}

/** Removes a table stored by the browser. */
export async function removeTable(table) {
  if (isNode)
    throw new CosetteError(
      "request",
      "removeTable is for browsers; in Node, use `cosette tables rm`",
    );
  const kept = Object.keys(await storedTables());
  const names = [...kept, ...Object.keys(TABLES).flatMap((size) => [`htm-${size}`, `qtm-${size}`])];
  const full = fullName(table).toLowerCase();
  const name = names.find((name) => name.toLowerCase() === full);
  if (name === undefined) {
    throw new CosetteError(
      "table",
      `unknown table ${JSON.stringify(table)}; use a name such as htm-190M. Stored in this browser: ${kept.join(", ") || "none"}`,
    );
  }
  await removeStored(name).catch((error) => {
    if (!(error instanceof DOMException)) throw error;
    throw new CosetteError(
      "table",
      `${name} cannot be removed while it is being loaded or generated (${error.message}); wait until it is ready, or close other pages that use it`,
    );
  });
}

/** The table sizes that WebAssembly supports, with their memory use in bytes. */
export const TABLES = Object.freeze({
  "24M": 23_669_568,
  "47M": 47_121_984,
  "94M": 94_243_968,
  "190M": 188_270_784,
  "375M": 376_324_416,
  "750M": 752_431_680,
  "1.5G": 1_504_863_360,
});

/** Returns `true` if workers can share memory here, which more than one thread requires. */
export const hasThreads = canShareMemory;

export { isNode };
