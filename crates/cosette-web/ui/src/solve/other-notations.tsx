// The solution in other notations, unfolded on request: as a scramble, with slices, with wide
// moves.

import { useState } from "preact/hooks";
import { plural } from "../format";
import { bounds, chosen } from "../stores/search";
import { CopyButton } from "../ui/copy-button";
import { inverse, movesOf, withSlices, withWideMoves } from "./notation";
import "./other-notations.css";

/** The notations; those that do not differ are omitted. */
const NOTATIONS: {
  name: string;
  write: (solution: string) => string;
  hint: (written: string) => string;
}[] = [
  {
    name: "As a scramble",
    write: inverse,
    hint: () => "produces this position from the solved cube",
  },
  {
    name: "With slices",
    write: withSlices,
    hint: (written) => `${plural(movesOf(written).length, "move")} in the slice-turn metric (STM)`,
  },
  {
    name: "With wide moves",
    write: withWideMoves,
    hint: () => "no turns of L, D and B; lowercase letters turn two layers",
  },
];

/** The solution in other notations; they apply to solutions of the whole cube that have moves. */
export function OtherNotations() {
  const [isOpen, setOpen] = useState(false);
  const solution = bounds.value?.goal ? "" : (chosen.value ?? "");
  const rows = isOpen
    ? NOTATIONS.map((notation) => ({ ...notation, written: notation.write(solution) })).filter(
        ({ written }) => written !== solution,
      )
    : [];
  return (
    <details
      class="options"
      hidden={solution === ""}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>Other notations</summary>
      <dl class="wording">
        {rows.map(({ name, written, hint }) => (
          <>
            <dt>{name}</dt>
            <dd>
              <span class="row">
                <span class="solution">{written}</span>
                <CopyButton name="Copy" title={`Copy: ${name}`} text={() => written} />
              </span>
              <small>{hint(written)}</small>
            </dd>
          </>
        ))}
      </dl>
    </details>
  );
}
