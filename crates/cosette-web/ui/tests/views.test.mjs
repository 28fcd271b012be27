// Batches, tables, the API, small screens and the dark theme.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";
import { test } from "./browser.mjs";
import { faults, headline, scrambleField, site } from "./support.mjs";

const server = site();
const { open } = server;

test("a file of positions is solved and downloaded", () =>
  open(
    async (page) => {
      await page.getByLabel(/^File with/).setInputFiles({
        name: "cubes.txt",
        mimeType: "text/plain",
        buffer: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]),
      });
      await page.getByText("The file cubes.txt is not a text file.").waitFor();
      await page.getByLabel(/^File with/).setInputFiles({
        name: "cubes.txt",
        mimeType: "text/plain",
        buffer: Buffer.from("R U F\nR Q\n# none\nU2, Q\nL D2 B'\n\n// none\n"),
      });
      await page.getByText("4 lines").waitFor();
      assert.equal(await page.locator(".notice").count(), 0);
      await page.getByLabel("Time limit each (s)").fill("60");
      await page.getByRole("button", { name: "Solve all" }).click();
      await headline(page, "2 of 4 solved, 2 invalid");
      // Failures can be seen alone, and rows are sorted by a column.
      const column = (number) =>
        page.locator(`.results tbody td:nth-child(${number})`).allTextContents();
      assert.deepEqual(await column(1), ["1", "2", "4", "5"]);
      assert.deepEqual(await column(2), ["R U F", "R Q", "U2, Q", "L D2 B'"]);
      await page.getByRole("button", { name: "Line", exact: true }).click();
      assert.deepEqual(await column(1), ["5", "4", "2", "1"]);
      await page.getByRole("button", { name: "Length", exact: true }).click();
      assert.deepEqual(await column(3), ["–", "–", "3", "3"]);
      await page.getByLabel("Unsolved only").check();
      assert.deepEqual(await column(1), ["2", "4"]);
      assert.ok(!(await page.locator(".results").textContent()).includes("`"));
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "CSV" }).click(),
      ]);
      const lines = (await readFile(await download.path(), "utf8")).trim().split("\n");
      // The columns are those of the command.
      const command = await readFile(
        new URL("../../../cosette-app/src/batch/output.rs", import.meta.url),
        "utf8",
      );
      assert.equal(
        lines[0],
        /const COLUMNS: &str = "([^"]*)"/.exec(command)[1].replace(/\\\n\s*/g, ""),
      );
      assert.match(
        lines[1],
        /^1,R U F,moves,[URFDLB]{54},htm,true,3,3,3,F' U' R',1,,,1,\d+,\d+,[^,]+,htm-24M,cosette,+$/,
      );
      assert.equal(lines[1].split(",").length, lines[0].split(",").length);
      // What is wrong is said with what helps, as on the page.
      assert.match(lines[2], /^2,R Q,[a-z]*,,,false,,,,,0,,,,,,,,,,,.*valid move; /);
      assert.ok(!lines.join().includes("`"));
      assert.match(lines[3], /^4,"U2, Q",/);
      assert.match(lines[4], /^5,L D2 B',moves,/);
      // A line is opened with its answer; what is wrong with another one is said beside it.
      await page.route("**/solve", (route) => route.abort());
      await page.locator(".results tr", { hasText: /R Q.*not a valid move/ }).waitFor();
      assert.equal(await page.getByRole("link", { name: "R Q", exact: true }).count(), 0);
      await page.getByLabel("Unsolved only").uncheck();
      await page.getByRole("link", { name: "R U F", exact: true }).click();
      // The link that had the focus is gone.
      await page.waitForFunction(() => document.activeElement.id === "main");
      await headline(page, "3 moves, proven optimal");
      assert.equal(await scrambleField(page).inputValue(), "R U F");
      await page.goBack();
      await headline(page, "2 of 4 solved, 2 invalid");
      // Results are kept over a reload.
      await page.reload();
      await headline(page, "2 of 4 solved, 2 invalid");
      assert.deepEqual(await column(3), ["3", "–", "–", "3"]);
      assert.equal(await page.getByLabel("Time limit each (s)").inputValue(), "60");
      // Other lines take the place of those that are solved.
      await page.goto(`${server.address}#solve`);
      await scrambleField(page).fill("R U\nU R");
      await page.getByRole("button", { name: "Solve them in Batch" }).click();
      await page.getByText("2 lines", { exact: true }).waitFor();
    },
    { hash: "#batch" },
  ));

