// The view in which one position is solved: its address, its example, and the begin of searches.

import { engine } from "#engine";
import { computed, effect, untracked } from "@preact/signals";
import { BLANK, SOLVED } from "../cube/colors";
import { scrambled } from "../cube/scramble";
import { savesData } from "../engine/engine";
import { hasGoalOptions } from "../goals/goal-options";
import { maskOf, type Mask } from "../goals/mask";
import type { ApiError } from "../protocol";
import { addressOf, go, isShown, read, remember, show, visit } from "../solve/address";
import type { Bounds } from "../solve/bounds";
import { faceTurnsIn } from "../solve/notation";
import { example as randomExample } from "../solve/patterns";
import * as places from "../solve/places";
import { showCost } from "../solve/table-advice";
import { tab } from "./input";
import { areFixed, metric, options, requestFor, setOptions } from "./options";
import { player } from "./player";
import * as position from "./position";
import * as query from "./query";
import { isDark } from "./theme";
import {
  bounds,
  checked,
  chosen,
  example,
  fail,
  forget,
  isSearching,
  problem,
  run,
  setBounds,
  solutions,
} from "./search";

/**
 * The action once the position in the address has been checked, unless something else is entered
 * before.
 */
let arrival: "solve" | Bounds | ApiError | undefined;

/** `true` if the allowed moves cannot reach the goal, and the default ones may. */
export const wantsMoves = computed(
  () => bounds.value?.answer?.unreachable !== undefined && options.value.moves !== "",
);

/** The text in the place of the solution; empty if there is one, or nothing to expect. */
export const expected = computed(() => {
  const entered = checked.value;
  if (bounds.value !== undefined || !entered) return "";
  const isEdited = tab.value === "scramble" || tab.value === "paint";
  if (!entered.ok && !isEdited) return "The solution will appear here.";
  const isFaulty =
    !entered.ok &&
    position.areMarksShown.value &&
    (entered.blank === 0 || entered.marks.length > 0);
  // For example a twisted corner: each piece is possible, and none is marked.
  if (isFaulty && entered.facelets !== undefined && entered.marks.length === 0)
    return "Unsolvable: no moves produce this cube.";
  if (isFaulty && entered.facelets !== undefined)
    return `Fix the ${tab.value === "paint" ? "highlighted stickers" : "facelets"} first.`;
  if (isFaulty) return "Fix the scramble first.";
  const { value: faulty } = query.faulty;
  if (faulty) return `Fix the ${faulty} first.`;
  return entered.ok
    ? "Solve finds the shortest solution and proves it."
    : "The solution will appear here.";
});

/**
 * Shows the position in the address, and follows the history, the engine and the input. Fulfilled
 * once it is known whether an example is shown.
 */
export async function begin(): Promise<void> {
  position.onCheck(onCheck);
  engine.onTableChange?.(() => void showTableCost());
  effect(() => {
    const solution = chosen.value ?? "";
    untracked(() => player.load(solution));
  });
  effect(() => {
    const mask = reachedMask();
    // The gray of the mask has another shade in the dark theme.
    void isDark.value;
    untracked(() => void player.mask(mask));
  });
  window.addEventListener("popstate", arrive);
  arrive();
  if (position.text.value === "" && isSolveView()) await showExample();
}

/** Returns the mask of the goal that the chosen solution reaches, if its moves turn only faces. */
function reachedMask(): Mask | undefined {
  const goal = bounds.value?.answer?.goal;
  const shown = solutions.value.find(({ moves }) => moves === chosen.value);
  if (!goal || !shown || (shown.moves !== "" && faceTurnsIn(shown.moves) === undefined))
    return undefined;
  return maskOf(goal, shown.variant ?? "", checked.value?.ok ? (checked.value.rotation ?? "") : "");
}

/** Shows the table that a search must generate first. */
const showTableCost = (): Promise<void> =>
  showCost(hasGoalOptions(options.value) ? undefined : metric.value);

/**
 * Shows the position in the address, with its answer if there is one. Otherwise solves it, unless
 * that was stopped.
 */
function arrive(): void {
  if (isShown()) return;
  show();
  const { text, chosen, faults } = read();
  // A text that was too long for the address is lost, and so is its answer.
  const { solving, bounds } = (text === "" ? null : visit()) ?? {
    solving: text !== "" && isSolveView(),
  };
  const refused = {
    error: "invalid option in the address",
    help: `${faults.join("; ")}; Solve ignores it`,
  };
  arrival = faults.length > 0 ? refused : (bounds ?? (solving ? "solve" : undefined));
  forget();
  setOptions(chosen);
  checked.value = undefined;
  position.arriveAt(text);
  void showTableCost();
}

