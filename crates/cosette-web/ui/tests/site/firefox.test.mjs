// The static page in Firefox alone: after a restart, and in a private window.

import assert from "node:assert/strict";
import { testFirefox } from "../browser.mjs";
import { launchFirefox, profile } from "../firefox.mjs";
import { ask, headline, host, isolated, tableState, watchTable } from "./support.mjs";

const EASY = "R U R' U' F2 D L B2 R D";
const HARDER = "U R2 F B R B2 R U2 L B2 R";

const site = host();

async function solve(page, text, length) {
  await isolated(page);
  await ask(page, text);
  await headline(page, `${length} moves, proven optimal`);
}

const hasGenerated = (page) =>
  page.evaluate(() => globalThis.tableStates.some((text) => text.startsWith("Generating")));

testFirefox(
  "the first visit generates the table, the one after a restart loads it, the third needs no network",
  () =>
    profile(async (open) => {
      await site.visitor(
        async (visit, context) => {
          await watchTable(context);
          const page = await visit();
          await solve(page, EASY, 10);
          await tableState(page, /^Table htm-24M is ready; \d+ threads\.$/);
          assert.ok(await hasGenerated(page));
        },
        { open },
      );
      await site.visitor(
        async (visit, context) => {
          await watchTable(context);
          const second = await visit();
          await solve(second, HARDER, 11);
          assert.ok(!(await hasGenerated(second)));
          await second.close();
          await context.setOffline(true);
          const third = await visit();
          await solve(third, EASY, 10);
          assert.ok(!(await hasGenerated(third)));
        },
        { open },
      );
    }),
);

testFirefox("in a private window, the table is in memory, and the page says so", async (t) => {
  const browser = await launchFirefox({ "browser.privatebrowsing.autostart": true });
  t.after(() => browser.close());
  await site.visitor(
    async (visit) => {
      const page = await visit();
      await solve(page, EASY, 10);
      assert.match(
        (await page.locator(".limits li").allTextContents()).join(),
        /could not be stored: storage is full or blocked, as in some private windows/,
      );
    },
    { open: (options) => browser.newContext(options) },
  );
});
