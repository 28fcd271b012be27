// The package in Firefox, on a page that is isolated: both engines of WebAssembly, and tables that are kept.
// Playwright is that of the page of the server: npm --prefix crates/cosette-web/ui ci.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchFirefox, profile, skip } from "../../../cosette-web/ui/tests/firefox.mjs";
import { ISOLATION, address, check, open, serve } from "./page.mjs";

let isolated, plain;
before(async () => {
  [isolated, plain] = [await serve(ISOLATION), await serve({})];
});
after(() => {
  for (const server of [isolated, plain]) {
    server.close();
    server.closeAllConnections();
  }
});

async function visit(context, url) {
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

test(
  "in Firefox, a table is generated with two threads, kept, and loaded when the browser has been started again",
  { skip },
  () =>
    profile(async (start) => {
      const first = await start();
      const page = await visit(first, address(isolated));
      const { threads, isStored, hasThreads, progress } = await open(page, { threads: 2 });
      assert.deepEqual([threads, isStored, hasThreads], [2, true, true]);
      assert.ok(progress.every(({ event }) => event === "generating"));
      await check(page, { isExact: false });
      await first.close();

      const second = await start();
      const again = await visit(second, address(isolated));
      const loaded = await open(again, { threads: 1 });
      assert.equal(loaded.isStored, true);
      assert.ok(loaded.progress.length > 0);
      assert.ok(loaded.progress.every(({ event }) => event === "loading"));
      await check(again, { isExact: true });
    }),
);

test(
  "in Firefox, a page that is not isolated has one thread, and in a private window the table is in memory",
  { skip },
  async (t) => {
    const browser = await launchFirefox({ "browser.privatebrowsing.autostart": true });
    t.after(() => browser.close());
    const page = await visit(await browser.newContext(), address(plain));
    const { threads, isStored, hasThreads } = await open(page, { threads: 2 });
    assert.deepEqual([threads, isStored, hasThreads], [1, false, false]);
    await check(page, { isExact: true });
  },
);
