// The engine of the server's page: its HTTP API.

import {
  isLocal,
  RequestError,
  SERVER_STOPPED,
  apiErrorOf,
  fetchJson,
  inUnits,
  stopSolve,
  streamEvents,
} from "../api";
import type {
  QueueEvent,
  FmcEvent,
  GenerationEvent,
  InsertionsEvent,
  PositionCheck,
  ReviewEvent,
  ScrambledPosition,
  Answer,
  Provenance,
  SolveEvent,
  Table,
  Tables,
} from "../protocol";
import { tableOf } from "../solve/bounds";
import { requestToCheck, type Engine, type SearchControl } from "./engine";

export const engine: Engine = {
  rule: "the server uses the table it was started with, or the largest one on disk that fits in memory",
  storageTitle: "On disk",
  interrupted: SERVER_STOPPED,

  async check(position, niss) {
    const check = await fetchJson<PositionCheck>("POST", "/position", { position, niss });
    return check.ok ? check : inUnits(check, position);
  },

  async checkRequest(asked) {
    const known = new AbortController();
    try {
      // Errors are reported at once; any other first event means that there is none, and the check
      // need not wait in the queue.
      await streamEvents("/solve", requestToCheck(asked), known.signal, () => known.abort());
    } catch (error) {
      if (error instanceof RequestError && error.status === 422) return error.apiError;
    }
    return undefined;
  },

  // The user may not want to wait for a table, or to store one on this disk.
  isExampleWanted: async () =>
    (await engine.tables()).tables.some(
      ({ metric, next, state }) => metric === "htm" && next && state === "ready",
    ),

  random: () => fetchJson<ScrambledPosition>("GET", "/random"),

  async solve(request, control, onEvent) {
    let answer: Answer | undefined;
    await search<SolveEvent>("/solve", request, control, (event) => {
      onEvent(event);
      if (event.event === "answer") answer = event;
    });
    if (!answer || control.isExample) return;
    const provenance = await provenanceOf(answer).catch(() => undefined);
    if (provenance) onEvent({ event: "provenance", ...provenance });
  },

  fmc: (request, control, onEvent) => search<FmcEvent>("/fmc", request, control, onEvent),

  insertions: (request, control, onEvent) =>
    search<InsertionsEvent>("/fmc/insertions", request, control, onEvent),

  review: (request, control, onEvent) => search<ReviewEvent>("/review", request, control, onEvent),

  async tables() {
    const { folder, named, tables } = await fetchJson<Tables>("GET", "/tables");
    return { place: `The tables are in \`${folder}\`.`, tables, isNamed: named };
  },

  generate: (name, onEvent) =>
    streamEvents<GenerationEvent>(
      `/tables/${name}`,
      undefined,
      new AbortController().signal,
      onEvent,
    ),

  stopGenerating: (name) => fetchJson("DELETE", `/tables/${name}/generation`),

  removeTable: (name) => fetchJson("DELETE", `/tables/${name}`),

  errorOf: apiErrorOf,
};

/** Fulfilled once the app can be loaded: at once. */
export const settled: Promise<unknown> = Promise.resolve();

/** Returns the facts about the server that an answer does not have. */
async function provenanceOf(answer: Answer): Promise<Provenance> {
  const name = tableOf(answer);
  const [{ version, threads }, table] = await Promise.all([
    fetchJson<{ version: string; threads: number }>("GET", "/health"),
    name === "" ? undefined : fetchJson<Table>("GET", `/tables/${name}`),
  ]);
  const machine = `server ${isLocal ? "on this machine" : location.host}`;
  return { version, machine, threads, checksum: table?.checksum ?? null };
}

/** Runs a search on the server, and passes on each event. */
async function search<E extends { event: string }>(
  path: string,
  request: unknown,
  { signal, stopSignal }: SearchControl,
  onEvent: (event: E | QueueEvent) => void,
): Promise<void> {
  const lost = new AbortController();
  let id: number | undefined;
  // The server responds with the bounds proven until then. If it cannot be reached, the connection
  // is closed.
  const stop = (): void => {
    if (id === undefined) lost.abort();
    else stopSolve(id).catch(() => lost.abort());
  };
  const forget = (): void => lost.abort();
  signal.throwIfAborted();
  stopSignal.throwIfAborted();
  signal.addEventListener("abort", forget, { once: true });
  stopSignal.addEventListener("abort", stop, { once: true });
  try {
    await streamEvents<E | QueueEvent>(path, request, lost.signal, (event) => {
      if (event.event === "queued") id = (event as QueueEvent & { event: "queued" }).id;
      onEvent(event);
    });
  } finally {
    signal.removeEventListener("abort", forget);
    stopSignal.removeEventListener("abort", stop);
  }
}
