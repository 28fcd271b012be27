// The two engines without a browser: the one of the static page with a package that computes nothing, the other without a server.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

/** In place of the npm package. */
const PACKAGE = `
  export class CosetteError extends Error { constructor(kind) { super(kind); this.kind = kind; } }
  export const Solver = { open: (options) => globalThis.openSolver(options, CosetteError) };
  export const Reader = { open: async () => ({ check: async () => ({ ok: true, facelets: "" }) }) };
  export const TABLES = { "190M": 190e6 };
  export const [hasSimd, storedTables, removeTable] =
    [() => true, async () => globalThis.stored, async () => undefined];
`;
const fakePackage = {
  name: "fake-package",
  enforce: "pre",
  resolveId: (id) => (id.endsWith("/npm/index.js") ? "\0package" : null),
  load: (id) => (id === "\0package" ? PACKAGE : null),
};
const load = async (name) =>
  (
    await runnerImport(fileURLToPath(new URL(`../src/engine/${name}.ts`, import.meta.url)), {
      plugins: [fakePackage],
    })
  ).module;

Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
Object.assign(globalThis, {
  crossOriginIsolated: true,
  // A view without an example, which would open a table.
  location: new URL("http://127.0.0.1/#batch"),
  matchMedia: () => ({ matches: false }),
});

/**
 * An engine whose searches end when they are told to, and what it has opened. The table in half turns is stored;
 * `isReady` tells which tables open.
 */
async function browserEngine({ isReady = () => true, stored = { "htm-190M": "ready" } } = {}) {
  const solvers = [];
  globalThis.stored = {};
  globalThis.openSolver = ({ table, signal }, CosetteError) => {
    const running = [];
    const search = () =>
      new Promise((resolve, reject) => running.push({ end: () => resolve({}), reject }));
    const close = () => running.forEach(({ reject }) => reject(new CosetteError("closed")));
    const solver = {
      table,
      running,
      isClosed: false,
      solve: search,
      fmc: search,
      insertions: (_, { signal }) => (signal.addEventListener("abort", () => close()), search()),
      close: () => ((solver.isClosed = true), close()),
    };
    solvers.push(solver);
    // As a generation, which ends a little after it is stopped.
    return isReady(table) || table === null
      ? Promise.resolve(solver)
      : new Promise((_, reject) =>
          signal.addEventListener("abort", () => setTimeout(50).then(() => reject(signal.reason))),
        );
  };
  const { BrowserEngine } = await load("browser");
  // The engine of the page, which the module makes, finds nothing stored.
  await soon();
  globalThis.stored = stored;
  return { engine: new BrowserEngine(), solvers };
}

/** Begins a search: what it hears, how it ends, and its signals. */
function begin(ask) {
  const [abort, stop, events] = [new AbortController(), new AbortController(), []];
  const search = { abort, stop, events, result: undefined };
  search.ended = ask({ signal: abort.signal, stopSignal: stop.signal }, (event) =>
    events.push(event),
  ).then(
    () => (search.result = "answer"),
    (error) => (search.result = error),
  );
  return search;
}
/** A search that needs a table. */
const solve = (engine, metric = "htm") =>
  begin((control, onEvent) =>
    engine.solve({ position: "R", metric, count: 1, max_length: 20 }, control, onEvent),
  );
const soon = () => setTimeout(20);

test("a search does not end another one that uses another table", async () => {
  const { engine, solvers } = await browserEngine();
  const first = solve(engine);
  await soon();
  const other = solve(engine, "qtm");
  await other.ended;
  assert.equal(engine.errorOf(other.result).error, "another search is using the open table");
  assert.deepEqual([first.result, solvers[0].isClosed], [undefined, false]);
  // One that is forgotten gives way.
  first.abort.abort();
  const next = solve(engine, "qtm");
  await soon();
  assert.deepEqual(
    solvers.map(({ table }) => table),
    ["htm-190M", "qtm-190M"],
  );
  solvers[1].running[0].end();
  await next.ended;
  assert.equal(next.result, "answer");
});

