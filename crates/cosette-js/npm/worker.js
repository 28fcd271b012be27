// A worker: either the one that has the files and calls the module, or one that runs threads of the
// module.

import { instantiate } from "./module.js";
import { isNode, openFiles, parent } from "./platform.js";
import { requestOf, runThreads, setRequest, spawnIn } from "./threads.js";

/**
 * Time slice of generation, after which the result is stored and messages are handled, in
 * milliseconds.
 */
const SLICE = 250;
/**
 * Time slice of a search without shared memory, in which the stop flag cannot be set from outside.
 */
const SEARCH_SLICE = 200;

const page = parent(hear);

let engine;
/** The instance of the module; requests wait for it. */
let started = Promise.resolve();
let files;
let stopped = false;
let rows;
/**
 * Events that a search in slices has reported: each slice reports them again, and counts only the
 * rest of its length.
 */
let told = null;

const onEvent = (text) => {
  const event = JSON.parse(text);
  if (event.event === "loading" && isTooSoon(event)) return;
  if (told && !isNews(event)) return;
  if (told && event.event === "progress") countAll(event);
  page.post({ event, id: rows ? requestOf(rows) : undefined });
};

/** Minimum time between two reports of loading, which has thousands of steps, in milliseconds. */
const LOADING_INTERVAL = 50;
let nextLoading = 0;

function isTooSoon({ done, total }) {
  const now = performance.now();
  if (now < nextLoading && done < total) return true;
  nextLoading = now + LOADING_INTERVAL;
  return false;
}

function isNews(heard) {
  const { event, length, exhausted } = heard;
  if (event === "iteration-finished") {
    told.end = exhausted ? null : heard;
    return exhausted;
  }
  if (event === "iteration-started" && length > told.lowerBound) {
    Object.assign(told, { lowerBound: length, since: performance.now(), done: 0, total: 0 });
    return true;
  }
  // A goal is searched in one slice, which reports each of its solutions once.
  if (event === "solution" && (told.inFirstSlice || length < told.best)) {
    told.best = Math.min(told.best, length);
    return true;
  }
  return event === "progress" || event === "building";
}

/**
 * Minimum time in seconds, and minimum share of the work, before the remaining time is estimated,
 * as in the library (`forecast.rs`).
 */
const SETTLED_TIME = 0.5;
const SETTLED_SHARE = 0.02;

/** Converts progress of a slice to progress of the whole length. */
function countAll(progress) {
  // A new slice counts in another unit, from 0.
  if (progress.done > 0 || told.total === 0) told.total = Math.max(told.total, progress.total);
  if (progress.done > 0)
    told.done = Math.max(told.done, told.total - progress.total + progress.done);
  const { done, total } = told;
  const seconds = (performance.now() - told.since) / 1000;
  Object.assign(progress, { done, total });
  delete progress.seconds_left;
  delete progress.proof_seconds_left;
  // The first slice is too early, or belongs to a goal, for which there is no estimate.
  const isSettled = !told.inFirstSlice && seconds >= SETTLED_TIME && done > SETTLED_SHARE * total;
  if (isSettled) progress.seconds_left = (seconds * (total - done)) / done;
}

/** Waits until pending messages are handled. */
const pause = () => new Promise((resolve) => setTimeout(resolve));

const tasks = {
  async start({ module, memory, rows: shared }) {
    rows = shared;
    // The files are opened with the table, so the module accesses them indirectly.
    const current = Object.fromEntries(
      ["length", "setLength", "read", "write", "sync"].map((name) => [
        name,
        (...rest) => need(files)[name](...rest),
      ]),
    );
    engine = await instantiate(module, {
      memory,
      files: current,
      onEvent,
      spawn: rows && spawnIn(rows),
    });
    engine.exports._initialize();
    return { stopFlag: memory ? engine.stopFlag() : null };
  },

  async open({ table, threads, folder }) {
    if (table === null) return engine.call({ do: "open", table, threads });
    const named = engine.call({ do: "name", table });
    if (named.error) return named;
    files = await openFiles(folder, named.table);
    try {
      let isKept = true;
      let state = engine.call({ do: "open", table, threads, isInUsersFolder: isNode });
      // The module knows only the name of the file.
      if (state.error && files?.path)
        state.message = state.message.replace(`${named.table}.table`, () => files.path);
      const isNamed = isNode && typeof folder === "string";
      if (isNamed && !state.error && !state.ready && !state.stored) {
        const message =
          `${named.table} cannot be stored in ${folder}; ` +
          "pass a writable `folder`, or null for a table in memory";
        return { error: "table", message };
      }
      while (!state.error && !state.ready) {
        page.post({ event: { event: "generating", done: state.done, total: state.total } });
        await pause();
        if (stopped) return { stopped: true };
        state = { ...state, ...engine.call({ do: "generate", milliseconds: SLICE }) };
        isKept = flush() && isKept;
        state.stored &&= isKept;
        if (state.ready)
          page.post({ event: { event: "generating", done: state.total, total: state.total } });
        if (state.ready && state.stored) state.stored = await isMoved();
      }
      return state;
    } finally {
      files?.close();
      files = null;
    }
  },

  async solve({ request, isShared }) {
    if (isShared) return engine.call(request);
    told = { lowerBound: -1, best: Infinity, inFirstSlice: true };
    try {
      for (;;) {
        const solved = engine.call({ ...request, milliseconds: SEARCH_SLICE });
        told.inFirstSlice = false;
        if (solved.unfinished) await pause();
        if (solved.unfinished && !stopped) continue;
        if (told.end) page.post({ event: told.end });
        return solved;
      }
    } finally {
      told = null;
      engine.call({ do: "forget" });
    }
  },

  async call({ request }) {
    return engine.call(request);
  },
};

/** Flushes the files; returns `false` if that fails. */
function flush() {
  try {
    files?.flush();
    return true;
  } catch {
    return false;
  }
}

/** Moves the complete file to its place; returns `false` if that fails. */
async function isMoved() {
  try {
    await files.complete();
    return true;
  } catch {
    return false;
  }
}

function need(files) {
  if (!files) throw new Error("there are no files");
  return files;
}

async function hear(message) {
  if (message.do === "stop") {
    stopped = true;
    return;
  }
  if (message.do === "runThreads") {
    try {
      const { module, memory, number } = message;
      rows = message.rows;
      const thread = await instantiate(module, { memory, onEvent, spawn: spawnIn(rows) });
      page.post({ id: message.id, answer: {} });
      runThreads(rows, number, thread.exports);
    } catch (error) {
      page.post({ fault: String(error?.message ?? error) });
    }
    return;
  }
  if (rows) setRequest(rows, message.id);
  stopped = false;
  const before = started;
  try {
    const answer = before.then(() => tasks[message.do](message));
    if (message.do === "start") started = answer;
    page.post({ id: message.id, answer: await answer });
  } catch (error) {
    page.post({
      id: message.id,
      answer: { error: "engine", message: String(error?.message ?? error) },
    });
  }
}
