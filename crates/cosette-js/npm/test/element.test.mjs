// The element <cosette-cube> in Chromium: the example page of docs/howto/embed.md, which loads the
// package from another origin, and pages with other attributes.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { chromium } from "../../../cosette-web/ui/node_modules/playwright-core/index.mjs";
import { SUPERFLIP } from "./cases.mjs";
import { solves } from "./model.mjs";
import { ISOLATION, address, serve } from "./page.mjs";

const require = createRequire(new URL("../../../cosette-web/ui/package.json", import.meta.url));
const AXE = await readFile(require.resolve("axe-core/axe.min.js"), "utf8");
const EXAMPLE = await readFile(
  new URL("../../../../docs/howto/embed.html", import.meta.url),
  "utf8",
);
const CDN = /https:\/\/cdn\.jsdelivr\.net\/npm\/cosette-solver@[\d.]+\//;
const APP = "https://cosette-solver.github.io/cosette/?position=";

/** A busy machine may take its time. */
const TIMEOUT = 600_000;

/** The page of the current test. */
const pages = { "/page": "" };
let browser, context, plain, isolated, cdn;
before(async () => {
  plain = await serve({}, pages);
  isolated = await serve(ISOLATION, pages);
  cdn = await serve({ "Access-Control-Allow-Origin": "*" });
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
  // The table is generated once for each origin.
  context = await browser.newContext();
  context.setDefaultTimeout(TIMEOUT);
});
after(async () => {
  await browser?.close();
  [plain, isolated, cdn].forEach((server) => server?.close());
});

/** Opens a page with this text; its errors fail the test. */
async function open(html, { host = plain, ...media } = {}) {
  pages["/page"] = html;
  const page = await context.newPage();
  await page.emulateMedia(media);
  const errors = [];
  page.on("pageerror", (error) => errors.push(error));
  page.on("console", (message) => {
    const isIcon = message.location().url.endsWith("/favicon.ico");
    if (message.type() === "error" && !isIcon) errors.push(message.text());
  });
  await page.goto(`${address(host)}page`);
  await page.waitForFunction(() => customElements.get("cosette-cube"));
  return {
    page,
    async close() {
      assert.deepEqual(errors, []);
      await page.close();
    },
  };
}

/** A page with one element. */
const pageWith = (attributes) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>A cube</title><main><h1>A cube</h1>
  <cosette-cube ${attributes}></cosette-cube></main>
  <script type="module" src="/element.js"></script>`;

const facts = (element) => element.getByRole("status");
const error = (element) => element.getByRole("alert");
const button = (element, name) => element.getByRole("button", { name, exact: true });

/** Waits until the text of an element matches. */
async function hasText(locator, expected) {
  const deadline = Date.now() + TIMEOUT;
  for (;;) {
    const text = await locator.textContent();
    if (typeof expected === "string" ? text === expected : expected.test(text)) return;
    assert.ok(Date.now() < deadline, `${JSON.stringify(text)} is not ${expected}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The faces of the drawn facelets, which are 27. */
const drawn = (element) =>
  element.evaluate(({ shadowRoot }) =>
    [...shadowRoot.querySelectorAll(".cube path:not(.body)")]
      .map(({ classList }) => classList.value)
      .join(""),
  );
const isDrawnSolved = async (element) =>
  /^(.)\1{8}(.)\2{8}(.)\3{8}$/.test([...(await drawn(element))].sort().join(""));

