// Features that need a program on the user's machine, and a link to install it.

import { h } from "../dom";

/** `true` if this build has the documentation, in docs/; set by vite.config.ts. */
declare const HAS_DOCUMENTATION: boolean;

/** Address of the description of the programs. */
export const README = HAS_DOCUMENTATION
  ? "docs/index.html"
  : "https://github.com/cosette-solver/cosette#readme";

const NEEDS: [what: string, program: string][] = [
  [
    "Tables of 3 GB and more, for searches many times as fast",
    "cosette (command-line tool) or cosette-web (server)",
  ],
  [
    "Files with many positions, and the distribution of their lengths",
    "cosette batch, or the Batch tab of cosette-web",
  ],
  ["The HTTP API, for your own programs", "cosette-web; also packages for JavaScript and Python"],
  ["Searches on many machines at once", "cosette-mpi"],
];

/** The view that lists these features. */
export class ProgramsView {
  readonly element = h(
    "section",
    { class: "card" },
    h("h2", {}, "Features of the programs"),
    h(
      "p",
      {},
      "In a browser, an app gets at most a few gigabytes of memory and no files. The " +
        "following features need a program, free for Linux, macOS and Windows:",
    ),
    h(
      "dl",
      { class: "needs" },
      ...NEEDS.flatMap(([what, program]) => [h("dt", {}, what), h("dd", {}, program)]),
    ),
    h(
      "p",
      {},
      "The README has ",
      h("a", { href: README }, "installation instructions"),
      ", one command per program.",
    ),
  );
}
