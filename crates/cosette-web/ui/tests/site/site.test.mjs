// The static page: visits with and without a network, interrupted ones, and what browsers refuse.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { solves } from "../../../../cosette-js/npm/test/model.mjs";
import { test } from "../browser.mjs";
import {
  SITE,
  ask,
  headline,
  host,
  isolated,
  openTab,
  scrambleField,
  solution,
  tableState,
  watchTable,
} from "./support.mjs";

const EASY = "R U R' U' F2 D L B2 R D";
const HARDER = "U R2 F B R B2 R U2 L B2 R";
/** Twenty moves, which take the smallest table hours. */
const SUPERFLIP = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";

const site = host();
const limits = (page) => page.locator(".limits li").allTextContents();
const states = (page) => page.evaluate(() => globalThis.tableStates);

async function check(page, text, length) {
  await ask(page, text);
  await headline(page, `${length} moves, proven optimal`);
  const moves = await solution(page);
  assert.ok(solves(text, moves), `${moves} solves ${text}`);
  assert.equal(moves.split(" ").length, length);
}

test("the page has no puzzle but its own", () => {
  const puzzles = readdirSync(new URL("assets/", SITE)).filter((name) =>
    name.startsWith("puzzles-"),
  );
  assert.deepEqual(
    puzzles.map((name) => name.split("-")[2]),
    ["3x3x3"],
  );
});

