// The proof as it grows: a headline above the line of all lengths, what was ruled out, the progress
// of the search, and the special properties of the position.

import { effect, signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { ONE_COLUMN } from "../breakpoints";
import { count, plural } from "../format";
import type { Answer, Explanation } from "../protocol";
import { route } from "../stores/route";
import { bounds, example } from "../stores/search";
import { Emphasized } from "../ui/emphasized";
import { Powers } from "../ui/powers";
import { Prose } from "../ui/prose";
import { claim, details, headline, lengthKinds, exclusion, type Bounds } from "./bounds";
import "./status.css";

/** The answer that was shown when the view was left; it has made its entrance. */
const seen = signal<Answer | null | undefined>(undefined);

effect(() => {
  if (route.value !== "solve") seen.value = bounds.peek()?.answer;
});

/** The answer: a headline, the line of lengths, and notes. */
export function Headline() {
  const known = bounds.value;
  const isProven = known?.answer?.length != null;
  // Screen readers do not announce a search that the user did not request.
  const role = example.value === "" ? "status" : undefined;
  const isSeen = isProven && known.answer === seen.value;
  return (
    <div class={`answer${isProven ? " proven" : ""}${isSeen ? " seen" : ""}`} hidden={!known}>
      <p class={isProven ? "headline proven" : "headline"} role={role}>
        {known && <Emphasized text={headline(known)} />}
      </p>
      {known && <LengthLine known={known} />}
      <div class="answer-notes">{known && <Notes known={known} />}</div>
    </div>
  );
}

/** The progress of a search, then its claim, what was ruled out, and its work. */
function Notes({ known }: { known: Bounds }) {
  const isOver = known.answer !== null || known.isLost === true;
  const isExample = example.value !== "";
  return (
    <>
      <p class="claim">{isOver && claim(known)}</p>
      <p class="label ruled">{(isOver || isExample) && <Powers text={exclusion(known)} />}</p>
      <div class={known.waiting ? "status waiting" : "status"}>
        {!isOver && <SearchProgress known={known} />}
        <p class="details">
          {[!isOver && claim(known), details(known)].filter(Boolean).join(". ")}
        </p>
      </div>
    </>
  );
}

/** The progress of a search; the line of lengths shows that of a length. */
function SearchProgress({ known: { searched, waiting } }: { known: Bounds }) {
  return (
    <progress
      class={waiting ? "" : "hidden"}
      max={100}
      value={searched?.percent ?? waiting?.percent}
      aria-label={searched ? `Search of length ${searched.length}` : "Progress"}
    />
  );
}

/**
 * The line of all lengths: those that are ruled out are dark, and the length of the best known
 * solution is framed, or filled once no shorter solution is left.
 */
function LengthLine({ known }: { known: Bounds }) {
  const { lower, upper, searched } = known;
  const kinds = lengthKinds(known);
  if (kinds.length === 0) return null;
  const ends = [lower, upper ?? lower];
  const isLabeled = (length: number): boolean =>
    ends.includes(length) || (length % 5 === 0 && ends.every((end) => Math.abs(end - length) > 1));
  return (
    <ol class="lengths" aria-hidden="true">
      {kinds.map((kind, length) => {
        const isSearched = searched?.length === length;
        return (
          <li
            class={isLabeled(length) ? `${kind} labeled` : kind}
            style={{ "--length": length, "--done": `${isSearched ? searched.percent : 0}%` }}
          >
            <span>{length}</span>
          </li>
        );
      })}
    </ol>
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
    inverting > 0 ? "same as its own inverse, up to symmetry" : "",
    order === 1 ? "" : `order ${order}: repeat the scramble ${order} times and the cube is solved`,
    `every solution has an ${is_odd ? "odd" : "even"} number of quarter turns`,
    first_moves.length > 0 ? `${all} optimal solutions begin ${ends(first_moves)}` : "",
    last_moves.length > 0
      ? `${first_moves.length > 0 ? "they" : `${all} optimal solutions`} end ${ends(last_moves)}`
      : "",
  ].filter((text) => text !== "");
}
