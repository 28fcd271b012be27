// Features that need a program on the user's machine, and how to get it.

import { h } from "../dom";

/** `true` if this build has the documentation, in docs/; set by vite.config.ts. */
declare const HAS_DOCUMENTATION: boolean;

/** Address of the description of the programs. */
export const README = HAS_DOCUMENTATION ? "docs/index.html" : "https://github.com/cosette-solver/cosette#readme";

const NEEDS: [what: string, program: string][] = [
  ["Tables of 3 GB and more, which make each search many times as fast", "the command cosette or the server cosette-web"],
  ["Files with many positions, and what is special about their lengths", "cosette batch, or the Batch tab of cosette-web"],
  ["The HTTP API, for programs of your own", "cosette-web; for JavaScript and Python there are packages"],
  ["Many machines at once", "cosette-mpi"],
];

/** The view that lists these features. */
export class ProgramsView {
  readonly element = h(
    "section",
    { class: "card" },
    h("h2", {}, "What this page cannot do"),
    h("p", {}, "A browser gives a page at most a few gigabytes of memory and no files. These need a program, which is free and runs on Linux, macOS and Windows:"),
    h("dl", { class: "needs" }, ...NEEDS.flatMap(([what, program]) => [h("dt", {}, what), h("dd", {}, program)])),
    h("p", {}, h("a", { href: README }, "How to get them"), " is in the README, in one line each."),
  );
}
