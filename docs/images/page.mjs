// Draws docs/images/page.png: the page of cosette-web with a solved scramble, from a real server.
//
//     npm --prefix crates/cosette-web/ui run bundle
//     cargo build --release -p cosette-web
//     node docs/images/page.mjs target/release/cosette-web
//
// Chromium is taken from /usr/bin/chromium, or from where CHROMIUM says.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const ui = createRequire(new URL("../../crates/cosette-web/ui/package.json", import.meta.url));
const { chromium } = ui("playwright-core");

const SCRAMBLE = "F2 D2 R' D2 B2 L F2 D' R B L' U B F R2 D F2";

const server = spawn(process.argv[2], ["--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--enable-unsafe-swiftshader"],
});
try {
  const [address] = await once(server.stdout, "data");
  const page = await browser.newPage({ viewport: { width: 1120, height: 784 }, colorScheme: "light" });
  page.setDefaultTimeout(300_000);
  await page.goto(String(address).trim());
  await page.getByLabel(/^Scramble/).fill(SCRAMBLE);
  await page.getByRole("button", { name: "Solve", exact: true }).click();
  await page.locator(".headline:visible").filter({ hasText: "proven shortest" }).waitFor();
  const next = page.getByRole("button", { name: "One move forward" });
  for (let move = 1; move <= 3; move++) {
    await next.click();
    await page.locator(`input[aria-valuetext^="${move} of"]`).waitFor();
  }
  await page.waitForTimeout(3000); // The cube turns.
  await page.screenshot({ path: fileURLToPath(new URL("page.png", import.meta.url)), fullPage: true });
} finally {
  await browser.close();
  server.kill();
}
