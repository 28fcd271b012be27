// Goals on the static page, whose engine searches them without a server.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, headline, host, isolated, solution } from "./support.mjs";

const site = host();

test("a goal is reached in the browser, in any metric, and what is wrong with one is said where it is entered", () =>
  site.visitor(async (visit) => {
    const page = await visit();
    await isolated(page);
    await page.locator("summary", { hasText: "Solve:" }).click();
    // Before there is an engine, nothing is known to be wrong; then Solve finds it.
    const goal = page.getByLabel("Goal as text");
    await goal.fill("nonsense");
    await ask(page, "D2 F R' B U L'");
    await page
      .locator(".checked .notice", { hasText: "nonsense is not a goal, a piece or a position" })
      .waitFor();
    assert.equal(await page.locator(".result .notice").count(), 0);
    await goal.fill("cross:D");
    await page.locator(".checked .notice").waitFor({ state: "detached" });
    await ask(page, "D2 F R' B U L'");
    await headline(page, "Cross on D: 6 moves, proven optimal");
    // A goal needs no table.
    await page.locator("summary", { hasText: "Metric and limits:" }).click();
    await page.getByLabel("Metric").first().selectOption("qtm");
    await ask(page, "D2 F R' B U L'");
    await headline(page, "Cross on D: 7 quarter turns, proven optimal");
    await page.getByLabel("Metric").first().selectOption("qstm");
    await page.locator("summary", { hasText: "Solve:" }).click();
    await goal.fill("");
    await ask(page, "M U2 M'");
    await headline(page, "4 quarter turns, proven optimal");
    assert.match(await solution(page), /^M U2' M'$|^M U2 M'$/);
    // While there is an engine, it checks what is typed.
    await goal.fill("cross:X");
    await page.locator(".checked .notice", { hasText: "has no variant X" }).waitFor();
  }));
