// An attempt at fewest moves on the static page, whose engine searches without a server.

import assert from "node:assert/strict";
import { test } from "node:test";
import { host, isolated } from "./support.mjs";

const SCRAMBLE = "R' U' F D2 L2 F R2 U2 R2 B D2 L B2 D' B2 L' R' B D2 B U2 L U2 R' U' F";

const site = host();

for (const [width, height] of [
  [1280, 900],
  [390, 844],
]) {
  test(`an attempt at fewest moves is made by mouse and by keys, ${width} pixels wide`, () =>
    site.visitor(
      async (visit) => {
        const page = await visit(`${site.address()}#fmc`);
        await isolated(page);
        const steps = async (...expected) => {
          await page.waitForFunction(
            (expected) =>
              [...document.querySelectorAll(".tree .step .solution")]
                .map(({ textContent }) => textContent)
                .join() === expected,
            expected.join(),
          );
          await page.locator('.bad-pieces[aria-busy="false"]').waitFor({ state: "attached" });
        };
        await page.locator(".scramble textarea").click();
        await page.keyboard.type(SCRAMBLE);
        await page.keyboard.press("Enter");
        await steps("Scramble");
        await page.getByRole("button", { name: "Find", exact: true }).click();
        await page.locator(".found", { hasText: "16 ways to do EO in at most 4 moves" }).waitFor();
        await page.locator(".finding").first().click();
        await steps("Scramble", "(R L B)");
        await page.locator(".step-view").getByText("Add moves").click();
        await page.keyboard.type("F2");
        await page.keyboard.press("Enter");
        await steps("Scramble", "(R L B)", "F2");
        // On a narrow page, a click would lead on to the step.
        await page.locator(".step[aria-current]").focus();
        await page.keyboard.press("Delete");
        await steps("Scramble", "(R L B)");
        await page.keyboard.press("ArrowUp");
        assert.equal(await page.locator(".step[aria-current] .solution").textContent(), "Scramble");
        assert.ok(
          (await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0,
        );
      },
      { viewport: { width, height } },
    ));
}
