// The results of a batch as a table, sorted by the clicked column.

import { useComputed, useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { plural } from "../format";
import type { BatchLine } from "../protocol";
import { addressOf, follow } from "../solve/address";
import { after, nothingKnown } from "../solve/bounds";
import { chosen, results, unsolvedCount } from "../stores/batch";
import { Prose } from "../ui/prose";
import { boundsOf, solutionOf, whyNot } from "./files";
import "./results.css";

/** Maximum number of rows shown; a download includes all. */
const SHOWN = 200;

/** The column by which the rows are sorted. */
interface Order {
  by: "line" | "length";
  isDescending: boolean;
}

const AS_ENTERED: Order = { by: "line", isDescending: false };

/** The table. */
export function Results() {
  const order = useSignal(AS_ENTERED);
  const isUnsolvedOnly = useSignal(false);
  // A new batch begins in its own order.
  useEffect(() => {
    order.value = AS_ENTERED;
    isUnsolvedOnly.value = false;
  }, [chosen.value]);
  const wanted = useComputed(() => {
    const { by, isDescending } = order.value;
    const direction = isDescending ? -1 : 1;
    const key = (line: BatchLine): number =>
      by === "line" ? line.line : (solutionOf(line)?.length ?? -1);
    return results.value
      .map((line, id) => ({ line, id }))
      .filter(({ line }) => !isUnsolvedOnly.value || !solutionOf(line))
      .sort((a, b) => direction * (key(a.line) - key(b.line)) || a.line.line - b.line.line);
  }).value;
  return (
    <div hidden={results.value.length === 0}>
      <div class="check" hidden={unsolvedCount.value === 0}>
        <input
          type="checkbox"
          id="unsolved-only"
          checked={isUnsolvedOnly.value}
          onChange={(event) => (isUnsolvedOnly.value = event.currentTarget.checked)}
        />
        <label for="unsolved-only">Unsolved only</label>
      </div>
      <div class="scroll" tabIndex={0} role="region" aria-label="Results by line">
        <table class="results">
          <thead>
            <tr>
              <Head by="line" name="Line" order={order} />
              <th scope="col">Position</th>
              <Head by="length" name="Length" order={order} />
              <th scope="col">Solution</th>
            </tr>
          </thead>
          <tbody>
            {wanted.slice(0, SHOWN).map(({ line, id }) => (
              <Row key={id} line={line} />
            ))}
          </tbody>
        </table>
      </div>
      {wanted.length > SHOWN && (
        <p class="details">{`${plural(wanted.length - SHOWN, "more line")} in the download`}</p>
      )}
    </div>
  );
}

function Head({ by, name, order }: { by: Order["by"]; name: string; order: Signal<Order> }) {
  const isSorted = order.value.by === by;
  const { isDescending } = order.value;
  return (
    <th
      scope="col"
      class="number"
      aria-sort={isSorted ? (isDescending ? "descending" : "ascending") : undefined}
    >
      <button
        type="button"
        class="link"
        onClick={() => (order.value = { by, isDescending: isSorted && !isDescending })}
      >
        {name}
      </button>
    </th>
  );
}

/** In place of a length that is not known. */
const NO_LENGTH = "–";

/** The length of a solution; where rows are cards, a badge with its unit. */
export function LengthCell(props: { length: string; unit: string; isProven: boolean }) {
  const { length, unit, isProven } = props;
  const state = length === NO_LENGTH ? "unknown" : isProven ? "settled" : "";
  return (
    <td class={`number length ${state}`} data-unit={length === "1" ? unit : `${unit}s`}>
      {length}
    </td>
  );
}

/** The link to the view of a position, which shows its answer immediately. */
function PositionLink({ line }: { line: Exclude<BatchLine, { error: string }> }) {
  const { input } = line;
  const address = addressOf(input, chosen.value);
  const bounds = after(nothingKnown(chosen.value), { event: "answer", ...line });
  return (
    <a href={address} title={input} onClick={(event) => follow(event, address, { bounds })}>
      {input}
    </a>
  );
}

function Row({ line }: { line: BatchLine }) {
  const solved = solutionOf(line);
  const known = boundsOf(line);
  return (
    <tr>
      <td class="number">{line.line}</td>
      <td class="entered">
        {line.name && <span class="label">{`${line.name}: `}</span>}
        {"error" in line ? line.input : <PositionLink line={line} />}
      </td>
      <LengthCell
        length={String(solved?.length ?? known?.range ?? NO_LENGTH)}
        unit={chosen.value.metric === "qtm" ? "quarter turn" : "move"}
        isProven={solved !== undefined}
      />
      <td>
        {solved ? (
          <span class="solution">{solved.solution || "(no moves)"}</span>
        ) : (
          <>
            {known && <span class="solution">{`${known.best} `}</span>}
            <span class={known ? "label" : "wrong"}>
              <Prose text={whyNot(line)} />
            </span>
          </>
        )}
      </td>
    </tr>
  );
}
