// The static page in Firefox: visits with and without a network, and a private window.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { solves } from "../../../../cosette-js/npm/test/model.mjs";
import { firefox, profile, skip } from "../firefox.mjs";
import { PREFIX, serve } from "./support.mjs";

const EASY = "R U R' U' F2 D L B2 R D";
const SCRAMBLE = "R' U' F D2 L2 F R2 U2 R2 B D2 L B2 D' B2 L' R' B D2 B U2 L U2 R' U' F";
const HARDER = "U R2 F B R B2 R U2 L B2 R";
const localStorage = { tables: JSON.stringify({ htm: "24M" }) };
/** What a page says that is closed or loaded once more while it loads the player. */
const expected = /error loading dynamically imported module/;

let server, address;
const host = async () => {
  server = await serve({ change: false });
  address = `http://127.0.0.1:${server.address().port}${PREFIX}`;
};
const close = () => {
  server.close();
  server.closeAllConnections();
};
before(() => host());
after(close);

/** Solves a position in the page, and says what the page shows then and has shown of the table. */
async function solve(page, text, length) {
  await page.evaluate((text) => {
    globalThis.tableStates = [];
    new MutationObserver(() =>
      globalThis.tableStates.push(document.querySelector(".table-state")?.textContent ?? ""),
    ).observe(document, { subtree: true, childList: true, characterData: true });
    const field = [...document.querySelectorAll("textarea, input")].find(({ labels }) =>
      labels?.[0]?.textContent.startsWith("Scramble"),
    );
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    [...document.querySelectorAll("button")]
      .find(({ textContent }) => textContent.trim() === "Solve")
      .click();
  }, text);
  const headline = `${length} moves, proven optimal`;
  await page.until(
    (headline) =>
      [...document.querySelectorAll(".headline")].some(
        (element) => element.checkVisibility() && element.textContent === headline,
      ),
    headline,
  );
  const shown = await page.evaluate(() => ({
    moves: [...document.querySelectorAll(".moves button")]
      .map(({ textContent }) => textContent)
      .join(" "),
    limits: [...document.querySelectorAll(".limits li")].map(({ textContent }) => textContent),
    table: document.querySelector(".table-state").textContent,
    hasGenerated: globalThis.tableStates.some((text) => text.startsWith("Generating")),
  }));
  assert.ok(solves(text, shown.moves), `${shown.moves} solves ${text}`);
  assert.equal(shown.moves.split(" ").length, length);
  return shown;
}

const isolated = (page) =>
  page.until(() => globalThis.crossOriginIsolated && document.querySelector(".notices") !== null);

test(
  "in Firefox, the first visit generates the table, the second loads it, the third needs no network",
  { skip },
  () =>
    profile(async (folder) => {
      await firefox(
        folder,
        async (visit) => {
          const page = await visit(address);
          await isolated(page);
          const { table, limits, hasGenerated } = await solve(page, EASY, 10);
          assert.match(table, /^Table htm-24M is ready; \d+ threads\.$/);
          assert.deepEqual([limits, hasGenerated], [[], true]);
        },
        { localStorage, expected },
      );
      await firefox(
        folder,
        async (visit) => {
          const page = await visit(address);
          await isolated(page);
          assert.equal((await solve(page, HARDER, 11)).hasGenerated, false);
          await page.close();
          close();
          const offline = await visit(address);
          await isolated(offline);
          assert.equal((await solve(offline, EASY, 10)).hasGenerated, false);
        },
        { expected },
      );
      await host();
    }),
);

for (const [width, height] of [
  [1280, 900],
  [390, 844],
]) {
  test(
    `in Firefox, an attempt at fewest moves is made by mouse and by keys, ${width} pixels wide`,
    { skip },
    () =>
      profile((folder) =>
        firefox(
          folder,
          async (visit) => {
            const [enter, up, remove] = ["\uE007", "\uE013", "\uE017"];
            const page = await visit(`${address}#fmc`);
            await isolated(page);
            await page.resize(width, height);
            const steps = (expected) =>
              page.until((expected) => {
                const shown = [...document.querySelectorAll(".tree .step .solution")].map(
                  ({ textContent }) => textContent,
                );
                return (
                  String(shown) === expected &&
                  document.querySelector('.bad-pieces[aria-busy="false"]') !== null
                );
              }, String(expected));
            await page.click(".scramble textarea");
            await page.press(`${SCRAMBLE}${enter}`);
            await steps(["Scramble"]);
            await page.click(".find .running button", "Find");
            await page.until(() =>
              document
                .querySelector(".found")
                ?.textContent.includes("All 16 EOs of at most 4 moves"),
            );
            await page.click(".finding");
            await steps(["Scramble", "(R L B)"]);
            await page.click(".step-view label", "Add moves");
            await page.press(`F2${enter}`);
            await steps(["Scramble", "(R L B)", "F2"]);
            // On a narrow page, a click would lead on to the step.
            await page.evaluate(() => document.querySelector(".step[aria-current]").focus());
            await page.press(remove);
            await steps(["Scramble", "(R L B)"]);
            await page.press(up);
            assert.equal(
              await page.evaluate(
                () => document.querySelector(".step[aria-current] .solution").textContent,
              ),
              "Scramble",
            );
            assert.ok(
              (await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0,
            );
          },
          { localStorage, expected },
        ),
      ),
  );
}

test("in a private window of Firefox, the table is in memory, and the page says so", { skip }, () =>
  profile((folder) =>
    firefox(
      folder,
      async (visit) => {
        const page = await visit(address);
        await isolated(page);
        const { limits } = await solve(page, EASY, 10);
        assert.match(
          limits.join(),
          /could not be kept: storage is refused, as in some private windows/,
        );
      },
      { isPrivate: true, localStorage, expected },
    ),
  ),
);
