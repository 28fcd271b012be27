// One position: typed, painted with the pointer and with keys, solved, played, stopped, reloaded during a search.

import assert from "node:assert/strict";
import { test } from "node:test";
import { facelet, headline, site } from "./support.mjs";

const { open } = site();

const EASY = "R U R' U' F2 D L B2 R D";
/** Twenty moves, which take the smallest table hours. */
const SUPERFLIP = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";

const type = (page, text) => page.getByLabel(/^Scramble/).fill(text);
const solve = (page) => page.getByRole("button", { name: "Solve", exact: true });
const stop = (page) => page.getByRole("button", { name: "Stop", exact: true });
const shown = (page) => page.locator(".net .facelet").evaluateAll((cells) => cells.map((cell) => cell.dataset.colour).join(""));
/** The position of the player in the solution, from 0 to 1. */
const place = (page) => page.getByLabel("Position in the solution").evaluate((slider) => slider.value / slider.max);

test("a scramble is solved and its solution played", () =>
  open(async (page) => {
    await type(page, EASY);
    await solve(page).click();
    await headline(page, "10 moves, proven to be the fewest");
    await page.locator("twisty-player").scrollIntoViewIfNeeded();
    assert.equal(await place(page), 0);
    await page.getByRole("button", { name: "One move forward" }).click();
    await page.waitForFunction(() => document.querySelector(".controls input").value > 0);
    await page.getByRole("button", { name: "To the start" }).click();
    await page.locator(".solutions").getByRole("button", { name: "Play" }).click();
    await page.waitForFunction(() => {
      const slider = document.querySelector(".controls input");
      return slider.value === slider.max;
    });
    assert.ok(await page.getByRole("button", { name: "To the end" }).isDisabled());
  }));

test("all solutions are listed, chosen and downloaded", () =>
  open(async (page) => {
    await type(page, "R2 L2 U2 D2");
    await page.locator("summary", { hasText: "Options" }).click();
    await page.getByLabel("Shortest solutions").selectOption("all");
    await solve(page).click();
    await headline(page, "4 moves, proven");
    const choices = page.locator(".choice");
    assert.ok((await choices.count()) > 1);
    await choices.nth(1).click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download" }).click()]);
    assert.equal(download.suggestedFilename(), "solutions.txt");
  }));

test("a cube is painted with the pointer, and an impossible piece is marked", () =>
  open(async (page) => {
    await page.getByRole("button", { name: "Solved", exact: true }).click();
    await page.getByRole("radio", { name: /yellow/ }).check({ force: true });
    await facelet(page, 19).click();
    await page.locator(".notice", { hasText: "which no edge has" }).waitFor();
    await page.locator(".notice", { hasText: "Up 8 white, front 2 yellow" }).waitFor();
    const marked = await page.locator(".net .fault").evaluateAll((cells) => cells.map((cell) => Number(cell.dataset.place)));
    assert.deepEqual(marked, [7, 19]);
    // The edges UF and UB both flipped, which is a position.
    for (const [number, colour] of [[7, /green/], [19, /white/], [1, /blue/], [46, /white/]]) {
      await page.getByRole("radio", { name: colour }).check({ force: true });
      await facelet(page, number).click();
    }
    await page.waitForFunction(() => !document.querySelector(".net .fault, .notice"));
    await solve(page).click();
    await page.locator(".headline", { hasText: /≤ length/ }).waitFor();
    await stop(page).click();
    await page.locator(".details", { hasText: "Stopped" }).waitFor();
  }));

test("a cube is painted with keys alone", () =>
  open(async (page) => {
    await page.getByRole("button", { name: "Clear", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.locator(".notice", { hasText: "48 facelets to paint." }).waitFor();
    // The tab key leads from the palette to the net.
    await page.getByRole("radio", { name: /white/ }).focus();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.place), "0");
    // The cube after R, without centres.
    for (const key of "UUFUFUUF" + "RRRRRRRR" + "FFDFDFFD" + "DDBDBDDB" + "LLLLLLLL" + "UBBUBUBB") await page.keyboard.press(key);
    assert.equal(await shown(page), "UUFUUFUUFRRRRRRRRRFFDFFDFFDDDBDDBDDBLLLLLLLLLUBBUBBUBB");
    await page.getByLabel(/^Scramble/).focus();
    await page.keyboard.press("Control+Enter");
    await headline(page, "1 move, proven");
  }));

test("arrows lead around the net, and Backspace clears", () =>
  open(async (page) => {
    await facelet(page, 0).focus();
    for (const [key, number] of [["ArrowLeft", "2"], ["ArrowDown", "5"], ["ArrowRight", "3"], ["End", "53"], ["Home", "0"]]) {
      await page.keyboard.press(key);
      assert.equal(await page.evaluate(() => document.activeElement.dataset.place), number);
    }
    await page.keyboard.press("Backspace");
    await page.locator(".notice", { hasText: "1 facelet to paint." }).waitFor();
  }));

test("a cube that no moves reach is told why", () =>
  open(async (page) => {
    await type(page, "UUUUUUUFURRRRRRRRRFUFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB");
    await page.locator(".notice", { hasText: "An edge is flipped in place" }).waitFor();
    assert.equal(await page.locator(".net .fault").count(), 0);
    await type(page, "R U Q2");
    await page.locator(".quote mark", { hasText: "Q" }).waitFor();
  }));

test("a search is stopped, and says what is proven", () =>
  open(async (page) => {
    await type(page, SUPERFLIP);
    await solve(page).click();
    await page.locator(".headline", { hasText: /^\d+ ≤ length ≤ 20$/ }).waitFor();
    await stop(page).click();
    await page.locator(".details", { hasText: "Stopped" }).waitFor();
    await page.locator(".solutions", { hasText: "Best known, not proven shortest" }).waitFor();
    await solve(page).waitFor();
  }));

test("after a reload in the middle the search goes on", () =>
  open(async (page) => {
    await type(page, SUPERFLIP);
    await solve(page).click();
    await page.locator(".headline", { hasText: "≤ length" }).waitFor();
    await page.reload();
    await page.locator(".headline", { hasText: "≤ length" }).waitFor();
    assert.equal(await page.getByLabel(/^Scramble/).inputValue(), SUPERFLIP);
    await stop(page).click();
    await page.locator(".details", { hasText: "Stopped" }).waitFor();
    // A stopped search stays stopped.
    await page.reload();
    await page.locator(".net .facelet").first().waitFor();
    await page.waitForTimeout(500);
    assert.ok(await solve(page).isVisible());
    // The search of the closed page has ended.
    const { searches } = await page.evaluate(async () => (await fetch("/api/v1/health")).json());
    assert.equal(searches, 0);
  }));

test("another position ends the search of the one before", () =>
  open(async (page) => {
    await type(page, SUPERFLIP);
    await solve(page).click();
    await page.locator(".headline", { hasText: "≤ length" }).waitFor();
    await type(page, "R U");
    await page.locator(".status").waitFor({ state: "hidden" });
    await solve(page).click();
    await headline(page, "2 moves, proven");
  }));