function onCheck(now: position.Checked | undefined): void {
  const { text, beforeError } = position.shown.value;
  const last = checked.value;
  const isDifferent = !(
    now?.ok &&
    last?.ok &&
    now.facelets === last.facelets &&
    now.rotation === last.rotation
  );
  checked.value = now;
  if (isDifferent) {
    if (text !== "") example.value = "";
    forget();
    setBounds(undefined);
    problem.value = undefined;
    if (example.value) void showExample(example.value);
    else if (text === "") player.show("", SOLVED);
    // Without an answer, no known cube is the entered one.
    else {
      const known = now?.ok ? now : beforeError;
      player.show(
        known && `${known.rotation ?? ""} ${known.setup}`.trim(),
        now?.facelets ?? known?.facelets ?? BLANK,
      );
    }
  }
  const next = position.canUndo.value ? undefined : arrival;
  arrival = undefined;
  if (next === "solve") void solve();
  else if (next && "error" in next) problem.value = { of: next };
  else if (next) setBounds(next);
  else if (isDifferent) go(addressOf(text, options.value));
}

/** Checks the position with the changed options. */
export function onOptions(): void {
  void showTableCost();
  // Other options are another query; the answer of the previous one is an entry back in the
  // history.
  checked.value = arrival = undefined;
  if (!example.value) {
    forget();
    setBounds(undefined);
  }
  void position.check();
}

/** Solves a random position. */
export async function solveRandom(): Promise<void> {
  if (await position.setRandom()) await solve();
}

/**
 * Checks an example that is solved: its facts are complete then, and the engine is ready to check
 * what is entered.
 */
async function completeFacts(facts: position.Facts): Promise<void> {
  const complete = await engine.check(example.value, false).catch(() => undefined);
  if (complete && checked.value === facts) checked.value = complete;
}

/** Enters a position and solves it. */
export function solvePosition(text: string): void {
  position.setText(text);
  void solve();
}

/**
 * Shows an example while nothing is entered, and begins to solve it with the chosen options;
 * quarter turns have a separate table.
 */
async function showExample(scramble = randomExample()): Promise<void> {
  // In the browser, an example causes a table to be generated, which takes work and storage.
  const isWanted = !savesData() && (await engine.isExampleWanted().catch(() => false));
  if (position.text.value !== "" || isSearching.value) return;
  if (!isWanted || metric.value !== "htm") return endExample();
  const facts = { ok: true, facelets: scrambled(scramble.split(" ")), setup: scramble } as const;
  checked.value = facts;
  example.value = scramble;
  player.show(facts.setup, facts.facelets);
  void solveExample(facts);
}

async function solveExample(facts: position.Facts): Promise<void> {
  const { isForgotten, known } = await run(requestFor(facts.setup), facts);
  if (isForgotten) return;
  setBounds(known);
  void showTableCost();
  if (known) void completeFacts(facts);
  else endExample();
}

/** Shows the solved cube instead of an example. */
function endExample(): void {
  example.value = "";
  player.show("", SOLVED);
}

/** Solves the entered position, or leads to what is wrong with it. */
export async function solve(): Promise<void> {
  const cube = tab.value === "paint" ? SOLVED : example.value;
  if (example.value) {
    forget();
    checked.value = undefined;
  }
  // On the empty page, Solve refers to the shown cube.
  if (position.text.value === "" && cube) position.setText(cube);
  // The last input has already ended the search before.
  await position.settle();
  if (isSearching.value || !(await query.isValid())) return;
  const isChecked = await position.settle();
  if (isSearching.value) return;
  const text = position.text.value;
  const facts = checked.value;
  if (!facts?.ok || !isChecked) {
    // Errors are shown where the text is entered.
    if (text === "") {
      const help = "enter a scramble, or paint the cube";
      position.showError({ error: "no position entered", help });
    }
    position.showFaults();
    return places.focusPosition();
  }
  go(addressOf(text, options.value));
  remember({ solving: true });
  const search = run(requestFor(text), facts, (exception, signal) =>
    showRefusal(exception, text, signal),
  );
  places.leaveOptions();
  areFixed.value = true;
  const { isForgotten, known } = await search;
  if (!isForgotten) {
    setBounds(known);
    remember(known ? { bounds: known } : {});
    void showTableCost();
  }
  if (!isSearching.value) areFixed.value = false;
}

/**
 * Shows why a search was rejected: at the input, if the error is in one of the texts next to the
 * position.
 */
async function showRefusal(exception: unknown, text: string, signal: AbortSignal): Promise<void> {
  areFixed.value = false;
  const isShown = hasGoalOptions(options.value) && (await query.findsFault());
  if (!isShown && !signal.aborted) fail(exception, text);
}

/** Repeats the request with all default moves. */
export function allowAll(): void {
  // The button goes away.
  places.result.current!.focus({ preventScroll: true });
  setOptions({ ...options.value, moves: "" });
  onOptions();
  void solve();
}

/** Returns `true` if the address is that of this view. */
const isSolveView = (): boolean => ["", "#solve"].includes(location.hash);
