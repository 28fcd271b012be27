// The proof as a certificate, on the page and on paper: the cube, what is proven, the scramble and
// the solution, the facts of the search, and the code of the link.

import { signal } from "@preact/signals";
import { svg } from "../cube/drawing";
import { capital, count, plural } from "../format";
import { isOfThisMachine } from "../hostname";
import type { Answer, Provenance } from "../protocol";
import { QrCodeImage, useCode } from "../share/qr";
import { answered, bounds, isRequested } from "../stores/search";
import { shared } from "./actions";
import { headline, searchOf, tableOf, unitsOf, type Bounds } from "./bounds";
import "./proof.css";
import { look } from "./stage";

/** The answer of a repeated search. */
const verified = signal<Answer | undefined>(undefined);

/** The proof of an answer that the user requested, and a button to repeat it. */
export function Proof(props: { onVerify: () => Promise<void> }) {
  const known = bounds.value;
  // Nothing is proven of a position that is already solved.
  const isProven = isRequested.value && answered.value && known?.answer?.length;
  return isProven ? <Certificate known={known} {...props} /> : null;
}

function Certificate({ known, onVerify }: { known: Bounds; onVerify: () => Promise<void> }) {
  const { facelets, position, solution, headline: shown, link } = shared();
  const address = isOfThisMachine(new URL(link).hostname) ? "" : link;
  const code = useCode(address);
  const verify = async (): Promise<void> => {
    await onVerify();
    verified.value = bounds.value?.answer ?? undefined;
  };
  return (
    <section class="card proof" aria-label="Proof">
      <h2>Proof</h2>
      <div
        class="cubes"
        role="img"
        aria-label="The scrambled cube from above and from below"
        dangerouslySetInnerHTML={{
          __html: svg(facelets, look) + svg(facelets, look, [], "below"),
        }}
      />
      <div class="theorem">
        <p>{theoremOf(known)}</p>
        <dl>
          <div>
            <dt>Scramble</dt>
            <dd class="solution">{position}</dd>
          </div>
          <div>
            <dt>Solution</dt>
            <dd>
              <span class="solution">{solution}</span>
              {shown !== headline(known) && <small>{shown}</small>}
            </dd>
          </div>
        </dl>
      </div>
      <dl>
        {factsOf(known)
          .filter(([, fact]) => fact !== "")
          .map(([name, fact]) => (
            <div>
              <dt>{name}</dt>
              <dd>{fact}</dd>
            </div>
          ))}
      </dl>
      {address && code && (
        <figure>
          <QrCodeImage code={code} label="QR code of the address" />
          <figcaption>
            Repeat it at <a href={address}>{new URL(address).host}</a>
          </figcaption>
        </figure>
      )}
      <div class="bar">
        <button type="button" class="quiet" onClick={() => void verify()}>
          Verify again
        </button>
        <button type="button" class="quiet" onClick={() => print()}>
          Print
        </button>
        <span class="label" role="status">
          {verified.value === known.answer && "✓ Verified again"}
        </span>
      </div>
    </section>
  );
}

/** States the proven length, above the scramble and the solution. */
function theoremOf(known: Bounds): string {
  if (known.goal) return headline(known);
  return `The shortest solution of this scramble has ${unitsOf(known.answer!.length!, known)}`;
}

/** Returns the facts of the search, and their names; an unknown fact is empty. */
function factsOf(known: Bounds): [name: string, fact: string][] {
  const answer = known.answer!;
  const table = tableOf(answer);
  const { version, machine, threads, checksum }: Partial<Provenance> = known.provenance ?? {};
  return [
    ["Search", searchOf(answer, known)],
    ["Check", checkOf(answer, known)],
    ["Table", table && checksum ? `${table}, checksum ${checksum}` : table],
    ["Program", version ? `Cosette ${version}` : ""],
    ["Machine", machine ? `${capital(machine)}, ${plural(threads!, "thread")}` : ""],
  ];
}

/** Describes how the solutions were checked. */
function checkOf({ solutions }: Answer, { goal }: Bounds): string {
  const end = goal?.words ? "the goal is reached" : "it is solved";
  const subject =
    solutions.length === 1
      ? "The solution was"
      : `Each of the ${count(solutions.length)} solutions was`;
  return `${subject} applied to the scrambled cube: ${end}`;
}
