// The static page on a file server without special headers, as a static host is, and visitors.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { launch } from "../browser.mjs";

export { ask, faults, headline, openTab, scrambleField } from "../support.mjs";

export const SITE = new URL("../../../../../target/site/", import.meta.url);
const TYPES = {
  html: "text/html",
  js: "text/javascript",
  css: "text/css",
  wasm: "application/wasm",
  svg: "image/svg+xml",
  png: "image/png",
  txt: "text/plain",
  woff2: "font/woff2",
  webmanifest: "application/manifest+json",
};
/** The messages of Firefox about a page that is left or loaded once more while it loads its files. */
const LEFT = /error loading dynamically imported module|download failed .* status=2152398850/;
/** Where the page is on its host. */
export const PREFIX = "/some/where/";

/** Serves the folder; `release.change` makes it another release. */
export async function serve(release) {
  const server = createServer(async ({ url }, response) => {
    const { pathname } = new URL(url, "http://host");
    const file = pathname === PREFIX ? "index.html" : pathname.slice(PREFIX.length);
    try {
      if (!pathname.startsWith(PREFIX) || file.includes("..")) throw new Error("not of the site");
      let body = await readFile(fileURLToPath(new URL(file, SITE)));
      if (release.change && file === "service-worker.js")
        body = String(body).replace('RELEASE = "', 'RELEASE = "next-');
      response.writeHead(200, { "Content-Type": TYPES[file.split(".").pop()] }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

/** A browser and a host for all tests of a file. The browser draws the cube flat, which takes less time than in software. */
export function host(options = { webgl: false }) {
  const shared = { release: { change: false } };
  before(async () => {
    shared.server = await serve(shared.release);
    shared.port = shared.server.address().port;
    shared.browser = await launch(options);
  });
  after(async () => {
    await shared.browser?.close();
    shared.server?.close();
    shared.server?.closeAllConnections();
  });
  return {
    release: shared.release,
    address: (name = "127.0.0.1") => `http://${name}:${shared.port}${PREFIX}`,
    /**
     * A visitor with storage of their own, who uses the table of 24 MB and saves data, so that no example is solved; `visit` opens the page.
     * What goes wrong fails the test, unless it matches `expected`. `open` opens another context than a new one.
     */
    async visitor(
      test,
      {
        expected = /^$/,
        size = "24M",
        saveData = true,
        open = (options) => shared.browser.newContext(options),
        ...options
      } = {},
    ) {
      const context = await open({ viewport: { width: 1280, height: 900 }, ...options });
      // A busy machine may take its time.
      context.setDefaultTimeout(60_000);
      await context.addInitScript(
        (saveData) => Object.defineProperty(navigator, "connection", { value: { saveData } }),
        saveData,
      );
      await context.addInitScript(
        // The blank page that Firefox has first is of no origin, and without storage.
        (size) =>
          origin === "null" ||
          localStorage.getItem("tables") ||
          localStorage.setItem("tables", JSON.stringify({ htm: size })),
        size,
      );
      const problems = [];
      const visit = async (address = this.address()) => {
        const page = await context.newPage();
        page.on("request", (request) => {
          const url = request.url();
          if (!url.startsWith(new URL(PREFIX, address).href) && !/^(blob|data):/.test(url))
            problems.push(`requested ${url}`);
        });
        page.on("pageerror", (error) => problems.push(String(error)));
        page.on(
          "console",
          (message) =>
            message.type() === "error" &&
            problems.push(`${message.text()} ${message.location().url}`),
        );
        await page.goto(address);
        return page;
      };
      try {
        await test(visit, context);
        assert.deepEqual(
          problems.filter((problem) => !expected.test(problem) && !LEFT.test(problem)),
          [],
        );
      } finally {
        await context.close();
      }
    },
  };
}

/** Waits until the page is isolated, which loads it once more. */
export const isolated = (page) => page.waitForFunction(() => globalThis.crossOriginIsolated);

/** Waits until what is said about the table matches, though a search may say the same and hide it. */
export const tableState = (page, pattern) =>
  page.locator(".table-state").filter({ hasText: pattern }).waitFor({ state: "attached" });

/** What the page has said about the table, one after the other. */
export const watchTable = (context) =>
  context.addInitScript(() => {
    globalThis.tableStates = [];
    new MutationObserver(() => {
      const text = document.querySelector(".table-state")?.textContent;
      if (text && globalThis.tableStates.at(-1) !== text) globalThis.tableStates.push(text);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });

/** The moves of the solution that is shown. */
export const solution = (page) =>
  page
    .locator(".moves button")
    .allTextContents()
    .then((moves) => moves.join(" "));
