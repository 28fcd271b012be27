// The attempt at fewest moves: a scramble, the tree of the steps that were tried, and the selected
// step.

import { engine } from "#engine";
import { computed, signal } from "@preact/signals";
import {
  add,
  allFrom,
  attemptOn,
  childLike,
  doneBy,
  furthestOf,
  pathTo,
  remove,
  type Attempt,
  type Step,
  type StepResult,
} from "../fmc/attempt";
import { inspect } from "../fmc/inspect";
import { asClaimed, decoded, encoded, isSame } from "../fmc/link";
import { written } from "../fmc/moves";
import { furthestReduction, isReached } from "../fmc/steps";
import { partsOf, readWriteUp, type WriteUp } from "../fmc/writeup";
import type { ApiError } from "../protocol";
import {
  dropAttempt,
  lastAttempt,
  newAttemptId,
  onStoredElsewhere,
  saved,
  shownStep,
  storeAttempt,
  storeShownStep,
  type StoredAttempt,
} from "./saved-attempts";

/** An attempt with its name, and its selected step. */
interface Selection {
  id: string;
  attempt: Attempt;
  step: Step;
}

/**
 * The attempt that is shown; undefined until a scramble is entered. A new object after each change,
 * because steps are changed in place.
 */
export const selection = signal<Selection | undefined>(undefined);

/** `true` if there is an attempt. */
export const isBegun = computed(() => selection.value !== undefined);

/** The deleted steps, last one at the end, with functions that restore them. */
const deleted = signal<{ step: Step; restore: () => void }[]>([]);

const lastDeleted = computed(() => {
  const all = selection.value ? allFrom(selection.value.attempt.root) : [];
  return deleted.value.findLast(
    ({ step: { parent, ...result } }) => all.includes(parent!) && !childLike(parent!, result),
  );
});

/** The step that was deleted last, unless it has been added again. */
export const restorable = computed(() => lastDeleted.value?.step);

/** The error of the inspection, or the reason why it waits. */
export const inspection = signal<ApiError | string>("");

/** News about the attempt, or an earlier one on its scramble. */
export const arrival = signal<ApiError | string | StoredAttempt>("");

/** The scramble as it is entered. */
export const scramble = signal("");
/** `true` while the entered scramble is not that of the shown attempt. */
export const isOtherScramble = computed(
  () => scramble.value.trim() !== (selection.value?.attempt.scramble ?? ""),
);
/** The error of the scramble; with the text that is not a scramble, if that is the reason. */
export const refusal = signal<{ of: ApiError; text?: string } | undefined>(undefined);

/** The part of the view that is to be focused. */
export const wanted = signal<"scramble" | "step" | "tree" | "undo" | undefined>(undefined);

/** URL fragments of the view and of an attempt. */
const FRAGMENT = /^#fmc(?:=(.*))?$/s;

/** Shows the attempt of the link, or the last one. */
export function arrive(): void {
  const link = FRAGMENT.exec(location.hash);
  if (!link) return;
  const text = link[1];
  if (text === undefined) return openLast();
  // The link is consumed: later changes are not in it.
  history.replaceState(history.state, "", "#fmc");
  follow(text);
}

window.addEventListener("popstate", arrive);

/** Opens the last attempt, unless one is open. */
function openLast(): void {
  const last = isBegun.value ? undefined : lastAttempt();
  if (last) open(last);
}

/** Opens the attempt of a link, in addition to the stored ones. */
function follow(text: string): void {
  const attempt = decoded(text);
  if (!attempt) {
    openLast();
    arrival.value = {
      error: "this link does not contain an attempt",
      help: "copy it again; part of it may be missing",
    };
    return;
  }
  const last = lastAttempt();
  const same = saved.value.find((kept) => isSame(kept.text, text));
  // Facts proven here are kept; claims of a link may be false.
  const known = decoded(same?.text ?? "");
  const step = furthestOf(known ?? attempt);
  const id = same?.id ?? newAttemptId();
  show({ id, attempt: known ?? asClaimed(attempt), step });
  const hasOther = saved.value.some((kept) => kept.id === last?.id && kept.id !== id);
  arrival.value = hasOther ? "This attempt is from the link. Yours is under Saved attempts" : "";
}

