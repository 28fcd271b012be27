// The engine of the server's page: its HTTP API.

import { RequestError, apiErrorOf, fetchJson, stopSolve, streamEvents } from "../api";
import { h } from "../dom";
import type { GenerationEvent, PositionCheck, SolveEvent, Table } from "../protocol";
import { questionAbout, type Engine } from "./engine";

export const engine: Engine = {
  rule: "the server uses the one it was started with, or the largest on disk that fits in memory",
  kept: "On disk",

  check: (position, niss) => fetchJson<PositionCheck>("POST", "/position", { position, niss }),

  async checkAsked(asked) {
    try {
      await streamEvents("POST", "/solve", questionAbout(asked), new AbortController().signal, () => undefined);
    } catch (error) {
      if (error instanceof RequestError && error.status === 422) return error.apiError;
    }
    return undefined;
  },

  // Nobody may want to wait for a table, or to have one on this disk.
  isExampleWanted: async () => (await engine.tables()).tables.some(({ metric, next, state }) => metric === "htm" && next && state === "ready"),

  random: () => fetchJson<{ scramble: string }>("GET", "/random"),

  async solve(request, { signal, stopSignal }, onEvent) {
    const lost = new AbortController();
    let id: number | undefined;
    // The server answers with what is proven. Where it cannot be asked, the connection is closed.
    const stop = (): void => {
      if (id === undefined) lost.abort();
      else stopSolve(id).catch(() => lost.abort());
    };
    const forget = (): void => lost.abort();
    signal.throwIfAborted();
    signal.addEventListener("abort", forget, { once: true });
    stopSignal.addEventListener("abort", stop, { once: true });
    try {
      await streamEvents<SolveEvent>("POST", "/solve", request, lost.signal, (event) => {
        if (event.event === "queued") id = event.id;
        onEvent(event);
      });
    } finally {
      signal.removeEventListener("abort", forget);
      stopSignal.removeEventListener("abort", stop);
    }
  },

  async tables() {
    const { folder, named, tables } = await fetchJson<{ folder: string; named: boolean; tables: Table[] }>("GET", "/tables");
    return { place: ["They are in ", h("code", {}, folder), "."], tables, isNamed: named };
  },

  generate: (name, onEvent) => streamEvents<GenerationEvent>("POST", `/tables/${name}`, undefined, new AbortController().signal, onEvent),

  stopGenerating: (name) => fetchJson("DELETE", `/tables/${name}/generation`),

  removeTable: (name) => fetchJson("DELETE", `/tables/${name}`),

  errorOf: apiErrorOf,
};