test("a position near solved waits for no table of its metric, though one of the other is open", async () => {
  const { engine, solvers } = await browserEngine();
  const first = solve(engine);
  await soon();
  const near = begin((control, onEvent) =>
    engine.solve({ position: "R", metric: "qtm", count: 1 }, control, onEvent),
  );
  await soon();
  assert.deepEqual(
    solvers.map(({ table }) => table),
    ["htm-190M", null],
  );
  for (const { running } of solvers) running[0].end();
  await Promise.all([first.ended, near.ended]);
  assert.deepEqual([first.result, near.result], ["answer", "answer"]);
});

test("a search waits for the one before, says so, and can be stopped meanwhile", async () => {
  const { engine, solvers } = await browserEngine();
  const [first, second, third] = [solve(engine), solve(engine), solve(engine)];
  await soon();
  const queued = ({ events }) =>
    events.filter(({ event }) => event === "queued").map(({ ahead }) => ahead);
  assert.deepEqual([first, second, third].map(queued), [[], [1], [2]]);
  second.stop.abort();
  await second.ended;
  assert.equal(engine.errorOf(second.result), undefined);
  assert.equal(solvers[0].running.length, 1);
  solvers[0].running[0].end();
  await soon();
  assert.deepEqual([first.result, queued(third), solvers[0].running.length], ["answer", [2], 2]);
  solvers[0].running[1].end();
  await third.ended;
});

test("a generation is stopped with the last search that waits for it, and begins again with the next", async () => {
  const { engine, solvers } = await browserEngine({ isReady: () => false });
  const [first, second] = [solve(engine, "qtm"), solve(engine, "qtm")];
  await soon();
  first.stop.abort();
  await first.ended;
  assert.equal(second.result, undefined);
  second.stop.abort();
  await second.ended;
  const next = solve(engine, "qtm");
  await soon();
  assert.deepEqual([second.result.name, next.result, solvers.length], ["AbortError", undefined, 2]);
});

test("until its table is generated, the smallest one answers", async () => {
  const { engine, solvers } = await browserEngine({
    isReady: (table) => table === "htm-24M",
    stored: {},
  });
  const first = solve(engine);
  await soon();
  assert.deepEqual(
    solvers.map(({ table }) => table),
    ["htm-24M", "htm-190M"],
  );
  solvers[0].running[0].end();
  await first.ended;
  assert.equal(first.result, "answer");
});

test("older browsers stop insertions, and of the solvers without a table two are kept", async () => {
  delete AbortSignal.any;
  const { engine, solvers } = await browserEngine();
  const inserting = begin((control, onEvent) =>
    engine.insertions({ position: "R", from: "U" }, control, onEvent),
  );
  await soon();
  inserting.stop.abort();
  await inserting.ended;
  assert.equal(inserting.result.kind, "closed");
  const finding = [1, 2, 3].map(() =>
    begin((control, onEvent) => engine.fmc({ position: "R" }, control, onEvent)),
  );
  await soon();
  const without = solvers.filter(({ table }) => table === null);
  for (const { running } of without) running[0].end();
  await Promise.all(finding.map(({ ended }) => ended));
  assert.deepEqual(
    without.map(({ isClosed }) => isClosed),
    [false, false, true],
  );
});

test("the server says at once what is wrong with what is asked, or else is not waited for", async () => {
  const { engine } = await load("server");
  const queued = new TextEncoder().encode('data: {"event":"queued","id":1,"ahead":1}\n\n');
  globalThis.fetch = async (_, { signal }) =>
    new Response(
      new ReadableStream({
        start(body) {
          body.enqueue(queued);
          signal.addEventListener("abort", () => body.error(signal.reason));
        },
      }),
    );
  assert.equal(await engine.checkRequest({ goal: "cross" }), undefined);
  globalThis.fetch = async () => Response.json({ error: "no goal" }, { status: 422 });
  assert.deepEqual(await engine.checkRequest({ goal: "crss" }), { error: "no goal" });
});
