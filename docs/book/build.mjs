#!/usr/bin/env node
// The documentation as a folder of HTML: `docs/book/build.mjs [FOLDER]`, target/book unless another is named. Needs mdBook
// (`cargo install --locked mdbook`) and Rust, for the command whose help is one of the pages.
//
// SUMMARY.md lists the pages, which are files of this repository. A page of a source file is its module documentation, or, of the
// command, the help of all its subcommands. Pages beside a listed README.md that the list does not name are put below it. Links
// between pages lead to pages, images are copied, and links to other files lead to the repository. A link to a file or heading
// that does not exist is an error.

import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, extname, join, posix, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");
const HERE = "docs/book";
const REPOSITORY = "https://github.com/cosette-solver/cosette";
const LIBRARY = "crates/cosette/src/lib.rs";
const COMMAND = "crates/cosette-cli/src/main.rs";
const TARGET = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? "target");

/** What pages outside docs/ are called in the book. */
const NAMES = {
  "README.md": "index.md",
  "ARCHITECTURE.md": "architecture.md",
  "CONTRIBUTING.md": "contributing.md",
  "SECURITY.md": "reporting.md",
  "CHANGELOG.md": "changelog.md",
  "containers/README.md": "containers.md",
  "crates/cosette-py/README.md": "reference/python.md",
  "crates/cosette-js/npm/README.md": "reference/javascript.md",
  [LIBRARY]: "reference/rust.md",
  [COMMAND]: "reference/command.md",
  [`${HERE}/licenses.md`]: "licenses.md",
};

/** Code in a page, in which nothing is a link: blocks, and words within a line. */
const CODE = /(^```[^]*?^```|`[^`\n]*`)/m;
const LINK = /\]\(([^)\s]+)\)/g;

const nameOf = (path) =>
  NAMES[path] ?? path.replace(/^docs\//, "").replace(/README\.md$/, "index.md");

const read = (path) => readFileSync(join(ROOT, path), "utf8");
const source = join(TARGET, "book-source/src");

function write(name, text) {
  const file = join(source, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** The path from one page to another file of the book. */
const between = (from, to) => posix.relative(posix.dirname(nameOf(from)), to);

/** The lines of SUMMARY.md, with the pages that it leaves to be found; and the paths of all pages. */
function contents() {
  const lines = read(`${HERE}/SUMMARY.md`).split("\n");
  const pathOf = (line) =>
    /\]\((.*)\)/.exec(line)?.[1] && posix.join(HERE, /\]\((.*)\)/.exec(line)[1]);
  const pages = new Set(lines.map(pathOf).filter(Boolean));
  const all = lines.flatMap((line) => {
    const path = pathOf(line);
    if (!path) return [line];
    const entry = line.replace(/\]\(.*\)/, `](${nameOf(path)})`);
    const folder = posix.dirname(path);
    if (!path.startsWith("docs/") || posix.basename(path) !== "README.md") return [entry];
    const found = readdirSync(join(ROOT, folder))
      .sort()
      .map((name) => `${folder}/${name}`)
      .filter((name) => name.endsWith(".md") && !pages.has(name));
    found.forEach((name) => pages.add(name));
    const indent = `${/^ */.exec(line)[0]}  `;
    return [
      entry,
      ...found.map((name) => `${indent}- [${/^# (.*)/.exec(read(name))[1]}](${nameOf(name)})`),
    ];
  });
  return { summary: all.join("\n"), pages };
}

/** The module documentation of a source file. A name in brackets, which `cargo doc` resolves, leads to docs.rs. */
function moduleText(path) {
  const lines = read(path)
    .split("\n")
    .filter((line) => line.startsWith("//!"))
    .map((line) => line.slice(4));
  return lines
    .join("\n")
    .replace(
      /\[`([^`\]]+)`\](?![([:])/g,
      (_, name) =>
        `[\`${name}\`](https://docs.rs/cosette/latest/cosette/?search=${encodeURIComponent(name)})`,
    );
}

