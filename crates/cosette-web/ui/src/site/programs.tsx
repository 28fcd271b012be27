// Features that need a program on the user's machine, and a link to install it.

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
export function Programs({ hidden }: { hidden: boolean }) {
  return (
    <section class="card" hidden={hidden}>
      <h2>Need more? Run Cosette yourself</h2>
      <p>
        In a browser, an app gets at most a few gigabytes of memory and no files. The following
        features need a program, free for Linux, macOS and Windows:
      </p>
      <dl class="needs">
        {NEEDS.map(([what, program]) => (
          <>
            <dt>{what}</dt>
            <dd>{program}</dd>
          </>
        ))}
      </dl>
      <p>
        The README has <a href={README}>installation instructions</a>, one command per program.
      </p>
    </section>
  );
}