test("the empty batch has an example", () =>
  open(
    async (page) => {
      const specimen = page.locator(".specimen");
      await specimen.waitFor();
      const rows = await specimen.locator("td:not(:first-child)").allTextContents();
      const lines = await specimen.locator(".entered").allTextContents();
      const displays = await specimen
        .locator(".entered")
        .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).display));
      assert.deepEqual(new Set(displays), new Set(["table-cell"]));
      const example = page.getByRole("button", { name: "Example" });
      await example.click();
      await page.getByText("3 lines").waitFor();
      assert.ok(await example.isDisabled());
      // A reload keeps the lines.
      await page.reload();
      await page.getByText("3 lines").waitFor();
      await page.getByLabel("Time limit each (s)").fill("0");
      await page.getByRole("button", { name: "Solve all" }).click();
      await page.getByText("Enter a number of seconds, at least 0.1.").waitFor();
      await page.getByLabel("Time limit each (s)").fill("");
      await page.getByRole("button", { name: "Solve all" }).click();
      await headline(page, "3 of 3 solved");
      // The results of the specimen are those of the solver.
      await page.getByLabel("Positions", { exact: true }).last().fill(lines.join("\n"));
      await page.getByRole("button", { name: "Solve all" }).click();
      await headline(page, "2 of 3 solved, 1 invalid");
      assert.deepEqual(
        await page.locator(".results tbody td:not(:first-child)").allTextContents(),
        rows,
      );
      assert.equal(await page.locator(".results tbody a").count(), 2, "an invalid line is no link");
    },
    { hash: "#batch" },
  ));

