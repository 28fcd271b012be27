// Bundles a program for Node with esbuild and with webpack: by the recipe of the README, and without
// it, where the error names the recipe. `node bundlers.mjs BUNDLERS USER`: the folder in which both
// are installed, and that of a program in which the package is.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const [bundlers, user] = process.argv.slice(2).map((path) => resolve(path));
const require = createRequire(join(bundlers, "package.json"));
const esbuild = require("esbuild");
const webpack = require("webpack");

const PACKAGE = join("node_modules", "cosette-solver");
const installed = join(user, PACKAGE);
const hidden = join(user, "hidden-package");
const entry = join(user, "bundled.mjs");
writeFileSync(
  entry,
  `import { Solver } from "cosette-solver";
  async function main() {
    const solver = await Solver.open({ table: null });
    console.log((await solver.solve("R U2 F'")).solutions[0]);
  }
  void main();`,
);

const bundleWithEsbuild = (format, program) => (folder, isExternal) =>
  esbuild.build({
    entryPoints: [entry],
    bundle: true,
    platform: "node",
    format,
    external: isExternal ? ["cosette-solver"] : [],
    // Warns that `import.meta` is empty in CommonJS, of which the error at run time is the test.
    logLevel: "error",
    outfile: join(folder, program),
  });

/** By the name of the bundler: the program, and a function that writes it to a folder. */
const BUNDLES = {
  esbuild: ["program.mjs", bundleWithEsbuild("esm", "program.mjs")],
  "esbuild, CommonJS": ["program.cjs", bundleWithEsbuild("cjs", "program.cjs")],
  webpack: [
    "program.cjs",
    (folder, isExternal) =>
      new Promise((settle, reject) => {
        const options = {
          entry,
          mode: "production",
          target: "node20",
          externals: isExternal ? { "cosette-solver": "import cosette-solver" } : {},
          output: { path: folder, filename: "program.cjs" },
        };
        webpack(options, (error, stats) =>
          error || stats.hasErrors() ? reject(error ?? new Error(stats.toString())) : settle(),
        );
      }),
  ],
};

for (const [name, [program, bundle]] of Object.entries(BUNDLES)) {
  for (const isExternal of [true, false]) {
    const start = performance.now();
    // Away from the package, as on the machine on which the program is to run.
    const folder = mkdtempSync(join(tmpdir(), "cosette-bundle-"));
    try {
      await bundle(folder, isExternal);
      if (isExternal) cpSync(installed, join(folder, PACKAGE), { recursive: true });
      // A program of webpack would find the addon of the package where it was built.
      renameSync(installed, hidden);
      const { stdout, stderr } = spawnSync(process.execPath, [program], {
        cwd: folder,
        encoding: "utf8",
        timeout: 60_000,
      });
      if (isExternal) assert.equal(stdout, "F U2 R'\n", stderr);
      else assert.match(stderr, /mark it as external .*README, Bundlers for Node/);
    } finally {
      if (existsSync(hidden)) renameSync(hidden, installed);
      rmSync(folder, { recursive: true });
    }
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${name}, ${isExternal ? "by the recipe" : "without it"}: ${seconds} s`);
  }
}