/** Opens a stored attempt. */
function open({ id, text }: StoredAttempt): void {
  const attempt = decoded(text);
  if (!attempt) return;
  arrival.value = "";
  show({ id, attempt, step: allFrom(attempt.root)[shownStep(id)] ?? furthestOf(attempt) });
}

/** Opens a stored attempt that the user has chosen. */
export function openAsked(kept: StoredAttempt): void {
  open(kept);
  wanted.value = "step";
}

/** Returns to the scramble of the shown attempt. */
export function keepScramble(): void {
  scramble.value = selection.value!.attempt.scramble;
  refusal.value = undefined;
}

/** Begins an attempt on a scramble, with the text pasted with it. */
function begin(writeUp: WriteUp): void {
  arrival.value = "";
  if (writeUp.scramble !== selection.value?.attempt.scramble) {
    const attempt = attemptOn(writeUp.scramble);
    show({ id: newAttemptId(), attempt, step: attempt.root });
    const earlier = saved.value.find(
      ({ id, text }) => id !== selection.value!.id && decoded(text)?.scramble === writeUp.scramble,
    );
    if (earlier) arrival.value = earlier;
  }
  keepScramble();
  paste(writeUp);
  wanted.value = "step";
}

/** Continues under a new name if another page has changed the same attempt. */
onStoredElsewhere(() => {
  if (!selection.value) return;
  const { id, attempt } = selection.value;
  const kept = saved.value.find((each) => each.id === id);
  if (kept && kept.text !== encoded(attempt)) changed({ ...selection.value, id: newAttemptId() });
});

function show(shown: Selection): void {
  const before = selection.value;
  // A scramble without steps is not worth storing.
  const isEmpty =
    before &&
    allFrom(before.attempt.root).every(
      ({ parent, note, rest }) => !parent && note === "" && rest === null,
    );
  if (isEmpty && shown.id !== before.id) dropAttempt(before.id);
  deleted.value = [];
  changed(shown);
  keepScramble();
  look();
}

/** Shows a changed attempt, or another step, and stores which. */
function draw(shown = selection.value!): void {
  storeShownStep(shown.id, allFrom(shown.attempt.root).indexOf(shown.step));
  selection.value = { ...shown };
}

/** Stores a changed attempt, and shows it. */
function changed(shown = selection.value!): void {
  if (!storeAttempt(shown.id, shown.attempt))
    arrival.value = "This browser cannot store the attempt. To keep it, copy the link";
  draw(shown);
}

/** Selects a step. */
export function select(step: Step): void {
  draw({ ...selection.value!, step });
  look();
}

/** Selects a step after a change of the tree. */
function changeTo(step: Step): void {
  changed({ ...selection.value!, step });
  look();
}

/** Adds steps one after the other, after the selected one, and selects the last one. */
export function addSteps(results: StepResult[], after = selection.value!.step): void {
  changeTo(results.reduce(add, after));
}

/**
 * Adds pasted steps after the selected step, or after the scramble if the text includes it; a
 * different scramble begins another attempt.
 */
export function paste(writeUp: WriteUp): void {
  const { attempt, step } = selection.value!;
  if (!["", attempt.scramble].includes(writeUp.scramble)) return void enter(writeUp);
  attempt.root.note ||= writeUp.notes;
  addSteps(writeUp.steps, writeUp.scramble === "" ? step : attempt.root);
}

/** Changes the name or the note of the selected step. */
export function edit(part: "name" | "note", text: string): void {
  selection.value!.step[part] = text;
  changed();
}

/** Notes the number of moves of the shortest finish from a step. */
export function setRest(step: Step, rest: number): void {
  if (step.rest !== null) return;
  step.rest = rest;
  changed();
}

