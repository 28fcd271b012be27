// Draws docs/images/site-phone.png and site-offline.png: the offline web app on a phone during a
// search, and, after the server is gone, with a proven answer.
//
//     crates/cosette-js/npm/build
//     npm --prefix crates/cosette-web/ui run site
//     node docs/images/site.mjs
//
// Chromium is /usr/bin/chromium, or the path in CHROMIUM.

import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { PREFIX, serve } from "../../crates/cosette-web/ui/tests/site/support.mjs";

const ui = createRequire(new URL("../../crates/cosette-web/ui/package.json", import.meta.url));
const { chromium } = ui("playwright-core");

const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 1.5,
};

const server = await serve({ change: false });
const address = `http://127.0.0.1:${server.address().port}${PREFIX}`;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--enable-unsafe-swiftshader"],
});
try {
  const context = await browser.newContext({ ...PHONE, colorScheme: "light" });
  context.setDefaultTimeout(300_000);
  const shoot = (page, name) =>
    page.screenshot({ path: fileURLToPath(new URL(`${name}.png`, import.meta.url)) });
  const headline = (page, text) =>
    page.locator(".headline:visible").filter({ hasText: text }).waitFor();

  const first = await context.newPage();
  await first.goto(
    `${address}?position=${encodeURIComponent("F2 D2 R' D2 B2 L F2 D' R B L' U B F R2 D F2")}`,
  );
  await first.locator(".details", { hasText: "Ruling out" }).waitFor();
  await shoot(first, "site-phone");
  await headline(first, "proven optimal");
  await first.close();

  server.close();
  server.closeAllConnections();
  const second = await context.newPage();
  await second.goto(`${address}?position=${encodeURIComponent("R U R' U' F2 D L B2 R D")}`);
  await headline(second, "proven optimal");
  await second.waitForTimeout(1000); // The cube turns.
  await shoot(second, "site-offline");
} finally {
  await browser.close();
  server.close();
}
