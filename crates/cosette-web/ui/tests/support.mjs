// A server and a browser for one test file. A test fails on any request to another machine, console error or exception.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { launch } from "./browser.mjs";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const program = process.env.COSETTE_WEB ?? `${root}target/release/cosette-web`;
const tables = `${root}target/tmp/ui-tables`;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Starts `cosette-web` on a free port; returns its address, the one with the token, and a function that stops it. */
export async function startServer(args) {
  mkdirSync(tables, { recursive: true });
  const server = spawn(program, ["--port", "0", "--tables", tables, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const entrance = await new Promise((resolve, reject) => {
    server.stdout.once("data", (line) => resolve(String(line).trim()));
    server.once("error", (error) =>
      reject(
        new Error(
          `${program} does not start: ${error.message}; build it with cargo build --release -p cosette-web`,
        ),
      ),
    );
    server.once("exit", (code) => reject(new Error(`${program} ended with ${code}`)));
  });
  const stop = () =>
    new Promise((resolve) => {
      server.once("exit", (code) => resolve(code));
      server.kill("SIGTERM");
    });
  return { address: new URL(entrance).origin, entrance, stop };
}

/** A browser with these options and a server with these arguments for all tests of a file; `open` opens a new page. */
export function site(options, ...args) {
  const shared = {};
  before(async () => {
    shared.server = await startServer(["--table", "24M", ...args]);
    shared.browser = await launch(options);
  });
  after(async () => {
    await shared.browser?.close();
    const code = await shared.server?.stop();
    assert.equal(code, 0, "the server stops cleanly");
  });
  return {
    get address() {
      return shared.server.address;
    },
    /**
     * Opens the page as someone who saves data, so that no example is solved, runs the test, and checks that nothing else went wrong than
     * problems that match `expected`.
     */
    async open(test, { hash = "", expected = /^$/, saveData = true, ...context } = {}) {
      const opened = await shared.browser.newContext({
        viewport: { width: 1280, height: 900 },
        ...context,
      });
      await opened.addInitScript(
        (saveData) => Object.defineProperty(navigator, "connection", { value: { saveData } }),
        saveData,
      );
      const page = await opened.newPage();
      const problems = [];
      page.on("request", (request) => {
        const url = request.url();
        if (!url.startsWith(shared.server.address) && !/^(blob|data):/.test(url))
          problems.push(`requested ${url}`);
      });
      page.on("pageerror", (error) => problems.push(String(error)));
      page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
      page.setDefaultTimeout(20_000);
      try {
        await page.goto(shared.server.entrance + hash);
        assert.ok(!page.url().includes("token"), "the token leaves the address bar");
        // The app is loaded after the document.
        await page.getByRole("navigation").waitFor();
        await test(page, opened);
        assert.deepEqual(
          problems.filter((problem) => !expected.test(problem)),
          [],
        );
      } finally {
        // An answer to a closed page is no error.
        await page.unrouteAll({ behavior: "ignoreErrors" });
        await opened.close();
      }
    },
  };
}

/** The facelet of the net with this number. */
export const facelet = (page, place) => page.locator(`.net [data-place="${place}"]`);

/** Waits until the headline matches. */
export async function headline(page, pattern) {
  await page.locator(".headline:visible").filter({ hasText: pattern }).waitFor();
}

/** Opens a tab of the input. */
export const openTab = (page, name) => page.getByRole("tab", { name }).click();

/** The field of the scramble. */
export const scrambleField = (page) => page.locator("#scramble-panel textarea");

/** Enters a position. */
export async function type(page, text) {
  await openTab(page, "Scramble");
  await scrambleField(page).fill(text);
}

/** The button that solves it. */
export const solve = (page) => page.getByRole("button", { name: "Solve", exact: true });

/** Enters a position and solves it. */
export async function ask(page, text) {
  await type(page, text);
  await solve(page).click();
}

/**
 * The findings of axe-core, a line each. It is evaluated in the page, whose policy allows no script of others.
 */
export async function faults(page) {
  // A text that fades in has less contrast until then.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        // Those of a scroll position have no end.
        .filter((each) => each.timeline === document.timeline)
        .filter((each) => each.effect.getTiming().iterations !== Infinity)
        .map((each) => each.finished.catch(() => undefined)),
    ),
  );
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run());
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html }) => `${impact}: ${id}: ${html.slice(0, 160)}`),
  );
}