test("on a narrow phone, the results of a batch are cards", () =>
  open(
    async (page) => {
      const button = page.getByRole("button", { name: "Solve all" });
      assert.ok(await button.isDisabled());
      await page.getByText("Paste scrambles, one per line, or the list of a timer.").waitFor();
      await page
        .getByLabel("Positions", { exact: true })
        .fill("R U R' U' R' F R2 U' R' U' R U R' F'\n(R U\nU");
      await button.click();
      await headline(page, "2 of 3 solved, 1 invalid");
      const view = page.getByRole("region", { name: "Results by line" });
      const cards = await view.locator("tbody tr").all();
      const shown = await Promise.all(cards.map((card) => card.innerText()));
      assert.match(shown[0], /^1\s+R U R' .*\s+11\s+\S+/);
      assert.match(shown[1], /^2\s+\(R U\s+this \( is never closed/);
      const units = await view
        .locator(".length:visible")
        .evaluateAll((cells) =>
          cells.map((cell) => [cell.dataset.unit, getComputedStyle(cell, "::after").content]),
        );
      assert.deepEqual(
        units.map(([unit]) => unit),
        ["moves", "move"],
      );
      // Firefox does not say what the attribute is.
      for (const [unit, content] of units)
        assert.ok([`" ${unit}"`, '" " attr(data-unit)'].includes(content), content);
      for (const [wide, room] of await page
        .locator("html, [aria-label='Results by line']")
        .evaluateAll((all) => all.map((each) => [each.scrollWidth, each.clientWidth])))
        assert.ok(wide <= room, `${wide} on ${room} pixels`);
      // At once, as the page may still scroll to the results.
      const tops = await page
        .locator(".downloads button")
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().y));
      assert.equal(new Set(tops).size, 1);
      // A link that is scrolled out of sight is taken for one that skips something.
      await page.locator("nav").evaluate((row) => row.scrollTo({ left: 0, behavior: "instant" }));
      assert.deepEqual(await faults(page), []);
    },
    { hash: "#batch", viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true },
  ));

test("a batch is stopped and keeps what it has", () =>
  open(
    async (page) => {
      const superflip = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";
      await page
        .getByLabel("Positions", { exact: true })
        .last()
        .fill(`R U\n${superflip}\n${superflip}`);
      await page.getByRole("button", { name: "Solve all" }).click();
      // While the second one is searched, nothing comes of the server.
      await headline(page, "Solving …");
      await page.locator(".details:visible", { hasText: /^1 of 3/ }).waitFor();
      await page.locator(".results tbody tr").waitFor();
      // Few lengths are no distribution.
      assert.equal(await page.locator(".distribution").count(), 0);
      assert.equal(await page.getByLabel("Batch progress").evaluate((bar) => bar.position), 1 / 3);
      await page.locator(".searching li", { hasText: /^Line 2: ruling out \d+ moves, / }).waitFor();
      await page.locator(".details:visible", { hasText: /^1 of 3no result for \d+ s$/ }).waitFor();
      const row = await page.locator(".results tbody tr").elementHandle();
      // The button that was pressed now stops.
      await page.keyboard.press("Enter");
      await headline(page, "Stopped: 1 of 3 solved, 2 not solved");
      await page
        .locator(".searching li", { hasText: /^Line 2: stopped, at least \d+ moves$/ })
        .waitFor();
      await page.waitForFunction(() => document.activeElement.textContent === "Solve all");
      // What is drawn anew leaves rows where they are, or none could be clicked.
      assert.ok(await row.evaluate((row) => row.isConnected));
    },
    { hash: "#batch" },
  ));

test("a table is generated and removed", () =>
  open(
    async (page) => {
      const row = page.locator('[data-table="htm-47M"]');
      await row.waitFor();
      await page.getByText(/^Searches use htm-24M 23\.7 MB/).waitFor();
      const remove = row.getByRole("button", { name: "Remove" });
      if (await remove.isVisible()) {
        await remove.click();
        await remove.click();
      }
      await row.getByRole("button", { name: "Generate" }).click();
      await row.getByRole("progressbar").waitFor();
      await row.getByText("ready").waitFor();
      // What can be removed has no button beside that of its next step.
      assert.equal(await remove.getAttribute("class"), "link");
      assert.equal(await page.evaluate(() => document.activeElement.ariaLabel), "Remove htm-47M");
      await remove.click();
      await row.getByRole("button", { name: "Remove 47.1 MB? htm-47M", exact: true }).waitFor();
      await page.keyboard.press("Escape");
      await row.getByRole("button", { name: "Remove htm-47M", exact: true }).waitFor();
      await page.keyboard.press("Enter");
      await row.getByRole("button", { name: "Remove 47.1 MB? htm-47M", exact: true }).waitFor();
      await remove.click();
      await row.getByRole("button", { name: "Generate" }).waitFor();
    },
    { hash: "#tables" },
  ));

test("tables for quarter turns are folded unless that metric is chosen", () =>
  open(
    async (page) => {
      await page.locator('[data-table="htm-24M"]').waitFor();
      assert.ok(!(await page.locator('[data-table="qtm-24M"]').isVisible()));
      await page.getByRole("link", { name: "Solve", exact: true }).click();
      await page.locator("summary", { hasText: "Metric and limits" }).click();
      await page.getByLabel("Metric").first().selectOption("qtm");
      await page.getByRole("link", { name: "Tables", exact: true }).click();
      await page.locator('[data-table="qtm-24M"]').waitFor();
      // What is said of one column is not printed over the next.
      await page.setViewportSize({ width: 768, height: 900 });
      const spilt = await page
        .locator(".tables td")
        .evaluateAll((cells) =>
          cells
            .filter((cell) => cell.scrollWidth > cell.clientWidth)
            .map((cell) => cell.textContent),
        );
      assert.deepEqual(spilt, []);
    },
    { hash: "#tables" },
  ));

test("a generation continues after a reload, and is stopped", () =>
  open(
    async (page) => {
      const row = page.locator('[data-table="htm-375M"]');
      await row.getByRole("button", { name: /Generate|Resume/ }).click();
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
      await page
        .locator(".operation", {
          hasText: "Find a shortest solution of a position and prove it optimal",
        })
        .locator("summary")
        .click();
      await page.getByRole("button", { name: "SolveRequest" }).first().click();
      await page.locator("#schema-SolveRequest").getByText("max_length").waitFor();
      // The contents lead to each path, by subject.
      const subjects = page.locator(".index .label");
      assert.deepEqual(await subjects.allTextContents(), [
        ...["Solve", "Batch", "Fewest moves", "Review", "Positions", "Tables", "Server"],
      ]);
      await page
        .getByRole("list", { name: "Paths: Server" })
        .getByRole("button", { name: "GET /health", exact: true })
        .click();
      await page.locator(".operation", { hasText: "/api/v1/health" }).locator(":focus").waitFor();
      for (const link of await page.locator(".index button").all())
        assert.ok((await link.boundingBox()).height >= 24);
      // Commands have straight apostrophes, and as many lines as options if they are long.
      const command = page.locator(".example code").first();
      const { fontFamily, fontVariantLigatures } = await command.evaluate((command) => {
        const { fontFamily, fontVariantLigatures } = getComputedStyle(command);
        return { fontFamily, fontVariantLigatures };
      });
      assert.match(fontFamily, /^"JetBrains Mono"/);
      assert.equal(fontVariantLigatures, "none");
      assert.match(
        await command.textContent(),
        /^curl '\S+' \\\n {2}-H "authorization: .*" \\\n {2}-H 'accept: /,
      );
      // Each path has an example. All run but those that would remove a table or show the token.
      const operations = await page.locator(".operation").all();
      for (const operation of operations) {
        const run = operation.getByRole("button", { name: "Run" });
        const name = await operation.locator("h3").textContent();
        assert.ok(
          (await operation.locator(".example pre").first().textContent()).startsWith("curl"),
          name,
        );
        assert.equal(
          await run.count(),
          ["DELETE /api/v1/tables/{name}", "GET /api/v1/sharing"].includes(name) ? 0 : 1,
          name,
        );
        if (!(await run.count())) continue;
        await run.click();
        const output = operation.locator(".output");
        await output.filter({ hasText: /^(200|404)\n/ }).waitFor();
        assert.equal(
          (await output.textContent()).startsWith("404"),
          name.startsWith("DELETE") || name === "GET /api/v1/solves/{id}",
          name,
        );
      }
      assert.match(await operations[0].locator(".output, pre").first().textContent(), /curl/);
    },
    { hash: "#api", expected: /status of 404/ },
  ));

test("where the server is gone, that is all that is said", () =>
  open(
    async (page) => {
      await page.route("**/api/**", (route) => route.abort());
      await page.goto(`${server.address}#tables`);
      await page.getByText("The server does not respond.").waitFor();
      assert.ok(!(await page.locator("main").textContent()).includes("The tables are in"));
      assert.equal(await page.locator(".notice").count(), 1);
    },
    { expected: /ERR_FAILED/ },
  ));

test("where a generation may not be followed, the list is asked for once", () =>
  open(
    async (page) => {
      const table = {
        name: "htm-24M",
        metric: "htm",
        bytes: 23_669_568,
        state: "generating",
        percent: 7,
        fault: null,
        in_use: false,
        next: true,
        fits: true,
        generation_seconds: null,
        cube_seconds: null,
      };
      let requests = 0;
      await page.route(
        "**/tables",
        (route) =>
          (requests += 1) && route.fulfill({ json: { folder: "tables", tables: [table] } }),
      );
      await page.route(
        "**/tables/*",
        (route) =>
          (requests += 1) &&
          route.fulfill({
            status: 403,
            json: { error: "only the machine of the server may do that" },
          }),
      );
      await page.goto(`${server.address}#tables`);
      await page.getByText("7 %").waitFor();
      await page.waitForTimeout(500);
      assert.ok(requests < 5, `${requests} requests`);
      assert.equal(await page.locator(".notice").count(), 0);
    },
    { expected: /status of 403/ },
  ));

test("after an error, the views show what they have", () =>
  open(
    async (page) => {
      await page.route("**/api/v1/*", (route) => route.abort());
      for (const name of ["Tables", "API"]) {
        await page.getByRole("link", { name, exact: true }).click();
        await page
          .locator(".notice:visible", { hasText: "The server does not respond." })
          .waitFor();
      }
      await page.unroute("**/api/v1/*");
      await page.getByRole("link", { name: "Tables" }).click();
      await page.locator("[data-table]").first().waitFor();
      assert.equal(await page.locator(".notice:visible").count(), 0);
      await page.getByRole("link", { name: "API" }).click();
      await page.locator(".operation").first().waitFor();
    },
    { expected: /ERR_FAILED/ },
  ));

const elsewhere = site(undefined, "--host", "127.0.0.2");

test("who is not at the machine of the server is not told to start it", () =>
  elsewhere.open(
    async (page) => {
      await page.route("**/api/**", (route) => route.abort());
      await page.goto(`${elsewhere.address}#tables`);
      await page
        .getByText("Check the network connection, or ask the owner of the server.")
        .waitFor();
    },
    { expected: /ERR_FAILED/ },
  ));

test("a histogram has marks for random positions", () =>
  open(
    async (page) => {
      const lines = Array.from({ length: 40 }, (_, number) => ({
        event: "answer",
        line: number + 1,
        input: "R",
        length: 17 + (number % 3),
        solutions: ["R"],
      }));
      const events = [
        { event: "queued", id: 1, ahead: 0 },
        ...lines,
        { event: "end", done: 40, total: 40, stopped: false },
      ];
      await page.route("**/batch?*", (route) =>
        route.fulfill({
          contentType: "text/event-stream",
          body: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""),
        }),
      );
      await page
        .getByLabel("Positions", { exact: true })
        .last()
        .fill(`${"R\n".repeat(39)}checkerboard`);
      await page.getByLabel("Search up to (moves)").last().fill("19");
      const [request] = await Promise.all([
        page.waitForRequest("**/batch?*"),
        page.getByRole("button", { name: "Solve all" }).click(),
      ]);
      assert.match(request.url(), /metric=htm&max_length=19$/);
      // The name of a pattern is sent as its moves.
      assert.ok(request.postData().endsWith("R\nU2 D2 R2 L2 F2 B2"));
      await headline(page, "40 of 40 solved");
      assert.deepEqual(
        await page.locator(".distribution li > span:first-child").allTextContents(),
        ["16", "17", "18", "19"],
      );
      assert.equal(await page.locator(".distribution .mark").count(), 4);
      const ends = await page.locator(".distribution .track").evaluateAll((tracks) =>
        tracks.map((track) => {
          const [bar, number] = [".bar", ".frequency"].map((part) =>
            track.querySelector(part).getBoundingClientRect(),
          );
          return [track.textContent, Math.round(bar.top - number.bottom)];
        }),
      );
      assert.deepEqual(
        ends.map(([number]) => number),
        ["0", "14", "13", "13"],
      );
      assert.equal(ends[1][1], 0, "the number is on its bar");
      await page.getByText("Ticks: what as many random cubes would give.").waitFor();
    },
    { hash: "#batch" },
  ));

