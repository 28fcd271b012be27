// What axe-core finds in each view, in both themes, and the order of headings.

import assert from "node:assert/strict";
import { test } from "node:test";
import { faults, headline, openTab, scrambleField, site } from "./support.mjs";

const server = site();

/** The levels of the visible headings, of which none may be skipped. */
const levels = (page) =>
  page
    .locator("h1, h2, h3, h4")
    .evaluateAll((all) =>
      all
        .filter((heading) => heading.checkVisibility())
        .map((heading) => Number(heading.tagName[1])),
    );

for (const colorScheme of ["light", "dark"]) {
  test(`axe-core finds nothing wrong in the ${colorScheme} page`, () =>
    server.open(
      async (page) => {
        const check = async (what) => {
          assert.deepEqual(await faults(page), [], what);
          const found = await levels(page);
          assert.equal(found[0], 1, what);
          for (const [number, level] of found.entries())
            assert.ok(number === 0 || level <= found[number - 1] + 1, `${what}: ${found}`);
        };
        await check("the empty page");
        for (const name of ["Paint", "Random", "Patterns", "Scramble"]) {
          await openTab(page, name);
          await check(name);
        }
        await page.locator("summary", { hasText: "Metric and limits" }).click();
        await page.getByLabel("Optimal solutions").selectOption("all");
        await scrambleField(page).fill("R2 L2 U2 D2");
        await scrambleField(page).press("Enter");
        await headline(page, "4 moves, proven optimal");
        await check("a solution");
        await page.getByRole("button", { name: "Full screen" }).click();
        assert.deepEqual(await faults(page), [], "a presentation");
        await page.keyboard.press("Escape");
        for (const folds of [
          ["Solve:", "Paint the goal"],
          ["Moves:", "Slices, wide moves", "Filter solutions"],
        ]) {
          for (const fold of folds) await page.locator("summary", { hasText: fold }).click();
          await check(folds[0]);
        }
        await page.getByLabel("Extra moves allowed").fill("1");
        await page.locator("summary", { hasText: "Solve:" }).click();
        await page.getByRole("radio", { name: "Cross", exact: true }).check();
        await scrambleField(page).press("Enter");
        await headline(page, "Cross: ");
        await page.getByLabel("Contains moves").waitFor();
        await check("many solutions");
        await page.goto(server.address);
        await scrambleField(page).fill("R U Q2");
        await page.locator(".notice").waitFor();
        await check("an error");
        await page.route("**/api/v1/sharing", (route) =>
          route.fulfill({ json: { address: "http://192.168.1.5:7217", token: "class-room" } }),
        );
        await page.reload();
        await page.getByRole("button", { name: "Connect other devices" }).click();
        assert.deepEqual(await faults(page), [], "what other machines need");
        await page.keyboard.press("Escape");
        await page.goto(`${server.address}#review`);
        await page.getByRole("button", { name: "Example" }).click();
        await headline(page, "45 moves longer than optimal");
        await check("a review");
        await page.goto(`${server.address}#batch`);
        await page.getByLabel("Positions", { exact: true }).last().fill("R U F\nR Q\n");
        await page.getByRole("button", { name: "Solve all" }).click();
        await headline(page, "1 of 2 solved, 1 invalid");
        await check("a batch");
        await page.goto(`${server.address}#tables`);
        await page.locator("[data-table]").first().waitFor();
        await check("the tables");
        await page.goto(`${server.address}#api`);
        await page.locator(".operation").first().waitFor();
        await check("the API");
      },
      { colorScheme },
    ));
}
