// The documentation in the static page: it is opened from the page, and no link within it is broken.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { host, isolated, SITE } from "./support.mjs";

const DOCS = join(fileURLToPath(SITE), "docs");
const skip = existsSync(DOCS) ? false : "mdBook is missing: cargo install --locked mdbook";
const site = host();

test(
  "the documentation is opened from the page, and has guides, the help of the command, pictures and a search",
  { skip },
  () =>
    site.visitor(async (visit) => {
      const page = await visit();
      await isolated(page);
      await page.getByRole("link", { name: "Documentation" }).click();
      await page.getByRole("heading", { name: "Cosette", exact: true, level: 1 }).first().waitFor();
      assert.ok(new URL(page.url()).pathname.endsWith("/some/where/docs/index.html"), page.url());
      for (const picture of await page.locator("main img").all()) {
        assert.ok(
          await picture.evaluate((image) => image.decode().then(() => image.naturalWidth > 0)),
          await picture.getAttribute("src"),
        );
      }
      const sidebar = page.locator(".sidebar");
      await sidebar.getByRole("link", { name: "Command reference", exact: true }).click();
      await page.getByRole("heading", { name: "cosette tables gen" }).waitFor();
      await page.getByText("--prefer", { exact: false }).first().waitFor();
      // A link within the text of one page to a section of another.
      await page.locator("main").getByRole("link", { name: "exit codes" }).click();
      await page.getByRole("heading", { name: "Exit codes", exact: true }).waitFor();
      assert.ok(page.url().endsWith("/reference/environment.html#exit-codes"), page.url());
      await page.locator("#mdbook-search-toggle").click();
      await page.locator("#mdbook-searchbar").fill("superflip");
      await page.locator("#mdbook-searchresults a").first().waitFor();
    }),
);

test("without a network, the documentation says so and leads back", { skip }, () =>
  site.visitor(
    async (visit, context) => {
      const page = await visit();
      await isolated(page);
      await context.setOffline(true);
      await page.getByRole("link", { name: "Documentation" }).click();
      await page.getByText("You are offline").waitFor();
      await page.getByRole("link", { name: "The solver works offline." }).click();
      await page.getByRole("button", { name: "Solve", exact: true }).waitFor();
    },
    { expected: /503|ERR_INTERNET_DISCONNECTED|favicon/ },
  ),
);

test("each link within the documentation leads to a page and a place that exist", { skip }, () => {
  const pages = readdirSync(DOCS, { recursive: true }).filter(
    (name) => name.endsWith(".html") && name !== "toc.html",
  );
  const texts = new Map(
    pages.map((name) => [join(DOCS, name), readFileSync(join(DOCS, name), "utf8")]),
  );
  const unescape = (text) =>
    text
      .replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'")
      .replaceAll("&#x27;", "'")
      .replaceAll("&amp;", "&");
  let count = 0;
  for (const [file, text] of [
    ...texts,
    [join(DOCS, "toc.html"), readFileSync(join(DOCS, "toc.html"), "utf8")],
  ]) {
    for (const [, attribute] of text.matchAll(/<[a-z][^>]*?\s(?:href|src)="([^"]*)"/g)) {
      const address = unescape(attribute);
      if (/^[a-z]+:/.test(address)) continue;
      const [path, fragment] = address.split("#");
      const target = path ? join(dirname(file), decodeURI(path)) : file;
      assert.ok(existsSync(target), `${file} leads to ${address}`);
      if (fragment)
        assert.ok(
          unescape(texts.get(target) ?? "").includes(`id="${decodeURIComponent(fragment)}"`),
          `${file} leads to ${address}`,
        );
      count += 1;
    }
  }
  assert.ok(pages.length > 40 && count > 1000, `${pages.length} pages, ${count} links`);
});

test("the service worker does not keep the documentation", { skip }, () => {
  const worker = readFileSync(new URL("service-worker.js", SITE), "utf8");
  assert.match(worker, /"assets\//);
  assert.ok(!worker.includes('"docs/'));
});
