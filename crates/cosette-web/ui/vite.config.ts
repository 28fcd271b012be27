import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";

const here = import.meta.dirname;
const PACKAGE = join(here, "../../cosette-js/npm");
/** Third-party licenses, written for a release by .ci/third-party. */
const THIRD_PARTY = join(here, "../../../THIRD-PARTY.txt");
/** Address of the offline web app, for link previews, which need absolute URLs. */
const ADDRESS = process.env.SITE_ADDRESS ?? "https://cosette-solver.github.io/cosette/";
/** The image of link previews, which the service worker does not cache. */
const PREVIEW = "preview.png";
const BOOK = join(here, "../../../docs/book/build.mjs");

// Builds one folder: `dist`, the web app that cosette-web embeds, or with the mode `site` the
// offline web app, for any host and path. Asset names include a hash, so browsers may cache them
// forever.
export default defineConfig(({ mode }) => {
  const isSite = mode === "site";
  const hasDocumentation =
    isSite && spawnSync(process.env.MDBOOK ?? "mdbook", ["--version"]).status === 0;
  return {
    base: isSite ? "./" : "/",
    resolve: {
      alias: {
        "#engine": join(here, isSite ? "src/engine/browser.ts" : "src/engine/server.ts"),
        "#edition": join(here, isSite ? "src/edition/site.tsx" : "src/edition/server.tsx"),
      },
    },
    define: { HAS_DOCUMENTATION: String(hasDocumentation) },
    // The npm package imports Node modules when it runs in Node.
    worker: { format: "es", rolldownOptions: { external: /^node:/ } },
    plugins: [otherPuzzles, fontLicenses, isSite ? site(hasDocumentation) : licenses],
    build: {
      outDir: isSite ? join(here, "../../../target/site") : "dist",
      emptyOutDir: true,
      target: "es2022",
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1000,
      // The licenses of the bundled packages.
      license: { fileName: "licenses.txt" },
      rolldownOptions: { external: /^node:/ },
    },
  };
});

/** Excludes the other puzzles of the package `cubing`, which are loaded only by name. */
const otherPuzzles: Plugin = {
  name: "cosette-other-puzzles",
  enforce: "pre",
  resolveId: (id) => (/\/puzzles-dynamic-(?!3x3x3)/.test(id) ? "\0other-puzzles" : null),
  load: (id) => (id === "\0other-puzzles" ? "export {};" : null),
};

/** The licenses of the typefaces, after those of the bundled code. */
const fontLicenses: Plugin = {
  name: "cosette-font-licenses",
  generateBundle: {
    order: "post",
    handler(_, bundle) {
      const licenses = bundle["licenses.txt"];
      if (licenses?.type !== "asset") return this.error("there is no list of licenses");
      const texts = ["inter", "jetbrains-mono"].map((font) => {
        const license = join(here, "node_modules/@fontsource-variable", font, "LICENSE");
        return `\n## @fontsource-variable/${font}\n\n${readFileSync(license, "utf8")}`;
      });
      licenses.source = String(licenses.source) + texts.join("");
    },
  },
};

/** The third-party licenses of the server, if they have been written. */
const licenses: Plugin = {
  name: "cosette-licenses",
  buildStart() {
    if (existsSync(THIRD_PARTY))
      this.emitFile({
        type: "asset",
        fileName: "third-party.txt",
        source: readFileSync(THIRD_PARTY),
      });
  },
};

/**
 * The files of the offline web app apart from the bundle: a manifest with icons, the licenses of
 * the engine, the service worker, and the documentation.
 */
