// The live bounds: a headline; below the player, a scale of the lengths up to that of the best
// solution, and the progress; below the solutions, special properties.

import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import { ONE_COLUMN } from "../breakpoints";
import { count, plural } from "../format";
import type { Explanation } from "../protocol";
import { bounds, example, isRequested } from "../stores/search";
import { Prose } from "../ui/prose";
import { claim, details, headline, maxNeeded, type Bounds } from "./bounds";
import "./status.css";

/** Maximum number of lengths on a scale; costs may be larger. */
const MAX_SCALE = 31;

/** The answer. */
export function Headline() {
  const known = bounds.value;
  const isProven = known?.answer?.length != null;
  // Screen readers do not announce a search that the user did not request.
  const role = example.value === "" ? "status" : undefined;
  return (
    <div class="answer" hidden={!known}>
      <p class={isProven ? "headline proven" : "headline"} role={role}>
        {known && headline(known)}
      </p>
      <p class="claim">{known && claim(known)}</p>
    </div>
  );
}

/** The progress of the search. */
export function SearchStatus(props: {
  stop: RefObject<HTMLButtonElement | null>;
  onStop: () => void;
}) {
  const known = bounds.value;
  const searched = known?.searched;
  const isOver = !known || known.answer !== null || known.isLost === true;
  return (
    <div class={known?.waiting ? "status waiting" : "status"} hidden={!known}>
      <div class="running" hidden={isOver}>
        <progress
          max={100}
          value={searched?.percent ?? known?.waiting?.percent}
          aria-label={searched ? `Search of length ${searched.length}` : "Progress"}
        />
        <button
          ref={props.stop}
          type="button"
          class={isRequested.value ? "strong" : ""}
          onClick={props.onStop}
        >
          Stop
        </button>
      </div>
      {known && <Scale known={known} />}
      <p class="details">{known && details(known)}</p>
    </div>
  );
}

function Scale({ known }: { known: Bounds }) {
  const { lower, upper, searched, answer } = known;
  const most = Math.min(upper ?? Infinity, maxNeeded(known));
  // The maximum cost for a goal is unknown.
  const lengths = (most === Infinity ? lower : most) + 1;
  if (lengths < 2 || lengths > MAX_SCALE || answer?.unreachable !== undefined) return null;
  const kindOf = (length: number): string =>
    [
      length < lower ? "ruled-out" : upper === length ? "known" : "open",
      searched?.length === length && "searched",
      answer?.length === length && "proven",
    ]
      .filter(Boolean)
      .join(" ");
  // On phones, in two rows of the same length, if one is too short.
  const columns = lengths > 13 ? Math.ceil(lengths / 2) : lengths;
  return (
    <>
      {lower > 0 && answer?.length == null && <p class="label">Lengths; gray ones are ruled out</p>}
      <ol class="scale" aria-hidden="true" style={{ "--columns": columns }}>
        {Array.from({ length: lengths }, (_, length) => (
          <li
            class={kindOf(length)}
            style={{ "--done": `${searched?.length === length ? searched.percent : 0}%` }}
          >
            {length}
          </li>
        ))}
      </ol>
    </>
  );
}

/** Special properties of the position; folded on small screens. */
export function SpecialProperties() {
  const [isOpen] = useState(!ONE_COLUMN.matches);
  const explanation = bounds.value?.answer?.explanation;
  return (
    <details class="options special" open={isOpen} hidden={!explanation}>
      <summary>About this position</summary>
      <ul>
        {explanation &&
          described(explanation).map((text) => (
            <li>
              <Prose text={text} />
            </li>
          ))}
      </ul>
    </details>
  );
}

/**
 * Describes the special properties of a position, in a few words each; a lack of symmetry, which is
 * the normal case, is not mentioned.
 */
function described({
  rotations,
  mirrors,
  inverting,
  order,
  is_odd,
  solutions,
}: Explanation): string[] {
  // Every position has the identity, which counts as a rotation.
  const kinds = [
    "the identity",
    rotations > 1 && plural(rotations - 1, "rotation"),
    mirrors > 0 && plural(mirrors, "mirror image"),
  ].filter(Boolean);
  const ends = (moves: string[]): string =>
    moves.length === 1 ? `with \`${moves[0]!}\`` : `with one of \`${moves.join(" ")}\``;
  // A single first or last move is visible anyway.
  const { first_moves = [], last_moves = [] } = solutions?.count === 1 ? {} : (solutions ?? {});
  const all = solutions?.count === 2 ? "both" : `all ${count(solutions?.count ?? 0)}`;
  return [
    kinds.length === 1 ? "" : `${rotations + mirrors} symmetries: ${kinds.join(", ")}`,
    inverting > 0 ? "its inverse is the same position, rotated or mirrored" : "",
    order === 1 ? "" : `repeated ${order === 2 ? "twice" : `${order} times`}, it returns to solved`,
    `every solution has an ${is_odd ? "odd" : "even"} number of quarter turns`,
    first_moves.length > 0 ? `${all} shortest solutions begin ${ends(first_moves)}` : "",
    last_moves.length > 0
      ? `${first_moves.length > 0 ? "they" : `${all} shortest solutions`} end ${ends(last_moves)}`
      : "",
  ].filter((text) => text !== "");
}
