// A browser without WebGL shows a flat cube.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, headline, site } from "./support.mjs";

const { open } = site({ webgl: false });

test("without WebGL the cube is flat, and plays", () =>
  open(async (page) => {
    await page.addInitScript(() => {
      const { attachShadow } = Element.prototype;
      Element.prototype.attachShadow = function () {
        return attachShadow.call(this, { mode: "open" });
      };
    });
    await page.reload();
    await ask(page, "R U2 F");
    await headline(page, "3 moves, proven");
    await page.getByRole("button", { name: "Go to end" }).click();
    await page.waitForFunction(() => {
      const slider = document.querySelector(".controls input");
      return slider.value === slider.max;
    });
    // There is nothing more to do for it, but it keeps the focus.
    assert.equal(await page.evaluate(() => document.activeElement.title), "Go to end");
    // It has the colors of the net.
    const colors = (elements, of) =>
      elements.evaluateAll(
        (all, of) => [...new Set(all.map((each) => getComputedStyle(each)[of]))].sort(),
        of,
      );
    assert.deepEqual(
      await colors(page.locator("twisty-player stop:first-child"), "stopColor"),
      await colors(page.locator(".net .facelet"), "backgroundColor"),
    );
    // Outside of a goal, it is gray.
    const gray = page.locator('twisty-player stop[stop-color="#555555"]');
    assert.equal(await gray.count(), 0);
    await page.goto(`${page.url()}&goal=cross:D`);
    await headline(page, "Cross on D: 2 moves");
    await gray.first().waitFor({ state: "attached" });
    const { width, height } = await page.locator("twisty-player").boundingBox();
    assert.ok(width > 200 && height > 200);
    // A flat cube has no shadow.
    const shadow = await page
      .locator(".stage")
      .evaluate((stage) => getComputedStyle(stage, "::before").content);
    assert.equal(shadow, "none");
  }));
