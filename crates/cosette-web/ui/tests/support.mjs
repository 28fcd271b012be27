// A server and a browser for one test file. Every request that would leave this machine, every error on the page's console and every
// exception makes the test fail.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const program = process.env.COSETTE_WEB ?? `${root}target/release/cosette-web`;
const tables = `${root}target/tmp/ui-tables`;

/** Chromium of Debian; another one where CHROMIUM names it. */
const options = {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
};

/** Starts `cosette-web` on a free port; its address and how to end it. */
async function startServer(args) {
  mkdirSync(tables, { recursive: true });
  const server = spawn(program, ["--port", "0", "--tables", tables, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((resolve, reject) => {
    server.stdout.once("data", (line) => resolve(String(line).trim()));
    server.once("error", (error) => reject(new Error(`${program} does not start: ${error.message}; build it with cargo build --release -p cosette-web`)));
    server.once("exit", (code) => reject(new Error(`${program} ended with ${code}`)));
  });
  const stop = () =>
    new Promise((resolve) => {
      server.once("exit", (code) => resolve(code));
      server.kill("SIGTERM");
    });
  return { address, stop };
}

/** A browser and a server for all tests of a file; `open` gives a page of its own to each. The browser draws without a graphics card. */
export function site(browserArg = "--enable-unsafe-swiftshader") {
  const shared = {};
  before(async () => {
    shared.server = await startServer(["--table", "30M"]);
    shared.browser = await chromium.launch({ ...options, args: [...options.args, browserArg] });
  });
  after(async () => {
    await shared.browser?.close();
    const code = await shared.server?.stop();
    assert.equal(code, 0, "the server stops when it is asked to");
  });
  return {
    get address() {
      return shared.server.address;
    },
    /** Opens the page, runs the test, and sees that nothing went wrong beside it. */
    async open(test, { hash = "", ...context } = {}) {
      const opened = await shared.browser.newContext({ viewport: { width: 1280, height: 900 }, ...context });
      const page = await opened.newPage();
      const trouble = [];
      page.on("request", (request) => {
        const url = request.url();
        if (!url.startsWith(shared.server.address) && !/^(blob|data):/.test(url)) trouble.push(`asked ${url}`);
      });
      page.on("pageerror", (error) => trouble.push(String(error)));
      page.on("console", (message) => message.type() === "error" && trouble.push(message.text()));
      page.setDefaultTimeout(20_000);
      try {
        await page.goto(shared.server.address + hash);
        await test(page, opened);
        assert.deepEqual(trouble, []);
      } finally {
        await opened.close();
      }
    },
  };
}

/** The net's facelet with this number. */
export const facelet = (page, place) => page.locator(`.net [data-place="${place}"]`);

/** Waits for the headline to say this. */
export async function headline(page, pattern) {
  await page.locator(".headline:visible").filter({ hasText: pattern }).waitFor();
}