test("no view is wider than a small screen", () =>
  open(
    async (page) => {
      for (const view of ["solve", "fmc", "batch", "tables", "api"]) {
        await page.goto(`${server.address}#${view}`);
        await page.waitForTimeout(300);
        const [wide, screen] = await page.evaluate(() => [
          document.documentElement.scrollWidth,
          innerWidth,
        ]);
        assert.ok(wide <= screen, `${view}: ${wide} on ${screen} pixels`);
        // What is said later is heard only where there was a place for it.
        const live = page.locator("main :is([aria-live], [role=alert])");
        assert.deepEqual(
          await live.evaluateAll((all) =>
            all
              .filter(
                (each) =>
                  each.parentElement.checkVisibility() && getComputedStyle(each).display === "none",
              )
              .map((each) => each.outerHTML),
          ),
          [],
        );
        for (const row of await page.locator("[data-table]:visible").all()) {
          const [size, button] = [
            await row.locator("td").first().boundingBox(),
            await row.getByRole("button").first().boundingBox(),
          ];
          const middle = size.y + size.height / 2;
          assert.ok(
            button.y < middle && middle < button.y + button.height,
            "the button of a table is beside its figures",
          );
          assert.ok((await row.boundingBox()).height < 80, "a table takes two lines");
        }
      }
      for (const summary of await page.locator(".operation summary").all()) await summary.click();
      const statuses = page.locator(".operation td:first-child > code", { hasText: /^[2-5]\d\d$/ });
      assert.ok((await statuses.count()) > 10);
      assert.deepEqual(
        [
          ...new Set(
            await statuses.evaluateAll((codes) =>
              codes.map((code) => code.getClientRects().length),
            ),
          ),
        ],
        [1],
        "a status is in one line",
      );
    },
    { viewport: { width: 380, height: 780 } },
  ));

