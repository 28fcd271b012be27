// The static page on a phone and for assistive technology, with the 3D cube.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, faults, headline, host, isolated, openTab } from "./support.mjs";

const site = host({ webgl: true });

/** A folder for pictures, if somebody wants to look at them. */
const pictures = process.env.PICTURES;

async function look(page, name) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${name} is ${wide} pixels too wide`);
  assert.deepEqual(await faults(page), [], name);
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
}

for (const [name, options] of [
  ["desktop-light", { colorScheme: "light" }],
  [
    "phone-dark",
    {
      colorScheme: "dark",
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      deviceScaleFactor: 2,
    },
  ],
]) {
  test(`the page solves, fits and is accessible: ${name}`, () =>
    site.visitor(async (visit) => {
      const page = await visit();
      await isolated(page);
      await look(page, `${name}-empty`);
      const before = page.viewportSize();
      await page.setViewportSize({ width: 320, height: 640 });
      for (const tab of ["Scramble", "Paint", "Random", "Patterns"]) {
        await openTab(page, tab);
        await look(page, `${name}-narrow-${tab}`);
      }
      // Pattern names have room beside their pictures, also on the narrowest phones.
      for (const pattern of await page.locator(".gallery button").all())
        assert.ok(
          await pattern.evaluate((button) => button.scrollWidth <= button.clientWidth),
          await pattern.textContent(),
        );
      await page.setViewportSize(before);
      await ask(page, "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2");
      // How far the table is is said once, and shown.
      await page.waitForFunction(() => {
        const [headline, details, bar, state] = [
          ".answer .headline",
          ".status .details",
          ".status progress",
          ".table-state",
        ].map((name) => document.querySelector(name));
        return (
          headline.textContent === "Generating table htm-24M" &&
          /^Best so far: 20 moves\. [1-9]\d? %/.test(details.textContent) &&
          bar.position > 0 &&
          !state.checkVisibility({ visibilityProperty: true })
        );
      });
      if (pictures)
        await page.screenshot({ path: `${pictures}/${name}-generating.png`, fullPage: true });
      await headline(page, /^(At least|\d+ to) \d+ moves$/);
      await page.locator(".details", { hasText: "Ruling out" }).waitFor();
      if (pictures)
        await page.screenshot({ path: `${pictures}/${name}-searching.png`, fullPage: true });
      await page.getByRole("button", { name: "Stop", exact: true }).click();
      await page.locator(".details", { hasText: /^Stopped; / }).waitFor();
      await ask(page, "R U R' U' F2 D L B2 R D");
      await headline(page, "10 moves, proven optimal");
      await look(page, `${name}-solved`);
      await page.goto(`${site.address()}#tables`);
      await page.locator('[data-table="htm-24M"]', { hasText: "in use" }).waitFor();
      await look(page, `${name}-tables`);
      await page.goto(`${site.address()}#programs`);
      await page.getByText("The HTTP API").waitFor();
      await look(page, `${name}-programs`);
    }, options));
}
