// The bad pieces at a step: their numbers for each possible next step, and the cube, with the bad
// pieces of one of these steps highlighted.

import { engine } from "#engine";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { BLANK } from "../cube/colors";
import { plural } from "../format";
import type { ApiError, AttemptStatus } from "../protocol";
import { selection } from "../stores/attempt";
import { News } from "../ui/notice";
import { doneBy, type Step } from "./attempt";
import "./bad-pieces.css";
import { inspectInverse } from "./inspect";
import { Picture } from "./picture";
import {
  AXES,
  furthestReduction,
  isReached,
  kindOf,
  mayFollow,
  stepsAfter,
  titleOf,
} from "./steps";

/**
 * The steps whose bad pieces are counted, by row: one row for each step with an axis, and one for
 * the others.
 */
const COUNTED = [
  ...["eo", "dr"].flatMap((kind) => AXES.map((axis) => `${kind}:${axis}`)),
  "htr",
  "finish",
];

type BadPieces = AttemptStatus["bad_pieces"][number];

/** The state before anything is known. */
const UNKNOWN: AttemptStatus = { facelets: BLANK, bad_pieces: [], reductions: [] };

/** The status on the inverse of a step; or the error, or the reason why it waits. */
interface Inverse {
  of: Step;
  status?: AttemptStatus;
  said?: ApiError | string | undefined;
}

/**
 * The bad pieces at the selected step, or on its inverse. Until they are known, the previous ones
 * stay and are marked as outdated.
 */
export function BadPiecesView() {
  const { attempt, step } = selection.value!;
  const isInverse = useSignal(false);
  const inverse = useSignal<Inverse | undefined>(undefined);
  const chosen = useSignal<{ status: AttemptStatus; step: string } | undefined>(undefined);
  const last = useRef(UNKNOWN);
  useEffect(() => {
    if (!isInverse.value || !step.status) return;
    const abort = new AbortController();
    const tell = (known: Omit<Inverse, "of">): void => {
      if (abort.signal.aborted) return;
      inverse.value = { of: step, ...known };
      if (typeof known.said === "object") isInverse.value = false;
    };
    inspectInverse(attempt.scramble, doneBy(step), abort.signal, (said) => tell({ said }))
      .then((status) => tell("error" in status ? { said: status } : { status }))
      .catch((error: unknown) => tell({ said: engine.errorOf(error) }));
    return () => abort.abort();
  }, [isInverse.value, step, step.status]);
  const there = inverse.value?.of === step ? inverse.value : undefined;
  const known = isInverse.value ? there?.status : step.status;
  if (known) last.current = known;
  const status = last.current;
  const marked = chosen.value?.status === status ? chosen.value.step : nearest(status);
  const turn = (): void => {
    inverse.value = undefined;
    isInverse.value = !isInverse.value;
  };
  return (
    <div class="bad-pieces" aria-busy={known === undefined}>
      <div class="row">
        <h2>Bad pieces</h2>
        <button type="button" class="quiet" onClick={turn}>
          {isInverse.value ? "Show the scramble" : "Show the inverse"}
        </button>
      </div>
      <div>
        <div class="cube">
          <Picture
            facelets={status.facelets}
            marked={status.bad_pieces.find((each) => each.step === marked)?.facelets ?? []}
            label={
              known
                ? `Net of the cube; bad pieces for ${titleOf(marked)}: ${inWords(status, marked).replace("\n", ", ")}`
                : "The cube"
            }
          />
        </div>
        <News of={there?.said} />
      </div>
      <fieldset class="counts">
        <legend class="label">
          {`${isInverse.value ? "On the inverse" : "On the scramble"}, highlighted on the cube`}
        </legend>
        {COUNTED.map((each) => (
          <label class={`pick choice-of-step ${isReached(status, each) ? "reached" : ""}`}>
            <input
              type="radio"
              name="marked"
              checked={each === marked}
              onChange={() => (chosen.value = { status, step: each })}
            />
            <span class="name">{each === "finish" ? "Solved" : titleOf(each)}</span>
            <span class="label">{inWords(status, each)}</span>
          </label>
        ))}
      </fieldset>
    </div>
  );
}

/**
 * Describes the bad pieces for a step. A step with no bad piece may still be unreached: HTR also
 * depends on the arrangement of the pieces, and for a DR only the edges of the middle layer are
 * counted.
 */
function inWords(status: AttemptStatus, step: string): string {
  const bad = status.bad_pieces.find((each) => each.step === step);
  if (!bad) return "–";
  if (isReached(status, step)) return "✓ reached";
  const { corners, edges } = bad;
  const pieces = [
    corners > 0 && plural(corners, "corner"),
    edges > 0 && plural(edges, "edge"),
  ].filter(Boolean);
  return (
    pieces.join("\n") || (step === "htr" ? "no bad piece, but corners not in HTR" : "EO not solved")
  );
}

/** Returns the axis with the fewest bad pieces of the next step. */
function nearest(status: AttemptStatus): string {
  const [next] = stepsAfter(furthestReduction(status));
  const open = status.bad_pieces.filter(
    ({ step }) => kindOf(step) === next && mayFollow(status, step) && !isReached(status, step),
  );
  // If no piece is counted, edges must be oriented first.
  const number = ({ corners, edges }: BadPieces): number => corners + edges || Infinity;
  return open.sort((a, b) => number(a) - number(b) || 0)[0]?.step ?? "finish";
}
