// Draws docs/images/page.png, goals.png and desk.png: the web app of cosette-web, from a real server,
// with a solved scramble, with a goal, and with an attempt at fewest moves.
//
//     npm --prefix crates/cosette-web/ui run bundle
//     cargo build --release -p cosette-web
//     node docs/images/page.mjs target/release/cosette-web
//
// Chromium is /usr/bin/chromium, or the path in CHROMIUM.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const ui = createRequire(new URL("../../crates/cosette-web/ui/package.json", import.meta.url));
const { chromium } = ui("playwright-core");

const SCRAMBLE = "F2 D2 R' D2 B2 L F2 D' R B L' U B F R2 D F2";
const ATTEMPT = "R' U' F D2 L2 F R2 U2 R2 B D2 L B2 D' B2 L' R' B D2 B U2 L U2 R' U' F";

const server = spawn(process.argv[2], ["--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--enable-unsafe-swiftshader"],
});
try {
  const address = String((await once(server.stdout, "data"))[0]).trim();
  const draw = async (name, tab, make) => {
    const page = await browser.newPage({
      viewport: { width: 1120, height: 784 },
      colorScheme: "light",
    });
    page.setDefaultTimeout(300_000);
    await page.goto(`${address}${tab}`);
    await make(page);
    await page.waitForTimeout(3000); // The cube turns.
    await page.screenshot({
      path: fileURLToPath(new URL(`${name}.png`, import.meta.url)),
      fullPage: true,
    });
    await page.close();
  };
  const headline = (page, text) =>
    page.locator(".headline:visible").filter({ hasText: text }).waitFor();

  await draw("page", "", async (page) => {
    await page.locator("#scramble-panel textarea").fill(SCRAMBLE);
    await page.getByRole("button", { name: "Solve", exact: true }).click();
    await headline(page, "proven optimal");
    const next = page.getByRole("button", { name: "Next move" });
    for (let move = 1; move <= 3; move++) {
      await next.click();
      await page.locator(`input[aria-valuetext^="${move} of"]`).waitFor();
    }
  });
  await draw("goals", "", async (page) => {
    await page.locator("#scramble-panel textarea").fill(SCRAMBLE);
    await page.locator(".question summary", { hasText: "whole cube" }).click();
    await page.getByRole("radio", { name: "Cross", exact: true }).check();
    await page.getByRole("button", { name: "Solve", exact: true }).click();
    await headline(page, "moves");
  });
  await draw("desk", "#fmc", async (page) => {
    const find = page.locator(".find .running button", { hasText: "Find" });
    const finding = page.locator(".finding").first();
    await page.locator(".fmc").getByLabel("Your scramble").fill(ATTEMPT);
    await page.locator(".fmc").getByLabel("Your scramble").press("Enter");
    for (let step = 1; step <= 3; step++) {
      await find.click();
      await finding.waitFor();
      if (step < 3) await finding.click();
      await page.locator('.bad-pieces[aria-busy="false"]').waitFor();
    }
  });
} finally {
  await browser.close();
  server.kill();
}
