// The write-up: to be copied, printed, and linked to.

import { plural } from "../format";
import { isOfThisMachine } from "../hostname";
import { linkToView } from "../solve/address";
import { selection } from "../stores/attempt";
import { CopyButton } from "../ui/copy-button";
import { totalOf, type Attempt, type Step } from "./attempt";
import { encoded } from "./link";
import { comparison, lastOf, lines, textOf } from "./writeup";
import "./writeup-panel.css";

/**
 * The write-up of the selected step, or of the best solution; folded as long as it is empty. It is
 * also the printed content.
 */
export function WriteupPanel() {
  const { attempt, step } = selection.value!;
  const last = lastOf(attempt, step);
  // The address for other machines may be known by now.
  const isHere = isOfThisMachine(new URL(linkToView("")).hostname);
  return (
    <section class="card writeup-panel" aria-label="Write-up">
      <details open={hasContent(attempt)}>
        <summary>
          <h2>Write-up</h2>
        </summary>
        <div class="lines">
          <Lines attempt={attempt} step={last} />
        </div>
        <div class="bar">
          <CopyButton name="Copy" title="Copy the write-up" text={() => textOf(attempt, last)} />
          <button type="button" class="quiet" onClick={() => print()}>
            Print
          </button>
          <CopyButton
            name="Copy link"
            title="Copy a link to the whole attempt"
            text={() => linkToView(`fmc=${encoded(attempt)}`)}
          />
          {last.parent && (
            <a
              class="button"
              href={reviewOf(attempt, last)}
              title="How far from optimal each move was"
            >
              Review
            </a>
          )}
        </div>
        <p class="label" hidden={!isHere}>
          The link works only on this machine.
        </p>
      </details>
    </section>
  );
}

/** Returns `true` if a write-up says more than the scramble. */
const hasContent = ({ root }: Attempt): boolean =>
  root.children.length > 0 || root.rest !== null || root.note !== "";

/** Returns the address of the review of a solution, or of its first steps. */
function reviewOf(attempt: Attempt, step: Step): string {
  const { scramble } = attempt;
  const { steps } = lines(attempt, step);
  const solution = steps.map(({ moves, comment }) => `${moves} // ${comment}`).join("\n");
  return `#review=${new URLSearchParams({ scramble, solution })}`;
}

function Lines({ attempt, step }: { attempt: Attempt; step: Step }) {
  const { steps, notes, solution } = lines(attempt, step);
  const { rest } = attempt.root;
  return (
    <>
      <p>
        <span class="label">Scramble</span> <span class="solution">{attempt.scramble}</span>
      </p>
      {rest !== null && (
        <p>
          <span class="label">Shortest solution</span>
          {` ${plural(rest, "move")}, proven`}
        </p>
      )}
      <Note text={notes} />
      <ol>
        {steps.map(({ moves, comment, note }) => (
          <li>
            {moves !== "" && <span class="solution">{moves}</span>}
            <span class="label comment">{` // ${comment}`}</span>
            <Note text={note} />
          </li>
        ))}
      </ol>
      {solution !== undefined && (
        <p class="final">
          <strong>{plural(totalOf(step), "move")}</strong>
          {comparison(attempt, step)} <span class="solution">{solution}</span>
        </p>
      )}
    </>
  );
}

function Note({ text }: { text: string }) {
  return text.trim() === "" ? null : <p class="note-line">{text}</p>;
}
