// What tests of the package in browsers share: a host, and what a page does with the package.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { CASES } from "./cases.mjs";
import { solves } from "./model.mjs";

const PACKAGE = new URL("../", import.meta.url);
const TYPES = { js: "text/javascript", wasm: "application/wasm", html: "text/html" };
export const ISOLATION = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};
const PAGES = {
  "/": "<!doctype html>",
  "/static/": '<!doctype html><script src="/isolation.js"></script>',
};

/** Serves the package and pages, by their paths, as a static host does, with these headers. */
export async function serve(headers, pages = PAGES) {
  const server = createServer(async ({ url }, response) => {
    const page = pages[url];
    const ending = page === undefined ? url.split(".").pop() : "html";
    try {
      const body = page ?? (await readFile(fileURLToPath(new URL(`.${url}`, PACKAGE))));
      // The service worker may be that of all pages here.
      response.writeHead(200, {
        "Content-Type": TYPES[ending],
        "Service-Worker-Allowed": "/",
        ...headers,
      });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

export const address = (server) => `http://127.0.0.1:${server.address().port}/`;

/** Opens a solver in the page, and says what it has told. */
export const open = (page, options = {}) =>
  page.evaluate(async (options) => {
    globalThis.progress = [];
    const { Solver, hasThreads } = await import("/index.js");
    const onProgress = (event) => globalThis.progress.push(event);
    globalThis.solver = await Solver.open({ table: "24M", onProgress, ...options });
    const { table, threads, isStored } = globalThis.solver;
    return { table, threads, isStored, hasThreads: hasThreads(), progress: globalThis.progress };
  }, options);
export const solve = (page, position) =>
  page.evaluate((position) => globalThis.solver.solve(position), position);
const solveAll = (page, position) =>
  page.evaluate((position) => globalThis.solver.solveAll(position), position);

const lengthsOf = (page, positions) =>
  page.evaluate(async (positions) => {
    const lengths = [];
    for await (const { index, length } of globalThis.solver.solveMany(positions))
      lengths.push([index, length]);
    return lengths;
  }, positions);

export async function check(page, { isExact }) {
  for (const { position, length, one, all, solutions } of CASES) {
    const first = await solve(page, position);
    assert.ok(first.optimal);
    assert.equal(first.length, length);
    assert.ok(solves(position, first.solutions[0]));
    const every = await solveAll(page, position);
    assert.deepEqual([...every.solutions].sort(), [...solutions].sort());
    if (isExact)
      assert.deepEqual([first.nodes, first.probes, every.nodes, every.probes], [...one, ...all]);
  }
  const positions = CASES.map(({ position }) => position);
  const lengths = CASES.map(({ length }) => length);
  assert.deepEqual(await lengthsOf(page, positions), [...lengths.entries()]);
}