test("a link to the page has a preview with a picture", () => {
  const page = readFileSync(new URL("index.html", SITE), "utf8");
  const picture = readFileSync(new URL("preview.png", SITE));
  assert.match(page, /property="og:title" content="Cosette: /);
  assert.match(page, /property="og:image" content="https:.*\/preview\.png"/);
  assert.deepEqual(
    [picture.toString("latin1", 1, 4), picture.readUInt32BE(16), picture.readUInt32BE(20)],
    ["PNG", 1200, 630],
  );
});

test("the first visit generates the table, the second loads it, the third needs no network", () =>
  site.visitor(async (visit, context) => {
    await watchTable(context);
    const first = await visit();
    await isolated(first);
    // Near solved, none is needed.
    await check(first, "R U R' U'", 4);
    assert.ok(!(await states(first)).some((text) => text.startsWith("Generating")));
    assert.ok(!(await first.getByText("The first solve builds").isVisible()));
    await check(first, EASY, 10);
    await tableState(first, /^Table htm-24M is ready; \d+ threads\.$/);
    assert.deepEqual(await limits(first), []);
    assert.ok(
      (await states(first)).some((text) => text.startsWith("Generating")),
      String(await states(first)),
    );
    assert.ok(new URL(first.url()).pathname.endsWith("/some/where/"));
    await first.reload();
    await headline(first, "10 moves, proven optimal");
    await first.close();

    const second = await visit();
    await tableState(second, "is ready");
    const said = await states(second);
    assert.ok(!said.some((text) => text.startsWith("Generating")), String(said));
    await check(second, HARDER, 11);
    await second.locator(".special li").first().waitFor();
    // All shortest solutions, each applied again.
    await second.locator("summary", { hasText: "Metric and limits" }).click();
    await second.getByLabel("Optimal solutions").selectOption("all");
    await ask(second, "R2 L2 U2 D2 F2 B2");
    await headline(second, "6 moves, proven optimal");
    const all = await second.locator(".choice .solution").allTextContents();
    assert.equal(all.length, 6);
    for (const moves of all) assert.ok(solves("R2 L2 U2 D2 F2 B2", moves), moves);
    await second.close();

    await context.setOffline(true);
    const third = await visit();
    await isolated(third);
    await check(third, EASY, 10);
    await third.getByRole("button", { name: "Go to end" }).click();
    assert.match(
      await third.evaluate(async () => (await fetch("third-party.txt")).text()),
      /Apache/,
    );
  }));

test("on the empty page an example generates the table and is proven", () =>
  site.visitor(
    async (visit) => {
      const page = await visit();
      await isolated(page);
      await tableState(page, /^Generating table/);
      // A solution is there before the table is.
      assert.ok(!(await page.locator(".headline").isVisible()));
      assert.ok((await page.locator(".moves button").count()) > 10);
      assert.ok(!(await page.locator(".claim").isVisible()));
      await headline(page, /^1\d moves, proven optimal$/);
      assert.ok(
        solves(await scrambleField(page).getAttribute("placeholder"), await solution(page)),
      );
    },
    { saveData: false },
  ));

test("until the table is ready the smallest one answers, and a longer search goes on with the ready one", () =>
  site.visitor(
    async (visit, context) => {
      await watchTable(context);
      const first = await visit();
      await isolated(first);
      await headline(first, /^1\d moves, proven optimal$/);
      await check(first, HARDER, 11);
      await ask(first, SUPERFLIP);
      await first.locator(".details", { hasText: "Ruling out" }).waitFor();
      assert.ok(!(await states(first)).some((text) => text.includes("is ready")));
      await tableState(first, /^Table htm-47M is ready/);
      await first.locator(".details", { hasText: "Ruling out" }).waitFor();
      await first.getByRole("button", { name: "Stop", exact: true }).click();
      await first.locator(".details", { hasText: /^Stopped; .*htm-47M/ }).waitFor();
      await first.close();

      const second = await visit();
      await headline(second, /^1\d moves, proven optimal$/);
      await tableState(second, /^Table htm-47M is ready/);
      assert.ok(!(await states(second)).some((text) => text.startsWith("Generating")));
    },
    { saveData: false, size: "47M" },
  ));

test("what an interrupted visit has generated is kept, and the next visit goes on by itself", () =>
  site.visitor(
    async (visit, context) => {
      await watchTable(context);
      const first = await visit();
      await isolated(first);
      await ask(first, EASY);
      await tableState(first, /^Generating table htm-47M: [2-9]\d %/);
      const reached = Number(/(\d+) %/.exec((await states(first)).at(-1))[1]);
      await first.close({ runBeforeUnload: false });

      const second = await visit();
      await tableState(second, "is ready");
      const [begun] = (await states(second)).filter((text) => text.startsWith("Generating"));
      const resumed = Number(/(\d+) %/.exec(begun)[1]);
      assert.ok(
        resumed > 0 && resumed >= reached - 15,
        `${reached} % were reached, and it went on from ${resumed} %`,
      );
      await check(second, HARDER, 11);
    },
    { size: "47M" },
  ));

test("a long search is stopped, continues in a hidden tab, and links and history lead back", () =>
  site.visitor(async (visit, context) => {
    // A hidden tab draws no frames until it is seen again.
    await context.addInitScript(() => {
      const draw = globalThis.requestAnimationFrame.bind(globalThis);
      globalThis.requestAnimationFrame = (callback) => (globalThis.isHidden ? 0 : draw(callback));
    });
    const page = await visit();
    await isolated(page);
    await openTab(page, "Random");
    await page.getByRole("button", { name: "Random cube" }).click();
    await page.waitForURL(/position=/);
    await ask(page, SUPERFLIP);
    await headline(page, /^(At least|\d+ to) \d+ moves$/);
    await page.locator(".details", { hasText: "Ruling out" }).waitFor();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.locator(".details", { hasText: /^Stopped; / }).waitFor();
    assert.ok(solves(SUPERFLIP, await solution(page)));
    await page.evaluate(() => (globalThis.isHidden = true));
    await check(page, EASY, 10);
    await page.evaluate(() => (globalThis.isHidden = false));
    await page.goBack();
    assert.ok(new URL(page.url()).searchParams.get("position") === SUPERFLIP);
    await page.locator(".details", { hasText: /^Stopped; / }).waitFor();
    // Another position is solved though the search before has not ended yet: pasted, with Enter at once; and by going back.
    await page.getByRole("button", { name: "Search again" }).click();
    await page.locator(".details", { hasText: "Ruling out" }).waitFor();
    await scrambleField(page).evaluate((input, text) => {
      input.value = text;
      input.dispatchEvent(new Event("input", { bubbles: true }));
      input.form.requestSubmit();
    }, EASY);
    await headline(page, "10 moves, proven optimal");
    await page.goBack();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.locator(".details", { hasText: /^Stopped; / }).waitFor();
    // A link solves at once.
    const linked = await visit(`${site.address()}?position=${encodeURIComponent(HARDER)}`);
    await headline(linked, "11 moves, proven optimal");
  }));

test("errors of positions are explained, and tables are chosen and removed", () =>
  site.visitor(async (visit) => {
    const page = await visit();
    await isolated(page);
    await scrambleField(page).fill("R U Q2");
    await page.locator(".notice.bad").waitFor();
    await page.goto(`${site.address()}#tables`);
    const row = page.locator('[data-table="htm-24M"]');
    await row.getByRole("button", { name: "Generate" }).click();
    await row.getByText("in use").waitFor();
    const larger = page.locator('[data-table="htm-47M"]');
    await larger.getByRole("button", { name: "Generate" }).click();
    await larger.getByText("in use").waitFor();
    // Pressed once, the button asks; pressed elsewhere, with time for the page to change meanwhile, it does not ask any more.
    await larger.getByRole("button", { name: "Remove" }).click();
    await larger.getByText(/^Remove 47/).waitFor();
    await row.getByRole("button", { name: "Use" }).click({ delay: 300 });
    await row.getByText("in use").waitFor();
    await refuseMemory(page);
    await larger.getByRole("button", { name: "Use" }).click();
    await page.locator(".notice.bad:visible", { hasText: "smaller table" }).waitFor();
    for (const each of [row, larger]) {
      await each.getByRole("button", { name: "Remove" }).click();
      await each.getByRole("button", { name: "Remove" }).click();
      await each.getByRole("button", { name: "Generate" }).waitFor();
    }
    await page.getByRole("link", { name: "Programs" }).click();
    await page.getByText("The HTTP API").waitFor();
  }));

test("tables wait for the one that is generated, stopped ones for a request, and the list is that of the storage", () =>
  site.visitor(async (visit, context) => {
    await context.addInitScript(() => {
      // A file that is being written cannot always be read.
      const { arrayBuffer } = Blob.prototype;
      let reads = 0;
      Blob.prototype.arrayBuffer = function () {
        return (reads += 1) % 2
          ? Promise.reject(new DOMException("it was written to", "NotReadableError"))
          : arrayBuffer.call(this);
      };
    });
    const page = await visit(`${site.address()}#tables`);
    await isolated(page);
    const [large, small] = ["htm-375M", "htm-190M"].map((name) =>
      page.locator(`[data-table="${name}"]`),
    );
    await large.getByRole("button", { name: "Generate" }).click();
    await large.getByText(/^[1-9]\d? %/).waitFor();
    const generate = small.getByRole("button", { name: "Generate" });
    await small.getByTitle("htm-375M is still being built").waitFor();
    assert.ok(await generate.isDisabled());
    await large.getByRole("button", { name: "Stop" }).click();
    await large.getByRole("button", { name: "Resume" }).waitFor();
    await generate.click();
    await small.getByText(/^[1-9]\d? %/).waitFor();
    await page.getByText("The tables are stored in this browser").waitFor();
    await small.getByRole("button", { name: "Stop" }).click();
    await small.getByRole("button", { name: "Resume" }).waitFor();
    // It goes on when it is asked for, and not with the next visit.
    await page.reload();
    await small.getByRole("button", { name: "Resume" }).waitFor();
    await page.waitForTimeout(1500);
    assert.equal(await small.getByRole("button", { name: "Stop" }).count(), 0);
  }));

test("without isolation one thread works, and the page says why", () =>
  site.visitor(
    async (visit) => {
      const page = await visit();
      await check(page, EASY, 10);
      await tableState(page, "one thread");
      await page.locator(".proof dd", { hasText: "This browser, 1 thread" }).waitFor();
      assert.match((await limits(page)).join(), /^Only one thread can be used, because/);
    },
    { serviceWorkers: "block" },
  ));

test("where storage is refused, the table is in memory, and the page says so", () =>
  site.visitor(async (visit) => {
    const page = await visit(site.address("insecure.test"));
    await check(page, EASY, 10);
    const said = (await limits(page)).join(" ");
    assert.match(said, /not loaded over HTTPS/);
    assert.match(said, /could not be stored/);
  }));

for (const [lack, remove, said] of [
  [
    "SIMD",
    () => void (WebAssembly.validate = () => false),
    /does not support WebAssembly SIMD.*or later/,
  ],
  [
    "WebAssembly",
    () => void delete globalThis.WebAssembly,
    /does not support WebAssembly, or it is disabled/,
  ],
]) {
  test(`without ${lack} the page says so`, () =>
    site.visitor(async (visit, context) => {
      await context.addInitScript(remove);
      const page = await visit();
      await isolated(page);
      await page
        .getByRole("list", { name: "Limitations of this browser" })
        .filter({ hasText: said })
        .waitFor();
      await scrambleField(page).fill(EASY);
      await page.locator(".notice.bad", { hasText: "WebAssembly SIMD is not supported" }).waitFor();
    }));
}

test("a table that another tab has open is in the memory of this one, which says so", () =>
  site.visitor(async (visit) => {
    const first = await visit();
    await isolated(first);
    // As if it were being generated there.
    const [worker] = await Promise.all([
      first.waitForEvent("worker"),
      scrambleField(first).fill("R"),
    ]);
    await worker.evaluate(async () => {
      const home = await (
        await navigator.storage.getDirectory()
      ).getDirectoryHandle("cosette", { create: true });
      globalThis.held = await (
        await home.getFileHandle("htm-24M.table", { create: true })
      ).createSyncAccessHandle();
      globalThis.held.truncate(100);
    });
    const second = await visit();
    await isolated(second);
    await check(second, HARDER, 11);
    assert.match(
      (await limits(second)).join(),
      /^The table is only in the memory of this tab: another tab/,
    );
  }));

/** From now on, the system refuses shared memory that may grow to more pages than these. */
const refuseMemory = (page, pages = 0) =>
  page.evaluate((pages) => {
    const { Memory } = WebAssembly;
    WebAssembly.Memory = function (options) {
      if (options.shared && options.maximum > pages)
        throw new RangeError("WebAssembly.Memory(): could not allocate memory");
      return new Memory(options);
    };
  }, pages);

test("where the system reserves what memory may grow to, it is asked for less", () =>
  site.visitor(async (visit) => {
    const page = await visit();
    await isolated(page);
    await refuseMemory(page, 4096);
    await check(page, EASY, 10);
    assert.deepEqual(await limits(page), []);
  }));

for (const pages of [0, 512]) {
  test(`too little memory is said, with what to do: ${pages} pages`, () =>
    site.visitor(async (visit) => {
      const page = await visit();
      await isolated(page);
      await refuseMemory(page, pages);
      await ask(page, EASY);
      await page.locator(".notices .notice.bad", { hasText: "smaller table" }).waitFor();
    }));
}

test("where the browser refuses to store anything, the page works", () =>
  site.visitor(async (visit, context) => {
    await context.addInitScript(() => {
      for (const storage of ["localStorage", "sessionStorage"]) {
        Object.defineProperty(globalThis, storage, {
          get: () => {
            throw new DOMException("denied", "SecurityError");
          },
        });
      }
    });
    const page = await visit();
    await scrambleField(page).fill("R U Q2");
    await page.locator(".notice.bad").waitFor();
  }));

test("a new release replaces the old one when the user says so", () =>
  site.visitor(async (visit) => {
    const caches = (page) => page.evaluate(() => globalThis.caches.keys());
    const page = await visit();
    await isolated(page);
    assert.equal((await caches(page)).length, 1);
    const other = await visit();
    await isolated(other);
    try {
      site.release.change = true;
      await page.reload();
      await page.getByRole("button", { name: "Update" }).click();
      await page.waitForFunction(async () =>
        (await globalThis.caches.keys()).every((name) => name.includes("next-")),
      );
      assert.equal((await caches(page)).length, 1);
      // The other one offers it too: the files that it may still need are gone.
      const update = other.getByRole("button", { name: "Update" });
      await Promise.all([other.waitForEvent("load"), update.click()]);
      await other.getByRole("button", { name: "Update" }).waitFor({ state: "hidden" });
    } finally {
      site.release.change = false;
    }
  }));
