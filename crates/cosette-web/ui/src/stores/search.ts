// The search for the solutions of one position: what is known, as it becomes known.

import { engine } from "#engine";
import { batch, computed, signal } from "@preact/signals";
import { SOLVED } from "../cube/colors";
import { scrambled } from "../cube/scramble";
import type { ApiError, SolveRequest } from "../protocol";
import { after, solutionKnown, withoutEngine, type Bounds } from "../solve/bounds";
import { faceTurnsIn, movesOf } from "../solve/notation";
import { options } from "./options";
import type { Checked, Facts } from "./position";

/** A solution. */
export interface Solution {
  moves: string;
  /**
   * The cost and the variants of the goal that the solution reaches, if solutions differ in them.
   */
  length?: number | undefined;
  variant?: string | undefined;
}

/** The bounds; undefined before the search. */
export const bounds = signal<Bounds | undefined>(undefined);

/** The position of the search, or of the next one. */
export const checked = signal<Checked | undefined>(undefined);

/** The error of a request, and the text that it is about. */
export const problem = signal<{ of: ApiError; text?: string } | undefined>(undefined);

/** The running search, and the means to end it. */
const search = signal<{ abort: AbortController; stop: AbortController } | undefined>(undefined);

export const isSearching = computed(() => search.value !== undefined);

/** The scramble solved before anything is entered; empty if there is none. */
export const example = signal("");

/** `true` if there are bounds, and the user requested them. */
export const isRequested = computed(() => bounds.value !== undefined && example.value === "");

/** `true` if the search that the user requested ended early: a new one begins from the start. */
export const isUnfinished = computed(() => {
  const { answer, isLost } = bounds.value ?? {};
  const isEarly = answer ? ["interrupt", "timeout"].includes(answer.stop_reason ?? "") : isLost;
  return isRequested.value && !isSearching.value && isEarly === true;
});

/** The solutions, or the best known one before a proof. */
export const solutions = computed<Solution[]>(() => {
  if (!bounds.value) return [];
  const { answer, best, goal, requestedCount } = bounds.value;
  if (!answer) return best === null ? [] : [{ moves: best }];
  // The best known solution, which may be playing, stays if the answer has no shorter one.
  const isEnough = !goal && (answer.length === null || requestedCount === "1");
  if (best !== null && isEnough && isSolution(best)) return [{ moves: best }];
  if (answer.solutions.length === 0)
    return answer.best_known === null ? [] : [{ moves: answer.best_known }];
  return answer.solutions.map((moves, number) => ({
    moves,
    length: answer.costs?.[number],
    variant: answer.variants?.[number],
  }));
});

/** Applies turns of faces to the position, and returns `true` if it is solved then. */
function isSolution(moves: string): boolean {
  const turns = faceTurnsIn(moves);
  return (
    turns !== undefined &&
    checked.value?.ok === true &&
    scrambled(movesOf(turns), checked.value.facelets) === SOLVED
  );
}

/** The moves of the solution that is played. */
export const chosen = signal<string | undefined>(undefined);

/** Sets the bounds, and chooses the first solution unless the chosen one is still among them. */
export function setBounds(known: Bounds | undefined): void {
  batch(() => {
    bounds.value = known;
    if (!solutions.value.some(({ moves }) => moves === chosen.value))
      chosen.value = solutions.value[0]?.moves;
  });
}

/** The position of the solution that is played. */
export const answered = computed(() =>
  bounds.value && chosen.value !== undefined && checked.value?.ok ? checked.value : undefined,
);

/** Shows an exception, unless the user aborted the request. */
export function fail(exception: unknown, text = ""): void {
  const of = engine.errorOf(exception);
  if (of) problem.value = { of, text };
}

/** Stops the search, which then returns the bounds proven until then. */
export const stop = (): void => search.value?.stop.abort();

/** Forgets the running search. It ends a moment later, and another may begin at once. */
export function forget(): void {
  search.value?.abort.abort();
  search.value = undefined;
}

/**
 * Searches and shows the bounds as they become known, unless the search is forgotten; returns the
 * bounds that stay, if there are any. `onRefusal` is called with an exception that ends the search;
 * an example, which the user did not request, has none.
 */
export async function run(
  request: SolveRequest,
  { setup, rotation = "" }: Facts,
  onRefusal?: (exception: unknown, signal: AbortSignal) => Promise<void>,
): Promise<{ isForgotten: boolean; known?: Bounds | undefined }> {
  const isExample = onRefusal === undefined;
  const text = request.position;
  const abort = new AbortController();
  const stop = new AbortController();
  search.value = { abort, stop };
  const tell = (of: ApiError): void => {
    // A rejection after the search was stopped is not worth showing.
    if (!isExample && !stop.signal.aborted) problem.value = { of, text };
  };
  // A scramble may be shorter than the moves that the engine knows.
  const scramble = faceTurnsIn(text);
  const setups = scramble === undefined ? [setup] : [setup, scramble];
  let known: Bounds = { ...solutionKnown(options.value, ...setups), rotations: rotation };
  problem.value = undefined;
  setBounds(known);
  // A search reports hundreds of times a second; draw once per frame.
  let frame = 0;
  const draw = (): void => {
    frame = 0;
    setBounds(known);
  };
  try {
    const control = { signal: abort.signal, stopSignal: stop.signal, isExample };
    await engine.solve(request, control, (event) => {
      if (abort.signal.aborted) return;
      if (event.event === "refused") tell(event);
      // Bounds known when the search was stopped stay.
      known =
        event.event === "refused" && stop.signal.aborted
          ? withoutEngine(known)
          : after(known, event);
      frame ||= requestAnimationFrame(draw);
    });
    if (!abort.signal.aborted) {
      const { answer } = known;
      if (!answer && !problem.value) tell({ error: "the search ended without a result" });
      if (answer?.stop_reason === "interrupt" && engine.interrupted) tell(engine.interrupted);
    }
  } catch (exception) {
    if (!abort.signal.aborted) await onRefusal?.(exception, abort.signal);
  } finally {
    cancelAnimationFrame(frame);
  }
  if (abort.signal.aborted) return { isForgotten: true };
  search.value = undefined;
  // Bounds proven before the engine was lost stay.
  const isBounded = known.lower > 0 || (known.best !== null && stop.signal.aborted);
  const isKnown = known.answer !== null || (!isExample && isBounded);
  if (!known.answer) known = withoutEngine(known);
  return { isForgotten: false, known: isKnown ? known : undefined };
}
