// The view of a review: how far from optimal a solution was, and which moves lost ground.

import type { Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { isOneColumn } from "../breakpoints";
import { svg } from "../cube/drawing";
import { capital, plural, time } from "../format";
import type { Review as ReviewResult, ReviewedMove, ReviewedStep } from "../protocol";
import { addressOf, follow } from "../solve/address";
import { DEFAULTS, METRICS } from "../solve/option-values";
import { look } from "../solve/stage";
import * as store from "../stores/review";
import { Field, SelectField, VERBATIM, useNewId } from "../ui/field";
import { Errors, Notice } from "../ui/notice";
import { Emphasized } from "../ui/emphasized";
import { RunButton } from "../ui/run-button";
import { DistanceCurve, GrowingPlot, readingOf, usePointer } from "./curve";
import { effectOf } from "./effect";
import { REVIEW, SCRAMBLE, SOLUTION } from "./example";
import { reviewPicture } from "./picture";
import * as places from "./places";
import { largestClimbs, numberOf, type Climb } from "./plot";
import { comparisonOf, headlineOf, lengthsOf, unitOf } from "./words";
import "./review.css";

/** The view. */
export function Review({ hidden }: { hidden: boolean }) {
  useEffect(() => {
    if (!hidden) store.arrive();
    const arrive = (): void => store.arrive();
    addEventListener("popstate", arrive);
    return () => removeEventListener("popstate", arrive);
  }, [hidden]);
  return (
    <div class="columns review" hidden={hidden}>
      <Entry />
      <section
        class="card"
        aria-label="Review"
        aria-busy={store.isRunning.value}
        ref={places.result}
        tabIndex={-1}
      >
        <h2 class="hidden">Review</h2>
        <p class="outdated" role="status">
          {store.isOutdated.value && "Result of the previous text"}
        </p>
        <Errors of={store.error.value} />
        <Running />
        {!store.isRunning.value &&
          (store.review.value ? (
            <Result key={store.review.value} review={store.review.value} />
          ) : (
            <Explained />
          ))}
      </section>
    </div>
  );
}

/** The form for the scramble and the solution. */
function Entry() {
  const { scramble, solution } = store;
  const hasScramble = scramble.text.value.trim() !== "";
  const hasSolution = solution.text.value.trim() !== "";
  return (
    <form
      class="card"
      aria-label="A solution to review"
      onSubmit={(event) => {
        event.preventDefault();
        void store.run();
      }}
    >
      <h2>How far from optimal was I?</h2>
      <MovesField
        label="The scramble"
        entry={scramble}
        rows={2}
        placeholder={SCRAMBLE_PLACEHOLDER}
      />
      <MovesField
        label="Your solution"
        hint={HINT}
        entry={solution}
        rows={9}
        placeholder={SOLUTION_PLACEHOLDER}
      />
      <SelectField label="Metric" options={METRICS} value={store.metric} />
      <div class="bar">
        <RunButton
          name="Review"
          isRunning={store.isRunning.value}
          isOff={!hasScramble || !hasSolution}
          stop={store.stop}
        />
        <button type="button" onClick={store.showExample}>
          Example
        </button>
      </div>
    </form>
  );
}

const HINT =
  "One step per line, or paste a whole reconstruction. Comments after //, rotations, slices, wide " +
  "moves and (NISS) are read.";

/** The begin of the example, which has room on a phone. */
const SCRAMBLE_PLACEHOLDER = `${SCRAMBLE.split(" ").slice(0, 9).join(" ")} …`;
const SOLUTION_PLACEHOLDER = [...SOLUTION.split("\n").slice(0, 4), "…"].join("\n");

/** A field for moves; their error below it replaces the hint. */
function MovesField(props: {
  label: string;
  hint?: string;
  entry: store.TextEntry;
  rows: number;
  placeholder: string;
}) {
  const { label, hint, entry, rows, placeholder } = props;
  const { text, error, input } = entry;
  const errorId = useNewId();
  return (
    <div class="checked">
      <Field label={label} hint={error.value ? undefined : hint}>
        {(ids) => (
          <textarea
            {...ids}
            {...VERBATIM}
            ref={input}
            rows={rows}
            placeholder={placeholder}
            aria-describedby={[errorId, ids["aria-describedby"]].filter(Boolean).join(" ")}
            aria-invalid={error.value ? true : undefined}
            value={text.value}
            onInput={(event) => entry.enter(event.currentTarget.value)}
            onPaste={(event) => {
              if (store.paste(event.clipboardData?.getData("text") ?? "")) event.preventDefault();
            }}
          />
        )}
      </Field>
      <div class="said" id={errorId} aria-live="polite">
        {error.value && <Notice of={error.value} text={text.value} />}
      </div>
    </div>
  );
}

/** The progress, above the plot of the curve to come. */
function Running() {
  const points = store.points.value;
  return (
    <div hidden={!store.isRunning.value}>
      <div class="measuring">
        <p class="lead">Measuring every move …</p>
        <div class="running">
          <progress max={100} value={store.percent.value} aria-label="Progress of the review" />
          {/* Where the form is out of sight. */}
          {isOneColumn.value && (
            <button type="button" onClick={store.stop}>
              Stop
            </button>
          )}
        </div>
        <p class="label" role="status">
          {store.progress}
        </p>
      </div>
      {store.isRunning.value && (
        <GrowingPlot
          length={points[0]?.length ?? turnCount(store.solution.text.value)}
          points={points}
        />
      )}
    </div>
  );
}

/** Number of turns in a text, about: the scale of the plot before the solution is read. */
function turnCount(text: string): number {
  return text.replace(/\/\/.*/g, "").match(/[URFDLBMES]/gi)?.length ?? 0;
}

/** The explanation that stands where the result will be, with the curve of the example. */
function Explained() {
  const { pointer, shown } = usePointer();
  return (
    <div class="explained">
      <p class="lead">Every move of your solve, measured.</p>
      <p class="label">
        The proven distance to solved after each move: which ones lost ground, what a cross or a
        block cost, and how long an optimal solution is.
      </p>
      <DistanceCurve curve={REVIEW} pointer={pointer} />
      <Reading review={REVIEW} shown={shown} />
      <p class="label">
        {`Example: a speedsolve of ${REVIEW.length} moves, where ${REVIEW.start.distance} are optimal.`}
      </p>
    </div>
  );
}

async function shareReview(review: ReviewResult): Promise<void> {
  const { share } = await import("../share/dialog");
  const headline = headlineOf(review);
  const link = store.link();
  const { input: position, solution } = review;
  share({ headline, position, solution, link }, reviewPicture(review, link));
}

function Result({ review }: { review: ReviewResult }) {
  const { pointer, shown } = usePointer();
  const { start, length, lost, kept, is_solved } = review;
  const optimal = start.distance;
  const isOptimal = is_solved && length === optimal;
  const climbs = largestClimbs(review.moves);
  const isKnown = review.moves.every(({ change }) => change !== null);
  const least = isKnown ? "" : "at least ";
  return (
    <>
      <div class="answer">
        <p class={isOptimal ? "headline proven" : "headline"} role="status">
          <Emphasized text={headlineOf(review)} />
        </p>
        <p class="claim">
          {capital(
            [
              lengthsOf(review),
              lost === 0
                ? `no move ${isKnown ? "lost" : "is known to have lost"} ground`
                : `${least}${plural(lost, "move")} lost ground`,
              kept > 0 && `${least}${kept} kept the distance`,
            ]
              .filter(Boolean)
              .join("; "),
          )}
        </p>
      </div>
      <MostLost moves={review.moves} climbs={climbs} />
      <DistanceCurve curve={review} pointer={pointer} />
      <div class="followed">
        <Reading review={review} shown={shown} />
        {review.niss && (
          <p class="label">
            The curve follows the final solution, played in order; the steps below follow the
            write-up.
          </p>
        )}
        <div class="steps-reviewed">
          {start.continuation !== null && (
            <div>
              <p class="name label">{optimal === null ? "Best known" : "Optimal"}</p>
              <p class="label cost">{plural(start.upper_bound, unitOf(review.metric))}</p>
              <p class="solution">
                {start.continuation.split(" ").map((move) => (
                  <>
                    <span class="reviewed">{move}</span>{" "}
                  </>
                ))}
              </p>
            </div>
          )}
          <ol>
            {review.steps.map((step, index) => (
              <li key={step.line}>
                <Step
                  step={step}
                  number={numberOf(review.steps, index)}
                  review={review}
                  moves={review.moves.filter((move) => move.step === index)}
                  selected={pointer.selected}
                  steepest={climbs.flatMap(({ begin, end }) => review.moves.slice(begin, end))}
                />
              </li>
            ))}
          </ol>
        </div>
      </div>
      {/* The link has the present texts. */}
      {!store.isOutdated.value && (
        <div class="actions">
          <button type="button" class="quiet share-answer" onClick={() => void shareReview(review)}>
            Share
          </button>
        </div>
      )}
      <p class="details">
        {`${plural(review.nodes, "node")}, ${time(review.seconds)}, table ${review.table}`}
        {review === REVIEW && "; searched beforehand"}
        {review.stop_reason && "; stopped, so some distances are not proven"}
      </p>
    </>
  );
}

/** The cube after so many moves, and its distance; it stays in sight beside the steps. */
function Reading({ review, shown }: { review: ReviewResult; shown: number }) {
  const { facelets } = review.moves[shown - 1] ?? review.start;
  const address = addressOf(facelets, DEFAULTS);
  return (
    <div class="reading">
      <span aria-hidden="true" dangerouslySetInnerHTML={{ __html: svg(facelets, look) }} />
      <p>{readingOf(review, shown)}</p>
      <a class="button" href={address} onClick={(event) => follow(event, address, {})}>
        Solve from here
      </a>
    </div>
  );
}

/** The moves that lost the most ground. */
function MostLost({ moves, climbs }: { moves: ReviewedMove[]; climbs: Climb[] }) {
  if (climbs.length === 0) return null;
  return (
    <p class="most-lost">
      <span class="label">Most ground lost:</span>{" "}
      {climbs.map(({ begin, end, rise }, index) => (
        <>
          {index > 0 && <span class="label"> and </span>}
          <span class="solution">
            {moves
              .slice(begin, end)
              .map(({ move }) => move)
              .join(" ")}
          </span>{" "}
          <strong>{plural(rise, "move")}</strong>
        </>
      ))}
    </p>
  );
}

/** A step: what it changed, its moves by their effect, and the shortest way to its goal. */
function Step(props: {
  step: ReviewedStep;
  number: number;
  review: ReviewResult;
  moves: ReviewedMove[];
  selected: Signal<number>;
  steepest: ReviewedMove[];
}) {
  const { step, number, review, moves, selected, steepest } = props;
  const { metric } = review;
  const isOnly = review.steps.length === 1;
  const { label, before, after, length, best } = step;
  const isKnown = before !== null && after !== null;
  const wasted = isKnown ? length - (before - after) : 0;
  return (
    <>
      {isOnly && label === null ? (
        <>
          <p class="name label">Yours</p>
          <p class="label cost">{plural(length, unitOf(metric))}</p>
        </>
      ) : (
        <>
          <p class="name">
            {length > 0 && !isOnly && <span class="label number">{number}</span>}
            <strong>{label ?? `Line ${step.line}`}</strong>
          </p>
          {length > 0 && (
            <>
              <p class="label cost">{plural(length, unitOf(metric))}</p>
              {isKnown && <p class="label change">{`distance ${before} → ${after}`}</p>}
              {wasted > 0 && <p class="label waste">{`${wasted} wasted`}</p>}
            </>
          )}
        </>
      )}
      <p class="solution">
        {moves.length === 0
          ? step.moves
          : moves.map((move) => (
              <Move
                review={review}
                place={review.moves.indexOf(move) + 1}
                selected={selected}
                isSteepest={steepest.includes(move)}
              />
            ))}
      </p>
      {best && (
        <p class="label comparison">
          {comparisonOf(best, length, metric)}
          {best.length < length && (
            <>
              {": "}
              <span class="solution">{best.moves}</span>
            </>
          )}
        </p>
      )}
    </>
  );
}

/** A move by its effect; a click selects it. */
function Move(props: {
  review: ReviewResult;
  place: number;
  selected: Signal<number>;
  isSteepest: boolean;
}) {
  const { review, place, selected, isSteepest } = props;
  const move = review.moves[place - 1]!;
  const effect = effectOf(move);
  return (
    <>
      <button
        type="button"
        class={`reviewed ${effect ?? ""}${isSteepest && effect === "lost" ? " most" : ""}`}
        title={readingOf(review, place)}
        aria-pressed={selected.value === place}
        onClick={() => (selected.value = place)}
      >
        {move.move}
      </button>{" "}
    </>
  );
}
