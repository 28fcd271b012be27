// The searches for steps that may follow a step: what is to be found, and what was found.

import { computed, effect, signal } from "@preact/signals";
import { allFrom, doneBy, type Attempt, type Step } from "../fmc/attempt";
import { written } from "../fmc/moves";
import {
  findFinish,
  findInsertions,
  findSkeletons,
  findStepSolutions,
  type Search,
  type StepQuery,
} from "../fmc/search";
import {
  AXES,
  DEFAULT_MAX_MOVES,
  defaultStepsAfter,
  furthestReduction,
  insertionCase,
  mayFollow,
  stepsAfter,
  type StepKind,
} from "../fmc/steps";
import type { AttemptStatus } from "../protocol";
import { select, selection, setRest, wanted } from "./attempt";

/** All solutions of the next step, full skeletons, insertions, or the shortest finish. */
export type Mode = "next" | "skeletons" | "insertions" | "finish";

export const mode = signal<Mode>("next");

const chosenKind = signal<StepKind>("eo");

/** The kind of the next step; the maximum number of moves and the axis depend on it. */
export const kind = {
  get value() {
    return chosenKind.value;
  },
  set value(kind) {
    chosenKind.value = kind;
    maxMoves.value = String(DEFAULT_MAX_MOVES[kind] ?? "fewest");
    axis.value = "";
  },
};
/** The use of NISS that is offered first. */
export const DEFAULT_NISS = "linear";

/** The maximum number of moves of the next step, its axis, and the use of NISS. */
export const maxMoves = signal("fewest");
export const axis = signal("");
export const niss = signal(DEFAULT_NISS);

/** The steps of skeletons, and the time limit of their search, in seconds. */
export const steps = signal("");
export const time = signal("10");

/** The status of the selected step; undefined while it is not known. */
const status = computed(() => selection.value?.step.status);

const reduction = computed(() => (status.value ? furthestReduction(status.value) : ""));

/** The kinds of steps that may follow. */
export const kinds = computed(() => stepsAfter(reduction.value));

/** The axes of steps that may follow. */
export const axes = computed(() =>
  AXES.filter(
    (axis) =>
      kind.value === "eo" || (status.value && mayFollow(status.value, `${kind.value}:${axis}`)),
  ),
);

/** The steps of skeletons if none are entered. */
export const defaultSteps = computed(() => defaultStepsAfter(reduction.value));

/** `true` if one insertion may finish the selected step. */
export const canInsert = computed(
  () => status.value !== undefined && insertionCase(status.value) !== "",
);

/** `true` if a search may begin. */
export const isReady = computed(() => status.value !== undefined);

const searches = signal(new Map<Step, Partial<Record<Mode, Search>>>());

/** The search of this mode at the selected step, if there is one. */
export const search = computed(
  () => selection.value && searches.value.get(selection.value.step)?.[mode.value],
);

/** The search for the shortest solution of the scramble. */
export const optimum = computed(
  () => selection.value && searches.value.get(selection.value.attempt.root)?.finish,
);

/** The attempt and the status that the form was last adapted to. */
let last: { attempt?: Attempt; status?: AttemptStatus | undefined } = {};

effect(() => {
  if (!selection.value) return;
  const { attempt, step } = selection.value;
  const before = last;
  last = { attempt, status: step.status };
  forgetAllBut(allFrom(attempt.root));
  if (attempt !== before.attempt) mode.value = "next";
  if (step.status && step.status !== before.status) offer(step);
});

/** Forgets the searches at steps that are gone. */
function forgetAllBut(left: Step[]): void {
  for (const [step, found] of searches.peek()) {
    if (left.includes(step)) continue;
    for (const search of Object.values(found)) search.forget();
    searches.peek().delete(step);
  }
}

/** Offers the possible next steps; where there is a list of them, with its query. */
function offer(step: Step): void {
  const known = Object.keys(searches.peek().get(step) ?? {}) as Mode[];
  const isInsertable = canInsert.peek();
  if (isInsertable && !known.includes(mode.peek())) mode.value = known.at(-1) ?? "insertions";
  else if (!isInsertable && mode.peek() === "insertions") mode.value = "next";
  steps.value = defaultSteps.peek();
  const query = searches.peek().get(step)?.next?.state.peek().query;
  if (query) fillIn(query);
  else kind.value = kinds.peek()[0]!;
}

/** Fills in the fields of the next step. */
function fillIn(query: StepQuery): void {
  kind.value = query.kind;
  axis.value = query.axis;
  maxMoves.value = String(query.maxMoves);
  niss.value = query.niss;
}

function begin(step: Step, mode: Mode, search: Search): void {
  searches.value.get(step)?.[mode]?.forget();
  const found = { ...searches.value.get(step), [mode]: search };
  searches.value = new Map(searches.value).set(step, found);
}

/** Begins the search that is chosen. */
export function find(): void {
  const { attempt, step } = selection.value ?? {};
  if (!attempt || !step?.status) return;
  const start = { position: attempt.scramble, from: written(doneBy(step)), status: step.status };
  const { facelets } = step.status;
  const chosen: Record<Mode, () => Search> = {
    next: () => findStepSolutions(start, queryOf()),
    skeletons: () =>
      findSkeletons(start, steps.value.trim() || defaultSteps.value, Number(time.value)),
    insertions: () => findInsertions(attempt.scramble, start.from),
    finish: () => findFinish(facelets, (rest) => setRest(step, rest)),
  };
  begin(step, mode.value, chosen[mode.value]());
}

/** Returns the step to search for. */
const queryOf = (): StepQuery => ({
  kind: kind.value,
  axis: axis.value,
  maxMoves: maxMoves.value === "fewest" ? "fewest" : Number(maxMoves.value),
  niss: niss.value,
});

/** Searches one move deeper, for the listed steps. */
export function findLonger(): void {
  const { query, maxMoves } = search.value!.state.value;
  fillIn({ ...query!, maxMoves: maxMoves! + 1 });
  find();
}

/** Proves the shortest solution of the scramble, stops the search, or shows the solution. */
export function prove(): void {
  const { scramble, root } = selection.value!.attempt;
  const { isRunning, results } = optimum.value?.state.value ?? { isRunning: false, results: [] };
  if (isRunning) optimum.value!.stop();
  else if (results.length === 0)
    begin(
      root,
      "finish",
      findFinish(scramble, (rest) => setRest(root, rest)),
    );
  else {
    select(root);
    mode.value = "finish";
    wanted.value = "step";
  }
}