test("dark and light follow the system until they are chosen", () =>
  open(
    async (page) => {
      const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
      assert.equal(await theme(), "dark");
      const button = page.getByRole("button", { name: /^Theme/ });
      await button.click();
      assert.equal(await theme(), "light");
      await page.reload();
      assert.equal(await theme(), "light");
    },
    { colorScheme: "dark" },
  ));

test("every control can be reached and has a name", () =>
  open(async (page) => {
    const nameless = await page
      .locator("button, input, select, textarea, a")
      .evaluateAll((controls) =>
        controls
          .filter(
            (control) =>
              !(control.ariaLabel || control.textContent?.trim() || control.labels?.length),
          )
          .map((control) => control.outerHTML),
      );
    assert.deepEqual(nameless, []);
    // The tab key goes from the header through the tabs and the net to the options.
    await page.keyboard.press("p");
    await page.evaluate(() => document.activeElement.blur());
    const order = [];
    for (let i = 0; i < 34; i += 1) {
      await page.keyboard.press("Tab");
      order.push(
        await page.evaluate(
          () => document.activeElement.tagName + (document.activeElement.dataset.place ?? ""),
        ),
      );
    }
    const [palette, net, options] = ["INPUT", "BUTTON0", "SUMMARY"].map((name) =>
      order.lastIndexOf(name),
    );
    assert.ok(0 < palette && palette < net && net < options, order.join(" "));
  }));

test("without the token, the page says where to find it and asks for it", () =>
  open(
    async (page, context) => {
      const [cookie] = await context.cookies();
      assert.deepEqual([cookie.httpOnly, cookie.sameSite], [true, "Strict"]);
      await page.waitForLoadState("networkidle");
      await context.clearCookies();
      await scrambleField(page).fill("R U F");
      await page.getByText("The server was restarted").waitFor();
      await page.getByLabel("Token").fill(cookie.value);
      await page.getByRole("button", { name: "Open" }).click();
      await page.waitForURL(`${server.address}/?position=R+U+F`);
      await headline(page, "3 moves, proven optimal");
      await context.clearCookies();
      await page.goto(`${server.address}/#tables`);
      await page.getByText("Open the address that cosette-web printed").waitFor();
      await page.getByLabel("Token").fill(cookie.value);
      await page.getByRole("button", { name: "Open" }).click();
      await page.locator("[data-table]").first().waitFor();
      assert.equal(page.url(), `${server.address}/#tables`);
    },
    { expected: /status of 401|dynamically imported module/ },
  ));

test("a reconstruction is pasted whole, and a write-up leads to its review", () =>
  open(
    async (page) => {
      const [scramble, solution] = ["The scramble", "Your solution"].map((label) =>
        page.getByLabel(label),
      );
      await solution.evaluate((field) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text", "Scramble: R U F2\n\nF2 // one\nU' R' // two\n");
        field.dispatchEvent(
          new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
        );
      });
      assert.equal(await scramble.inputValue(), "R U F2");
      assert.equal(await solution.inputValue(), "F2 // one\nU' R' // two");
      await page.goto(`${page.url().split("#")[0]}#fmc`);
      await page.getByLabel("Your scramble").fill("R U F2");
      await page.getByRole("button", { name: "Start" }).click();
      await page.getByLabel("Add moves").fill("F2 U' R'");
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await page.locator(".writeup-panel").getByRole("link", { name: "Review" }).click();
      await page.locator(".review .headline", { hasText: "3 moves, proven optimal" }).waitFor();
    },
    { hash: "#review" },
  ));

