// Features that need a program on the user's machine, and a link to install it.

import { Prose } from "../ui/prose";
import "./programs.css";

/** `true` if this build has the documentation, in docs/; set by vite.config.ts. */
declare const HAS_DOCUMENTATION: boolean;

/** Address of the description of the programs. */
export const README = HAS_DOCUMENTATION
  ? "docs/index.html"
  : "https://github.com/cosette-solver/cosette#readme";

/** The features, each with the programs that have it, with code between back-ticks. */
const NEEDS: [what: string, programs: string][] = [
  [
    "Larger tables, from 3 GB on, for searches many times as fast",
    "`cosette`, on the command line, or `cosette-web`, this page from a server",
  ],
  [
    "Lists and files of positions, and the distribution of their lengths",
    "`cosette batch`, or the Batch tab of `cosette-web`",
  ],
  ["The HTTP API, for your own programs", "`cosette-web`; also packages for JavaScript and Python"],
  ["Searches on many machines at once", "`cosette-mpi`"],
];

/** The view that lists these features. */
export function Programs({ hidden }: { hidden: boolean }) {
  return (
    <section class="card programs" hidden={hidden}>
      <h2>Need more? Run Cosette yourself</h2>
      <p>
        In a browser, an app gets at most a few gigabytes of memory and no files. These features
        need a program, free for Linux, macOS and Windows.
      </p>
      <dl>
        {NEEDS.map(([what, programs]) => (
          <div>
            <dt>{what}</dt>
            <dd>
              <Prose text={programs} />
            </dd>
          </div>
        ))}
      </dl>
      <p class="row">
        <a class="button" href={README}>
          Installation instructions
        </a>
        <span class="label">One command per program.</span>
      </p>
    </section>
  );
}
