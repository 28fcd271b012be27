// The package in Chromium: on pages that are isolated and on others, with storage and without. Playwright is that of the page of
// the server: npm --prefix crates/cosette-web/ui ci.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { chromium } from "../../../cosette-web/ui/node_modules/playwright-core/index.mjs";
import { CASES, SUPERFLIP } from "./cases.mjs";
import { ISOLATION, address, check, open, serve, solve } from "./page.mjs";

let browser, isolated, plain;
const port = (server) => server.address().port;

before(async () => {
  [isolated, plain] = [await serve(ISOLATION), await serve({})];
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    // A name under which the page is not secure.
    args: ["--no-sandbox", "--host-resolver-rules=MAP insecure.test 127.0.0.1"],
  });
});
after(async () => {
  await browser?.close();
  [isolated, plain].forEach((server) => server?.close());
});

/** A visitor with storage of their own; each visit is a page of its own. */
async function visitor() {
  const context = await browser.newContext();
  // A busy machine may take its time.
  context.setDefaultTimeout(600_000);
  return {
    context,
    async visit(url, { setup } = {}) {
      const page = await context.newPage();
      await page.goto(url);
      if (setup) await page.evaluate(setup);
      return page;
    },
  };
}

test("two visits to an isolated page", async () => {
  const { context, visit } = await visitor();
  const first = await visit(address(isolated));
  const opened = await open(first, { threads: 2 });
  assert.deepEqual(
    [opened.table, opened.threads, opened.isStored, opened.hasThreads],
    ["htm-24M", 2, true, true],
  );
  assert.ok(opened.progress.every(({ event }) => event === "generating"));
  await check(first, { isExact: false });

  const aborted = await first.evaluate(async (position) => {
    const stop = new AbortController();
    const onEvent = ({ event, length }) =>
      event === "iteration-finished" && length >= 9 && stop.abort();
    return globalThis.solver
      .solve(position, { signal: stop.signal, onEvent })
      .catch((error) => error.name);
  }, SUPERFLIP);
  assert.equal(aborted, "AbortError");
  assert.equal((await solve(first, CASES[0].position)).length, CASES[0].length);
  await first.close();

  const second = await visit(address(isolated));
  const again = await open(second, { threads: 1 });
  assert.ok(again.progress.length > 0 && again.progress.every(({ event }) => event === "loading"));
  assert.equal(again.isStored, true);
  await check(second, { isExact: true });
  await context.close();
});

test("a visit that ends while the table is generated goes on at the next", async () => {
  const { context, visit } = await visitor();
  const first = await visit(address(isolated));
  open(first, { threads: 2 }).catch(() => {});
  await first.waitForFunction(() =>
    globalThis.progress?.some(({ done, total }) => done > total / 4),
  );
  const reached = await first.evaluate(() => globalThis.progress.at(-1).done);
  await first.close();
  const second = await visit(address(isolated));
  const { progress, isStored } = await open(second, { threads: 2 });
  assert.ok(progress[0].done >= reached, `${progress[0].done} of ${reached} were kept`);
  assert.equal(isStored, true);
  await check(second, { isExact: false });
  await context.close();
});

test("a page that is not isolated has one thread", async () => {
  const { context, visit } = await visitor();
  const page = await visit(address(plain));
  const { threads, hasThreads, isStored } = await open(page, { threads: 2 });
  assert.deepEqual([threads, hasThreads, isStored], [1, false, true]);
  await check(page, { isExact: true });
  const stopped = await page.evaluate(async (position) => {
    const stop = new AbortController();
    const onEvent = ({ event, length }) =>
      event === "iteration-finished" && length >= 9 && stop.abort();
    return globalThis.solver
      .solve(position, { signal: stop.signal, onEvent })
      .catch((error) => error.name);
  }, SUPERFLIP);
  assert.equal(stopped, "AbortError");
  await context.close();
});

test("a service worker isolates the page of a static host", async () => {
  const { context, visit } = await visitor();
  const page = await visit(`${address(plain)}static/`);
  await page.waitForFunction(() => globalThis.crossOriginIsolated);
  assert.equal(await page.evaluate(async () => (await import("/index.js")).hasThreads()), true);
  const { threads } = await open(page, { threads: 2, folder: null });
  assert.equal(threads, 2);
  await check(page, { isExact: false });
  await context.close();
});

test("without SIMD there is an error that says so", async () => {
  const { context, visit } = await visitor();
  const page = await visit(address(isolated), {
    setup: () => void (WebAssembly.validate = () => false),
  });
  await assert.rejects(open(page), /WebAssembly SIMD is not supported/);
  await context.close();
});

test("without storage the table is in memory", async () => {
  const { context, visit } = await visitor();
  const page = await visit(`http://insecure.test:${port(isolated)}/`);
  const { threads, isStored } = await open(page, { threads: 2 });
  assert.deepEqual([threads, isStored], [1, false]);
  await check(page, { isExact: true });
  await context.close();
});

test("a table is removed by its name, with the metric or without", async () => {
  const { context, visit } = await visitor();
  const page = await visit(address(isolated));
  for (const name of ["24M", "htm-24m"]) {
    await open(page);
    const stored = await page.evaluate(async (name) => {
      const { removeTable, storedTables } = await import("/index.js");
      globalThis.solver.close();
      const before = await storedTables();
      await removeTable(name);
      return [before, await storedTables()];
    }, name);
    assert.deepEqual(stored, [{ "htm-24M": "ready" }, {}]);
  }
  await context.close();
});

test("where the storage becomes full, the table is in memory", async () => {
  const { context, visit } = await visitor();
  const page = await visit(address(isolated));
  const session = await context.newCDPSession(page);
  await session.send("Storage.overrideQuotaForOrigin", {
    origin: address(isolated).slice(0, -1),
    quotaSize: 8e6,
  });
  const { isStored } = await open(page, { threads: 2 });
  assert.equal(isStored, false);
  await check(page, { isExact: false });
  await context.close();
});