/** Deletes a step and all after it. */
export function deleteStep(step: Step): void {
  if (!step.parent) return;
  deleted.value = [...deleted.value, { step, restore: remove(step) }];
  changeTo(step.parent);
}

/** Restores the step that was deleted last. */
export function undo(): void {
  const last = lastDeleted.value;
  if (!last) return;
  deleted.value = deleted.value.slice(0, deleted.value.indexOf(last));
  last.restore();
  changeTo(last.step);
  wanted.value = "tree";
}

/** Begins an attempt with the entered text: a scramble, a write-up or a link. */
export async function start(): Promise<void> {
  const text = scramble.value.trim();
  const link = /#fmc=\S+/.exec(text);
  if (link) return void (location.hash = link[0]);
  const [first = "", ...rest] = text.split("\n");
  const own = readWriteUp(first);
  const moves = ("error" in own ? "" : own.scramble) || partsOf(first)[0];
  const whole = [`scramble: ${moves}`, ...rest].join("\n");
  const pasted = readWriteUp(whole);
  if (moves === "")
    return refuse(
      { error: "the scramble is empty", help: "enter a scramble, or press Random" },
      text,
    );
  if ("error" in pasted) return refuse(pasted, whole);
  await enter({ ...pasted, scramble: moves });
}

/** Begins an attempt if the text is a scramble. */
async function enter(writeUp: WriteUp): Promise<void> {
  const text = writeUp.scramble;
  try {
    const checked = await engine.check(text, false);
    // Not every reader of a write-up knows addresses.
    if (checked.ok)
      return begin(text.includes("://") ? { ...writeUp, scramble: checked.setup } : writeUp);
    scramble.value = text;
    refuse(checked, text);
  } catch (error) {
    fail(error);
  }
}

/** Begins an attempt with a random scramble between R' U' F and R' U' F, as at competitions. */
export async function random(): Promise<void> {
  try {
    let middle: string;
    do middle = (await engine.random()).scramble;
    while (/^[FB]|[RL][2']?$/.test(middle)); // A move would cancel.
    begin({ scramble: `R' U' F ${middle} R' U' F`, notes: "", steps: [] });
    // The user does the scramble on a cube first.
    wanted.value = undefined;
  } catch (error) {
    fail(error);
  }
}

function refuse(of: ApiError, text: string): void {
  refusal.value = { of, text };
  wanted.value = "scramble";
}

function fail(exception: unknown): void {
  const error = engine.errorOf(exception);
  if (error) refusal.value = { of: error };
}

let looking = new AbortController();

/**
 * Inspects the selected step, its ancestors, and the steps whose reductions are unknown or that
 * seem to lose some.
 */
function look(): void {
  looking.abort();
  looking = new AbortController();
  inspection.value = "";
  void lookAt(selection.value!, looking.signal);
}

async function lookAt({ attempt, step }: Selection, signal: AbortSignal): Promise<void> {
  const path = pathTo(step).reverse();
  const isClear = ({ reduction, parent }: Step): boolean =>
    reduction !== "" && isReached({ reductions: [reduction] }, parent?.reduction || reduction);
  const tell = (said: typeof inspection.value): void => void (inspection.value = said);
  try {
    for (const each of new Set([...path, ...allFrom(attempt.root)])) {
      if (each.status || (isClear(each) && !path.includes(each))) continue;
      const status = await inspect(attempt.scramble, written(doneBy(each)), signal, tell);
      if (signal.aborted) return;
      if ("error" in status && each === step) return tell(status);
      if ("error" in status) continue;
      // Steps of links and write-ups may have false claims.
      const isNews =
        !status.reductions.includes(each.reduction) && each.reduction !== furthestReduction(status);
      if (isNews) each.reduction = furthestReduction(status);
      each.status = status;
      if (isNews) changed();
      else draw();
    }
  } catch (error) {
    if (!signal.aborted) tell(engine.errorOf(error) ?? "");
  }
}