async function axeFaults(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

for (const colorScheme of ["light", "dark"]) {
  const isIsolated = colorScheme === "dark";
  const look = isIsolated ? `${colorScheme}, isolated` : colorScheme;
  test(`the example page, ${look}, with the package on another origin`, async () => {
    assert.match(EXAMPLE, CDN);
    const { page, close } = await open(EXAMPLE.replace(CDN, address(cdn)), {
      host: isIsolated ? isolated : plain,
      colorScheme,
      reducedMotion: "reduce",
    });
    assert.equal(await page.evaluate(() => globalThis.crossOriginIsolated), isIsolated);
    const scramble = page.locator("#scramble");
    await button(scramble, "Solve").waitFor();
    const text = await scramble.getAttribute("scramble");
    const link = scramble.getByRole("link", { name: "Open in Cosette" });
    assert.equal(await link.getAttribute("href"), APP + encoded(text));
    assert.deepEqual(await axeFaults(page), []);

    await button(scramble, "Solve").click();
    await hasText(facts(scramble), "14 moves, proven shortest");
    const moves = await scramble.getByRole("group", { name: "Solution" }).innerText();
    assert.ok(solves(text, moves.replace(/\s+/g, " ").trim()));
    assert.equal(await isDrawnSolved(scramble), false);
    // The button is gone, so the focus is on the player.
    await page.keyboard.press("Space");
    await scramble.getByRole("img", { name: "after 14 of 14 moves" }).waitFor();
    assert.equal(await isDrawnSolved(scramble), true);

    const solution = page.locator("#solution");
    assert.equal(await facts(solution).textContent(), "7 moves");
    await button(solution, "Prove").click();
    await hasText(facts(solution), "4 moves, proven shortest; the given solution has 7");

    const known = page.locator("#length");
    assert.equal(await facts(known).textContent(), "6 moves, optimal according to this page");
    assert.deepEqual(await axeFaults(page), []);
    await close();
  });
}

const encoded = (text) => new URLSearchParams({ position: text }).toString().slice(9);

test("the player steps, plays, and shows the other side", async () => {
  const solution = "U R U' R'";
  const { page, close } = await open(pageWith(`scramble="R U R' U'" solution="${solution}"`));
  const element = page.locator("cosette-cube");
  const label = (done) => element.getByRole("img", { name: `after ${done} of 4 moves` });
  await button(element, "Next move").click();
  await label(1).waitFor();
  await page.keyboard.press("ArrowRight");
  await label(2).waitFor();
  await page.keyboard.press("ArrowLeft");
  await label(1).waitFor();
  await button(element, "Play").click();
  await button(element, "Pause").waitFor();
  await label(4).waitFor();
  await button(element, "Play").waitFor();
  assert.equal(await isDrawnSolved(element), true);
  const front = await drawn(element);
  await button(element, "Other side").click();
  assert.equal([...new Set(front + (await drawn(element)))].sort().join(""), "BDFLRU");
  await element.getByRole("slider").press("Home");
  await label(0).waitFor();
  await button(element, "R").click();
  await label(1).waitFor();
  await close();
});

test("a layer turns as its move says, and a reduced motion jumps", async () => {
  for (const reducedMotion of ["no-preference", "reduce"]) {
    const { page, close } = await open(pageWith(`scramble="M" solution="M'"`), { reducedMotion });
    const element = page.locator("cosette-cube");
    await button(element, "Next move").waitFor();
    const shapes = await element.evaluate(async ({ shadowRoot }) => {
      const seen = new Set();
      const cube = shadowRoot.querySelector(".cube");
      const observer = new MutationObserver(() => seen.add(cube.innerHTML));
      observer.observe(cube, { childList: true });
      shadowRoot.querySelector("[aria-label='Next move']").click();
      await new Promise((resolve) => setTimeout(resolve, 1500));
      return seen.size;
    });
    assert.ok(reducedMotion === "reduce" ? shapes === 1 : shapes > 2, `${shapes} drawings`);
    assert.equal(await isDrawnSolved(element), true);
    await close();
  }
});

for (const [attributes, expected] of [
  ["", `scramble is missing; write <cosette-cube scramble="R U F2">`],
  [`scramble="R U Q"`, /^Error in scramble: character 5: `Q` is not a valid move/],
  [`scramble="${"U".repeat(54)}"`, /^Error in scramble: /],
  [`scramble="R" solution="R' (U"`, /^Error in solution: /],
  [`scramble="R U" solution="R' U'"`, /^The solution does not solve the cube; /],
  [`scramble="R U" length="21"`, "length is '21'; it must be a whole number from 0 to 20"],
  [`scramble="R" solution="R'" length="2"`, "length is 2, but the solution has 1 move"],
]) {
  test(`an error: ${attributes || "no attributes"}`, async () => {
    const { page, close } = await open(pageWith(attributes));
    const element = page.locator("cosette-cube");
    await hasText(error(element), expected);
    assert.deepEqual(await axeFaults(page), []);
    // A corrected attribute removes the error.
    await element.evaluate((cube) => {
      cube.setAttribute("scramble", "R");
      cube.setAttribute("solution", "R'");
      cube.setAttribute("length", "1");
    });
    await hasText(facts(element), "1 move, proven shortest");
    assert.equal(await error(element).textContent(), "");
    await close();
  });
}

test("positions in other notations, and solutions with rotations, slices and groups", async () => {
  const facelets = "UUFUUFUUFRRRRRRRRRFFDFFDFFDDDBDDBDDBLLLLLLLLLUBBUBBUBB";
  for (const [scramble, solution, length] of [
    [facelets, "R'", "1 move"],
    ["R U x", "B' R'", "2 moves"],
    ["M E", "E' M'", "4 moves"],
    ["(R U)3", "(U' R')3", "6 moves"],
    ["R U", "x x' U’ Rw' M'", "4 moves"],
  ]) {
    const { page, close } = await open(
      pageWith(`scramble="${scramble}" solution="${solution}" app="/cubes/"`),
    );
    const element = page.locator("cosette-cube");
    await hasText(facts(element), length);
    assert.equal(await error(element).textContent(), "");
    const href = await element.getByRole("link").getAttribute("href");
    assert.equal(href, `${address(plain)}cubes/?position=${encoded(scramble)}`);
    await close();
  }
});

test("a search that is stopped says what is proven; an element that leaves the page ends its search", async () => {
  const { page, close } = await open(pageWith(`scramble="${SUPERFLIP}"`));
  const element = page.locator("cosette-cube");
  await button(element, "Solve").click();
  await hasText(facts(element), /^Searching: \d+ to 20 moves$/);
  await button(element, "Stop").click();
  await hasText(facts(element), /^Not proven: a shortest solution has \d+ to 20 moves\. /);
  await button(element, "Solve").click();
  await hasText(facts(element), /^Searching/);
  await element.evaluate((cube) => {
    cube.remove();
    document.body.append(cube);
  });
  await button(element, "Solve").waitFor();
  assert.equal(await facts(element).textContent(), "");
  await close();
});

test("a proof without a table, also after a change of the position while the table is prepared", async () => {
  const { page, close } = await open(pageWith(`scramble="${SUPERFLIP}"`));
  const element = page.locator("cosette-cube");
  await button(element, "Solve").click();
  await button(element, "Stop").click();
  await button(element, "Solve").click();
  await element.evaluate((cube) => cube.setAttribute("scramble", "R U F"));
  await button(element, "Solve").click();
  await hasText(facts(element), "3 moves, proven shortest");
  assert.equal(await element.getByRole("group", { name: "Solution" }).innerText(), "F'\nU'\nR'");
  await close();
});

test("a solver that cannot be loaded is an error, after which it can be tried again", async () => {
  const { page } = await open(pageWith(`scramble="R U F"`));
  const element = page.locator("cosette-cube");
  await page.route("**/*.wasm", (route) => route.abort());
  await button(element, "Solve").click();
  await hasText(
    error(element),
    /\.wasm cannot be loaded: .*; if a bundler has included cosette-solver/,
  );
  await page.unroute("**/*.wasm");
  await button(element, "Solve").click();
  await hasText(facts(element), "3 moves, proven shortest");
  assert.equal(await error(element).textContent(), "");
  await page.close();
});
