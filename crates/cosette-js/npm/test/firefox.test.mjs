// The package in Firefox, on a page that is isolated: both engines of WebAssembly, and tables that are kept. The driver and its
// WebSocket are those of the page of the server: npm --prefix crates/cosette-web/ui ci.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { firefox, profile, skip } from "../../../cosette-web/ui/tests/firefox.mjs";
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

test(
  "in Firefox, a table is generated with two threads, kept, and loaded when the browser has been started again",
  { skip },
  () =>
    profile(async (folder) => {
      await firefox(folder, async (visit) => {
        const page = await visit(address(isolated));
        const { threads, isStored, hasThreads, progress } = await open(page, { threads: 2 });
        assert.deepEqual([threads, isStored, hasThreads], [2, true, true]);
        assert.ok(progress.every(({ event }) => event === "generating"));
        await check(page, { isExact: false });
      });
      await firefox(folder, async (visit) => {
        const page = await visit(address(isolated));
        const { isStored, progress } = await open(page, { threads: 1 });
        assert.ok(
          isStored && progress.length > 0 && progress.every(({ event }) => event === "loading"),
        );
        await check(page, { isExact: true });
      });
    }),
);

test(
  "in Firefox, a page that is not isolated has one thread, and in a private window the table is in memory",
  { skip },
  () =>
    profile((folder) =>
      firefox(
        folder,
        async (visit) => {
          const page = await visit(address(plain));
          const { threads, isStored, hasThreads } = await open(page, { threads: 2 });
          assert.deepEqual([threads, isStored, hasThreads], [1, false, false]);
          await check(page, { isExact: true });
        },
        { isPrivate: true },
      ),
    ),
);
