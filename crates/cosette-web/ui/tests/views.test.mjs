// Batches, tables, the API, small screens and the dark theme.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { headline, site } from "./support.mjs";

const server = site();
const { open } = server;

test("a file of positions is solved and downloaded", () =>
  open(
    async (page) => {
      await page.getByLabel(/^A file/).setInputFiles({ name: "cubes.txt", mimeType: "text/plain", buffer: Buffer.from("R U F\nR Q\n\nU2 R2, \nL D2 B'\n") });
      await page.getByText("4 lines").waitFor();
      await page.getByRole("button", { name: "Solve all" }).click();
      await headline(page, "4 of 4 done");
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).click()]);
      const lines = (await readFile(await download.path(), "utf8")).trim().split("\n");
      assert.equal(lines[0], "line,input,length,solution,error");
      assert.equal(lines[1], "1,R U F,3,F' U' R',");
      assert.match(lines[2], /^2,R Q,,,/);
      assert.match(lines[3], /^4,"U2 R2,",,,/);
      assert.match(lines[4], /^5,L D2 B',3,/);
    },
    { hash: "#batch" },
  ));

test("a batch is stopped and keeps what it has", () =>
  open(
    async (page) => {
      const superflip = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";
      await page.getByLabel("Positions", { exact: true }).last().fill(`R U\n${superflip}\n${superflip}`);
      await page.getByRole("button", { name: "Solve all" }).click();
      await page.locator(".results tbody tr").waitFor();
      await page.getByRole("button", { name: "Stop", exact: true }).click();
      await headline(page, "Stopped: 1 of 3 done");
    },
    { hash: "#batch" },
  ));

test("a table is generated and removed", () =>
  open(
    async (page) => {
      const row = page.locator('[data-table="htm-60M"]');
      await row.waitFor();
      const remove = row.getByRole("button", { name: "Remove" });
      if (await remove.isVisible()) {
        await remove.click();
        await remove.click();
      }
      await row.getByRole("button", { name: "Generate" }).click();
      await row.getByRole("progressbar").waitFor();
      await row.getByText("ready").waitFor();
      await remove.click();
      await page.getByText("Remove 60.8 MB?").waitFor();
      await remove.click();
      await row.getByRole("button", { name: "Generate" }).waitFor();
    },
    { hash: "#tables" },
  ));

test("a generation continues after a reload, and is stopped", () =>
  open(
    async (page) => {
      const row = page.locator('[data-table="htm-480M"]');
      await row.getByRole("button", { name: /Generate|Continue/ }).click();
      await row.getByRole("progressbar").waitFor();
      await page.reload();
      await row.getByRole("progressbar").waitFor();
      await row.getByText(/[1-9]\d? %/).waitFor();
      await row.getByRole("button", { name: "Stop" }).click();
      await row.getByRole("button", { name: "Remove" }).click();
      await row.getByRole("button", { name: "Remove" }).click();
      await row.getByRole("button", { name: "Generate" }).waitFor();
    },
    { hash: "#tables" },
  ));

test("the API is described", () =>
  open(
    async (page) => {
      await page.locator("summary", { hasText: "Prove the shortest solution of a position" }).click();
      await page.getByRole("button", { name: "SolveRequest" }).first().click();
      await page.locator("#schema-SolveRequest").getByText("max_length").waitFor();
    },
    { hash: "#api" },
  ));

test("no view is wider than a small screen", () =>
  open(
    async (page) => {
      for (const view of ["solve", "batch", "tables", "api"]) {
        await page.goto(`${server.address}#${view}`);
        await page.waitForTimeout(300);
        const [wide, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        assert.ok(wide <= screen, `${view}: ${wide} on ${screen} pixels`);
      }
    },
    { viewport: { width: 380, height: 780 } },
  ));

test("dark and light follow the system until they are chosen", () =>
  open(
    async (page) => {
      const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
      assert.equal(await theme(), "dark");
      const button = page.getByRole("button", { name: /^Colours/ });
      await button.click();
      assert.equal(await theme(), "light");
      await page.reload();
      assert.equal(await theme(), "light");
    },
    { colorScheme: "dark" },
  ));

test("every control can be reached and has a name", () =>
  open(async (page) => {
    const nameless = await page.locator("button, input, select, textarea, a").evaluateAll((controls) =>
      controls.filter((control) => !(control.ariaLabel || control.textContent?.trim() || control.labels?.length)).map((control) => control.outerHTML),
    );
    assert.deepEqual(nameless, []);
    // The tab key goes from the header through the text and the net to the options.
    const order = [];
    for (let i = 0; i < 16; i += 1) {
      await page.keyboard.press("Tab");
      order.push(await page.evaluate(() => document.activeElement.tagName + (document.activeElement.dataset.place ?? "")));
    }
    assert.ok(order.indexOf("TEXTAREA") < order.indexOf("BUTTON0") && order.indexOf("BUTTON0") < order.indexOf("SUMMARY"), order.join(" "));
  }));

test("without the token, the page says where to find it and asks for it", () =>
  open(
    async (page, context) => {
      const [cookie] = await context.cookies();
      assert.deepEqual([cookie.httpOnly, cookie.sameSite], [true, "Strict"]);
      await page.waitForLoadState("networkidle");
      await context.clearCookies();
      await page.getByLabel(/^Scramble/).fill("R U F");
      await page.getByText("The token is missing or wrong").waitFor();
      await page.goto(server.address);
      await page.getByText("Open the address that cosette-web printed").waitFor();
      await page.getByLabel("Token").fill(cookie.value);
      await page.getByRole("button", { name: "Open" }).click();
      await page.getByLabel(/^Scramble/).waitFor();
      assert.equal(page.url(), `${server.address}/`);
    },
    { expected: /status of 401|dynamically imported module/ },
  ));