function site(hasDocumentation: boolean): Plugin {
  let out = "";
  return {
    name: "cosette-site",
    configResolved: (config) => void (out = config.build.outDir),
    buildStart() {
      for (const name of ["wasm/threads.wasm", "wasm/single.wasm", "THIRD-PARTY.txt"]) {
        if (!existsSync(join(PACKAGE, name)))
          this.error(`${name} of the npm package is missing; run crates/cosette-js/npm/build`);
      }
      for (const name of readdirSync(join(here, "site"))) {
        if (name !== "service-worker.js")
          this.emitFile({
            type: "asset",
            fileName: name,
            source: readFileSync(join(here, "site", name)),
          });
      }
      this.emitFile({
        type: "asset",
        fileName: "third-party.txt",
        source: readFileSync(join(PACKAGE, "THIRD-PARTY.txt")),
      });
      this.emitFile({
        type: "asset",
        fileName: "isolation.js",
        source: readFileSync(join(PACKAGE, "isolation.js")),
      });
    },
    transformIndexHtml: async (html) => {
      const attributes = { src: "isolation.js", "data-worker": "service-worker.js" };
      return {
        html,
        tags: [
          {
            tag: "meta",
            attrs: { "http-equiv": "Content-Security-Policy", content: POLICY },
            injectTo: "head-prepend",
          },
          {
            tag: "link",
            attrs: { rel: "manifest", href: "manifest.webmanifest" },
            injectTo: "head",
          },
          {
            tag: "link",
            attrs: { rel: "apple-touch-icon", href: "icon-192.png" },
            injectTo: "head",
          },
          {
            tag: "meta",
            attrs: {
              name: "theme-color",
              content: "#f6f5f1",
              media: "(prefers-color-scheme: light)",
            },
            injectTo: "head",
          },
          {
            tag: "meta",
            attrs: {
              name: "theme-color",
              content: "#14161a",
              media: "(prefers-color-scheme: dark)",
            },
            injectTo: "head",
          },
          ...Object.entries(described()).map(([property, content]) => ({
            tag: "meta",
            attrs: { property, content },
            injectTo: "head" as const,
          })),
          { tag: "script", attrs: attributes, injectTo: "head-prepend" },
        ],
      };
    },
    closeBundle() {
      // After an error, which is reported by itself, there is no bundle.
      if (!existsSync(out)) return;
      const files = readdirSync(out, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !["service-worker.js", PREVIEW].includes(entry.name))
        .map((entry) =>
          join(entry.parentPath, entry.name)
            .slice(out.length + 1)
            .replaceAll("\\", "/"),
        )
        .sort();
      const worker =
        readFileSync(join(here, "site/service-worker.js"), "utf8") +
        readFileSync(join(PACKAGE, "isolation.js"), "utf8");
      const hash = createHash("sha256").update(worker);
      for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(join(out, file)));
      const cached = files.map((file) => (file === "index.html" ? "./" : file));
      writeFileSync(
        join(out, "service-worker.js"),
        worker
          .replace("%RELEASE%", hash.digest("hex").slice(0, 16))
          .replace('["%FILES%"]', JSON.stringify(cached)),
      );
      // Written last, because the service worker does not cache it: it is larger than the app.
      if (!hasDocumentation)
        this.warn(
          "mdBook is missing, so the site has no documentation and links to the repository " +
            "instead; to add it: cargo install --locked mdbook",
        );
      else if (
        spawnSync(process.execPath, [BOOK, join(out, "docs")], { stdio: "inherit" }).status !== 0
      )
        this.error("docs/book/build.mjs failed");
    },
  };
}

/** The metadata of link previews (ogp.me). */
function described(): Record<string, string> {
  return {
    "og:title": "Cosette: optimal Rubik's Cube solver",
    "og:description": "The shortest solution to any scramble, proven in the browser.",
    "og:type": "website",
    "og:image": new URL(PREVIEW, ADDRESS).href,
    "og:image:width": "1200",
    "og:image:height": "630",
    "og:image:alt": "A scrambled cube: 18 moves, proven optimal",
    "twitter:card": "summary_large_image",
  };
}

/**
 * The content security policy: the offline web app loads only its own files. It is not a header,
 * because not every host can be configured to send one.
 */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; " +
  "font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; " +
  "base-uri 'none'; form-action 'self'";