test("a solution is reviewed, shared, and reviewed again from its link", () =>
  open(
    async (page) => {
      await page.getByLabel("The scramble").fill("R U F D2 L B2");
      await page
        .getByLabel("Your solution")
        .fill("B2 L' R // start\nR' D2 F' // middle\nU' R' // end");
      await page.getByRole("button", { name: "Review", exact: true }).click();
      const view = page.locator(".review");
      await view.locator(".headline", { hasText: "2 moves longer than optimal" }).waitFor();
      await view.getByText("8 moves, optimal 6; 1 move lost ground", { exact: true }).waitFor();
      await view.locator(".most-lost", { hasText: /^Most ground lost: R 1 move$/ }).waitFor();
      assert.deepEqual(await view.locator(".climb text").allTextContents(), ["lost 1"]);
      assert.deepEqual(await view.locator(".reviewed.most").allTextContents(), ["R"]);
      // What the steps cost is in columns.
      const [start, middle] = await view.locator(".steps-reviewed li").all();
      assert.deepEqual(await start.locator("p.label").allTextContents(), [
        "3 moves",
        "distance 6 → 5",
        "2 wasted",
      ]);
      const columnsOf = (step) =>
        Promise.all(
          [".cost", ".change"].map(async (cell) => {
            const { x, width } = await step.locator(cell).boundingBox();
            return x + width;
          }),
        );
      assert.deepEqual(await columnsOf(start), await columnsOf(middle));
      assert.deepEqual(await view.locator(".reviewed.lost").allTextContents(), ["R"]);
      assert.equal(await view.locator(".curve circle[class]").count(), 1);
      await view.getByRole("button", { name: "Share" }).click();
      await page
        .getByRole("img", { name: "The picture to share: 2 moves longer than optimal" })
        .waitFor();
      await page.keyboard.press("Escape");
      await page.reload();
      await view.locator(".headline", { hasText: "2 moves longer than optimal" }).waitFor();
      assert.match(await page.getByLabel("Your solution").inputValue(), /^B2 L' R \/\/ start\n/);
      // An error is told below its field, which is focused, until the text is changed.
      const errors = view.locator("form .notice");
      const [scramble, solution] = [
        page.getByLabel("The scramble"),
        page.getByLabel("Your solution"),
      ];
      const isFocused = (field) => field.evaluate((each) => each === document.activeElement);
      // A text that is edited is no longer the one of the result, until the edit is undone.
      const outdated = view.getByText("Result of the previous text", { exact: true });
      const entered = await solution.inputValue();
      await solution.fill("B2 Q");
      await outdated.waitFor();
      await solution.fill(entered);
      await outdated.waitFor({ state: "detached" });
      await scramble.fill("R");
      await outdated.waitFor();
      await scramble.fill("R U F D2 L B2");
      await solution.fill("B2 Q");
      await page.getByRole("button", { name: "Review", exact: true }).click();
      await errors.getByText("Your solution, line 1: Q is not a valid move.").waitFor();
      assert.equal(await errors.locator("mark").textContent(), "Q");
      assert.equal(await solution.getAttribute("aria-invalid"), "true");
      assert.ok(await isFocused(solution));
      // The review before stays.
      await outdated.waitFor();
      await view.locator(".headline", { hasText: "2 moves longer than optimal" }).waitFor();
      assert.equal(await view.getByRole("button", { name: "Share" }).count(), 0);
      await solution.fill("B2");
      await errors.waitFor({ state: "detached" });
      await scramble.fill("R U Q2");
      await page.getByRole("button", { name: "Review", exact: true }).click();
      await errors.getByText("Q is not a valid move.", { exact: true }).waitFor();
      assert.equal(await scramble.getAttribute("aria-invalid"), "true");
      assert.equal(await solution.getAttribute("aria-invalid"), null);
      assert.ok(await isFocused(scramble));
    },
    { hash: "#review", expected: /422/ },
  ));

test("the curve of a short solution has a number at each move, and a legend of its marks", () =>
  open(
    async (page) => {
      const view = page.locator(".review");
      const legend = view.locator("figcaption");
      const review = async (solution) => {
        await page.getByLabel("Your solution").fill(solution);
        await page.getByRole("button", { name: "Review", exact: true }).click();
      };
      await page.getByLabel("The scramble").fill("R U2 F' L2 D B'");
      await review("B D' L2 F U2 R' U U'");
      await view.locator(".headline", { hasText: "2 moves longer than optimal" }).waitFor();
      assert.deepEqual(await view.locator(".distances .axes text").allTextContents(), [
        ..."0123456",
        ..."012345678",
        "move",
        "distance",
      ]);
      assert.equal(await legend.textContent(), "lost groundlost the most");
      // The curve is read along its moves.
      const curve = view.getByRole("slider", { name: "Distance to solved after each of 8 moves" });
      await curve.focus();
      assert.equal(await curve.getAttribute("aria-valuetext"), "Scramble: 6 to go");
      await curve.press("End");
      await curve.press("ArrowLeft");
      await view.getByText("Move 7, U: lost ground, 1 to go").waitFor();
      await curve.blur();
      const { x, y, width, height } = await curve.boundingBox();
      await page.mouse.move(x + width - 2, y + height / 2);
      await view.getByText("Move 8, U': gained ground, 0 to go").waitFor();
      await page.mouse.move(0, 0);
      await view.getByText("Move 7, U: lost ground, 1 to go").waitFor();
      // A click on a move shows the cube after it.
      const cube = () => view.locator(".reading svg").innerHTML();
      const before = await cube();
      const move = view.getByRole("button", { name: "L2", exact: true });
      await move.click();
      await view.getByText("Move 3, L2: gained ground, 3 to go").waitFor();
      assert.equal(await move.getAttribute("aria-pressed"), "true");
      assert.notEqual(await cube(), before);
      assert.equal(await curve.getAttribute("aria-valuenow"), "3");
      // The label of the climb is above the point.
      const [label, point] = await Promise.all(
        [".climb text", "circle.lost"].map((part) => view.locator(part).boundingBox()),
      );
      assert.ok(label.y + label.height <= point.y + 1);
      await review("B D' L2 F U2");
      await view.locator(".headline", { hasText: /^1 move from solved$/ }).waitFor();
      await view.getByText("Not solved: 5 moves so far, optimal 6; no move lost ground").waitFor();
      // A solution of one line has no number of the line.
      assert.equal(await view.locator(".steps-reviewed li strong").count(), 0);
      assert.equal(await legend.textContent(), "");
    },
    { hash: "#review" },
  ));

test("the curve of a review is drawn once", () =>
  open(
    async (page) => {
      await page.emulateMedia({ reducedMotion: "no-preference" });
      await page.getByLabel("The scramble").fill("R U F");
      await page.getByLabel("Your solution").fill("F' U2 U R'");
      await page.getByRole("button", { name: "Review", exact: true }).click();
      const entering = page.locator(".review .entering");
      await page.locator(".review .headline").waitFor();
      await entering.waitFor();
      await entering.waitFor({ state: "detached" });
      await page.getByRole("link", { name: "Batch" }).click();
      await page.getByRole("link", { name: "Review" }).click();
      await page.getByLabel("Your solution").fill("Q");
      await page.getByRole("button", { name: "Review", exact: true }).click();
      await page.locator(".review form .notice").waitFor();
      await page.locator(".review .distances").waitFor();
      assert.equal(await entering.count(), 0);
    },
    { hash: "#review", expected: /422/ },
  ));

test("the review of the example is the one of the engine", () =>
  open(
    async (page) => {
      const path = fileURLToPath(new URL("../src/review/example.ts", import.meta.url));
      const { REVIEW, SCRAMBLE, SOLUTION } = (await runnerImport(path)).module;
      const ask = (path, body) =>
        page.evaluate(
          async ([path, body]) => {
            const headers = { accept: "application/json", "content-type": "application/json" };
            const init = { method: "POST", headers, body: JSON.stringify(body) };
            return (await fetch(`/api/v1/${path}`, init)).json();
          },
          [path, body],
        );
      // The last steps take no time to search, and the others must be within the bounds.
      const request = { position: SCRAMBLE, solution: SOLUTION, timeout: 1 };
      const review = await ask("review", request);
      const positionsOf = ({ start, moves }) => [start, ...moves];
      const known = positionsOf(REVIEW);
      for (const [index, position] of positionsOf(review).entries()) {
        const { distance, facelets, move, step, length } = known[index];
        assert.deepEqual(
          [position.facelets, position.move, position.step, position.length],
          [facelets, move, step, length],
        );
        assert.ok(position.lower_bound <= distance && distance <= position.upper_bound);
      }
      assert.ok(review.moves.filter(({ distance }) => distance !== null).length > 20);
      const stepsOf = ({ steps }) =>
        steps.map(({ line, label, moves, length }) => ({ line, label, moves, length }));
      assert.deepEqual(stepsOf(review), stepsOf(REVIEW));
      for (const key of ["input", "solution", "metric", "length", "is_solved"])
        assert.equal(review[key], REVIEW[key]);
      const { best } = REVIEW.steps[1];
      const cross = await ask("solve", { position: `${SCRAMBLE} x2`, goal: best.goal });
      assert.deepEqual([cross.length, cross.solutions[0]], [best.length, best.moves]);
      const optimal = REVIEW.start.continuation;
      assert.equal(optimal.split(" ").length, REVIEW.start.distance);
      const end = await ask("position", { position: `${SCRAMBLE} ${optimal}` });
      assert.match(end.facelets, /^U{9}R{9}F{9}D{9}L{9}B{9}$/);
    },
    { hash: "#review" },
  ));

test("while a review runs, a phone shows its progress above the empty plot, then the answer", () =>
  open(
    async (page) => {
      const example = page.getByRole("button", { name: "Example" });
      const button = page.getByRole("button", { name: "Review", exact: true });
      assert.deepEqual(
        [await example.getAttribute("class"), await button.getAttribute("class")],
        [null, "strong"],
      );
      assert.ok(await button.isDisabled());
      const card = page.getByRole("region", { name: "Review", exact: true });
      const isShown = () =>
        page.waitForFunction(() => {
          const focused = document.activeElement;
          const isCard = focused.getAttribute("aria-label") === "Review";
          return isCard && focused.getBoundingClientRect().y < 400;
        });
      // The example has its review at once.
      await example.click();
      await card.locator(".headline", { hasText: "45 moves longer than optimal" }).waitFor();
      await card.getByText("Cross on D in 7 moves; the best takes 5: F L2 F2 D' F'").waitFor();
      await isShown();
      // The curve has the numbers of the steps, whose names do not fit.
      const numbers = [..."12345678"];
      assert.deepEqual(await card.locator(".band text").allTextContents(), numbers);
      assert.deepEqual(await card.locator("li .number").allTextContents(), numbers);
      for (const move of await card.locator(".reviewed").all()) {
        const { width, height } = await move.boundingBox();
        assert.ok(width >= 44 && height >= 44, `${width} by ${height} pixels`);
      }
      const solution = page.getByLabel("Your solution");
      await solution.fill(`U U' // slip\n${await solution.inputValue()}`);
      await button.click();
      await card.getByText("positions searched").waitFor();
      assert.equal(await card.locator(".curve:visible").count(), 1);
      // The curve grows from the end of the solution.
      const curve = card.locator(".curve:visible .proven");
      const points = (await curve.getAttribute("points")).split(" ");
      const places = points.map((point) => Number(point.split(",")[0]));
      assert.ok(places.length > 1 && places.every((x, at) => at === 0 || x <= places[at - 1]));
      const [open, latest] = await Promise.all(
        [".open", ".latest"].map((part) => card.locator(part).boundingBox()),
      );
      assert.ok(Math.abs(open.x + open.width - latest.x - latest.width / 2) < 2);
      await isShown();
      // Stop is in the place of Review, and in reach.
      assert.equal(await button.count(), 0);
      const stop = page.getByRole("button", { name: "Stop" });
      assert.deepEqual(await stop.evaluateAll((all) => all.map((each) => each.className)), [
        "stop",
        "",
      ]);
      await stop.last().click();
      await card.locator(".headline").waitFor();
      await card.getByText(/(no move is known to have|at least \d+ moves?) lost ground/).waitFor();
      await isShown();
      // A short one has a number at each move.
      await page.getByLabel("The scramble").fill("R U F2");
      await solution.fill("F2 U' // one\nR2 R // two");
      await button.click();
      await card.locator(".headline", { hasText: "1 move longer than optimal" }).waitFor();
      assert.deepEqual(await card.locator(".curve:visible text").allTextContents(), [
        ...["one", "two"],
        ...["0", "1", "2", "3"],
        ...["0", "1", "2", "3", "4"],
        ...["move", "distance"],
      ]);
      assert.equal(await card.locator(".curve:visible .kept").count(), 1);
    },
    { hash: "#review", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  ));

test("a view begins at its top, and keeps its place in the history", () =>
  open(
    async (page) => {
      const isAt = (place) => page.waitForFunction((place) => Math.abs(scrollY - place) < 2, place);
      await page.getByRole("button", { name: "Run" }).first().waitFor();
      await page.evaluate(() => scrollTo(0, 700));
      await isAt(700);
      await page.evaluate(() => (location.hash = "tables"));
      await page.getByText("htm-24M").first().waitFor();
      await isAt(0);
      await page.goBack();
      await isAt(700);
    },
    { hash: "#api", viewport: { width: 390, height: 844 } },
  ));

test("on a narrow phone, the links to the views are one row that scrolls to the shown view", () =>
  open(
    async (page) => {
      const links = page.locator("nav a");
      const boxes = await links.evaluateAll((all) =>
        all.map((link) => link.getBoundingClientRect().toJSON()),
      );
      assert.ok(
        boxes.every(({ y, width, height }) => y === boxes[0].y && width >= 44 && height >= 44),
      );
      for (const link of [links.last(), links.first()]) {
        await link.evaluate((link) => link.click());
        await page.waitForFunction(() => {
          const { left, right } = document
            .querySelector("nav [aria-current]")
            .getBoundingClientRect();
          return left >= 0 && right <= innerWidth;
        });
      }
      // A scroll bar may take a part of the screen.
      const [content, room] = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return [scrollWidth, clientWidth];
      });
      assert.equal(content, room);
      assert.deepEqual(await faults(page), []);
    },
    { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true },
  ));