/** The help of the command and of all its subcommands. */
function commandText() {
  const program = join(TARGET, "release/cosette");
  // In `.ci/run` it is there.
  if (!process.env.COSETTE_BUILT || !existsSync(program)) {
    execFileSync("cargo", ["build", "--release", "--locked", "--package", "cosette-cli"], {
      cwd: ROOT,
      stdio: "inherit",
    });
  }
  const help = (words) =>
    execFileSync(program, [...words, "--help"], { encoding: "utf8", env: {} });
  const sections = [];
  const describe = (words) => {
    const text = help(words);
    sections.push(
      `## ${["cosette", ...words].join(" ")}\n\n\`\`\`\`text\n${text.trim()}\n\`\`\`\`\n`,
    );
    const commands = /^Commands:\n((?: .*\n|\n(?= ))*)/m.exec(text)?.[1] ?? "";
    for (const [, name] of commands.matchAll(/^ {2}([a-z-]+)/gm))
      if (name !== "help") describe([...words, name]);
  };
  describe([]);
  const environment = between(COMMAND, nameOf("docs/reference/environment.md"));
  return `# Command reference\n\nThe output of \`--help\` for every command. See also [exit codes](${environment}#exit-codes).\n\n${sections.join("\n")}`;
}

/** The text of a page, with links as they are in the book. */
function pageText(path, pages) {
  if (path === COMMAND) return commandText();
  if (path === LIBRARY) return `# Rust\n\n${moduleText(path)}`;
  const link = (href) => {
    if (/^([a-z]+:|#)/.test(href)) return href;
    const [file, fragment] = href.split("#");
    const target = posix.join(posix.dirname(path), decodeURI(file)).replace(/\/$/, "");
    const tail = fragment === undefined ? "" : `#${fragment}`;
    if (pages.has(target)) return between(path, nameOf(target)) + tail;
    if (!existsSync(join(ROOT, target)))
      throw new Error(`${path} has a link to ${href}, which does not exist`);
    if ([".svg", ".png"].includes(extname(target))) {
      write(nameOf(target), readFileSync(join(ROOT, target)));
      return between(path, nameOf(target));
    }
    return `${REPOSITORY}/${statSync(join(ROOT, target)).isDirectory() ? "tree" : "blob"}/main/${target}${tail}`;
  };
  return read(path)
    .split(CODE)
    .map((part, at) => (at % 2 ? part : part.replace(LINK, (_, href) => `](${link(href)})`)))
    .join("");
}

/** The ids of the headings of a page, as mdBook makes them; the second of two equal ones ends in `-1`. */
function idsOf(text) {
  const ids = new Set();
  for (const [, heading] of text.replace(/^```[^]*?^```/gm, "").matchAll(/^#{1,6} (.*)$/gm)) {
    const shown = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .trim()
      .toLowerCase();
    const id = shown.replace(/[^\p{L}\p{N}_\s-]/gu, "").replace(/\s/g, "-");
    let number = 0;
    while (ids.has(number ? `${id}-${number}` : id)) number += 1;
    ids.add(number ? `${id}-${number}` : id);
  }
  return ids;
}

/** Makes sure that links to headings of pages lead to one. */
function checkAnchors(texts) {
  const ids = new Map([...texts].map(([name, text]) => [name, idsOf(text)]));
  for (const [name, text] of texts) {
    const prose = text
      .split(CODE)
      .filter((_, at) => at % 2 === 0)
      .join("");
    for (const [, href] of prose.matchAll(LINK)) {
      const [file, fragment] = href.split("#");
      if (fragment === undefined || /^[a-z]+:/.test(href)) continue;
      const target = file ? posix.join(posix.dirname(name), decodeURI(file)) : name;
      if (!ids.get(target)?.has(decodeURIComponent(fragment)))
        throw new Error(`${name} has a link to ${href}, which is not a heading`);
    }
  }
}

const mdbook = process.env.MDBOOK ?? "mdbook";
try {
  execFileSync(mdbook, ["--version"], { stdio: "ignore" });
} catch {
  console.error("mdBook is missing: cargo install --locked mdbook");
  process.exit(77);
}
const out = resolve(process.argv[2] ?? join(TARGET, "book"));
rmSync(join(source, ".."), { recursive: true, force: true });
const { summary, pages } = contents();
write("SUMMARY.md", summary);
const texts = new Map([...pages].map((path) => [nameOf(path), pageText(path, pages)]));
checkAnchors(texts);
texts.forEach((text, name) => write(name, text));
cpSync(join(ROOT, HERE, "book.toml"), join(source, "../book.toml"));
mkdirSync(join(source, "../theme/fonts"), { recursive: true });
cpSync(join(ROOT, "crates/cosette-web/ui/public/icon.svg"), join(source, "../theme/favicon.svg"));
// The fonts of the system in place of those of mdBook, which are half a megabyte.
writeFileSync(join(source, "../theme/fonts/fonts.css"), "/* none */\n");
execFileSync(mdbook, ["build", "--dest-dir", out, join(source, "..")], { stdio: "inherit" });
