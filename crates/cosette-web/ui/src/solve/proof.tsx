// The proof as a certificate, on the page and on paper: the cube, its scramble, the facts of the
// search, and the code of the link.

import { signal } from "@preact/signals";
import { svg } from "../cube/drawing";
import { capital, plural } from "../format";
import { isOfThisMachine } from "../hostname";
import type { Answer, Provenance } from "../protocol";
import { QrCodeImage, useCode } from "../share/qr";
import { answered, bounds, isRequested } from "../stores/search";
import { Powers } from "../ui/powers";
import { shared } from "./actions";
import { ruledOut, tableOf, workOf, type Bounds } from "./bounds";
import "./proof.css";
import { look } from "./stage";

/** The answer of a repeated search. */
const verified = signal<Answer | undefined>(undefined);

/** The proof of an answer that the user requested, and a button to repeat it. */
export function Proof(props: { onVerify: () => Promise<void> }) {
  const known = bounds.value;
  const isProven = isRequested.value && answered.value && known?.answer?.length != null;
  return isProven ? <Certificate known={known} {...props} /> : null;
}

function Certificate({ known, onVerify }: { known: Bounds; onVerify: () => Promise<void> }) {
  const { facelets, position, link } = shared();
  const address = isOfThisMachine(new URL(link).hostname) ? "" : link;
  const code = useCode(address);
  const verify = async (): Promise<void> => {
    await onVerify();
    verified.value = bounds.value?.answer ?? undefined;
  };
  const facts: [name: string, fact: string][] = [
    ["Scramble", position],
    ...factsOf(known),
    ["Address", address],
  ];
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
      <dl>
        {facts
          .filter(([, fact]) => fact !== "")
          .map(([name, fact]) => (
            <>
              <dt>{name}</dt>
              <dd class={name === "Scramble" ? "solution" : ""}>
                <Powers text={fact} />
              </dd>
            </>
          ))}
      </dl>
      {address && code && <QrCodeImage code={code} label="QR code of the address" />}
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

/** Returns the facts of the search, and their names; an unknown fact is empty. */
function factsOf(known: Bounds): [name: string, fact: string][] {
  const answer = known.answer!;
  const table = tableOf(answer);
  const { version, machine, threads, checksum }: Partial<Provenance> = known.provenance ?? {};
  return [
    ["Bound", ruledOut(known)],
    ["Search", workOf(answer, known)],
    ["Table", table && checksum ? `${table}, checksum ${checksum}` : table],
    ["Program", version ? `Cosette ${version}` : ""],
    ["Machine", machine ? `${capital(machine)}, ${plural(threads!, "thread")}` : ""],
    ["Check", "every solution verified on the cube"],
  ];
}
