// The position to solve: a text in any format and the painted net, two views of one position.

import { engine } from "#engine";
import { computed, signal } from "@preact/signals";
import { BLANK, FACES, SOLVED, countOf, isPainted } from "../cube/colors";
import { scrambled } from "../cube/scramble";
import { turnedSideOf, type TurnedSide } from "../cube/turned-side";
import { count } from "../format";
import type { ApiError, NotAPosition, PositionCheck } from "../protocol";
import { faceTurnsIn, movesOf } from "../solve/notation";
import { positionNamed } from "../solve/patterns";
import { linesOf } from "../text-lines";
import { tab } from "./input";
import { options } from "./options";

/** Delay of the check after the last key, in milliseconds. */
const CHECK_DELAY = 120;

/**
 * Delay of an error at the end of the text, which may be an incomplete word, in milliseconds after
 * the last key.
 */
const ERROR_DELAY = 800;

/** Maximum number of characters of a text. Lists are longer, and servers accept at most 64 kB. */
const MAX_LENGTH = 16_000;

/** Number of last lines that are checked to detect a list; the first lines may be headings. */
const CHECKED_LINES = 5;

/** The error of a text that is too long for any position. */
const TOO_LONG: NotAPosition = {
  ok: false,
  format: "moves",
  error: "this text is too long for one position",
  help: `enter at most ${count(MAX_LENGTH)} characters, or a list with one position per line`,
  span: [0, 0],
  blank: 0,
  marks: [],
};

/** The facts about a position that are known without an engine. */
export type Facts = Pick<PositionCheck & { ok: true }, "ok" | "facelets" | "setup"> &
  Partial<PositionCheck & { ok: true }>;

/** The result of parsing a text, or of a scramble that no engine has parsed. */
export type Checked = Facts | NotAPosition;

/** The last checked text, and its messages. */
interface Shown {
  text: string;
  checked?: Checked | undefined;
  /** The position that the moves before an error produce, if there are any. */
  beforeError?: Facts | undefined;
  /** `true` if the text is a list of positions. */
  isList?: boolean;
  /** The side that is painted turned, if that explains why the cube is impossible. */
  turnedSide?: TurnedSide | undefined;
  /** The error of a request about the text. */
  error?: ApiError | undefined;
  /** `true` if the messages belong to an earlier text. */
  isStale?: boolean;
}

export const text = signal("");

/** The facelets on the net. */
export const facelets = signal(SOLVED);

export const shown = signal<Shown>({ text: "" });

/**
 * `true` while a possible cube is painted over with another one. Its pieces are wrong in passing,
 * until each color has nine stickers.
 */
const isPaintedOver = signal(false);

/** `true` if impossible pieces are shown. */
export const areMarksShown = computed(
  () => !isPaintedOver.value || hasEvenColors(shown.value.checked?.facelets ?? ""),
);

/** Returns `true` if each color has nine facelets. */
const hasEvenColors = (facelets: string): boolean =>
  FACES.every((face) => countOf(face, facelets) === 9);

/** `true` if the user wants a cube solved that is only unfinished, until the next input. */
export const isUnfinishedFault = signal(false);

/**
 * Shows impossible pieces from now on, and unpainted stickers as an error, since the user wants the
 * cube solved.
 */
export function showFaults(): void {
  const { checked } = shown.value;
  isPaintedOver.value = false;
  isUnfinishedFault.value =
    checked?.ok === false && checked.blank > 0 && checked.marks.length === 0;
}

/** The scramble of the last random position. */
export const random = signal("");

/** The place of the last input. */
export const source = signal<"text" | "net">("text");

/** Earlier texts, which Undo restores. */
const earlierTexts = signal<string[]>([]);

/** `true` if something has been entered since the page arrived at the position. */
export const canUndo = computed(() => earlierTexts.value.length > 0);

/**
 * The text as last set by the program, if it has not been changed by typing since. Typing is one
 * undo step, within which the browser has its own undo.
 */
const programText = signal<string | undefined>("");

/** `true` while the browser has typing to undo. */
export const isTyped = computed(() => programText.value === undefined);

let timer = 0;
let checks = 0;
let lastCheck = Promise.resolve();
let listener: (checked: Checked | undefined) => void = () => {};

/** Calls `act` with the result of each check. */
export function onCheck(act: (checked: Checked | undefined) => void): void {
  listener = act;
}

const addStep = (step: string): void => void (earlierTexts.value = [...earlierTexts.value, step]);

/** Enters a text as the user types it. */
export function enter(typed: string): void {
  if (programText.value !== undefined) addStep(programText.value);
  programText.value = undefined;
  source.value = "text";
  isPaintedOver.value = isUnfinishedFault.value = false;
  text.value = withoutBlank(typed);
  checkAfter(CHECK_DELAY, true);
}

/** Ends an undo step: later typing is another one. */
export function endStep(): void {
  programText.value = text.value;
}

/** Replaces the text and checks it at once; Undo restores the text before. */
export function setText(wanted: string, from: "text" | "net" = "text"): void {
  isPaintedOver.value = false;
  addStep(text.value);
  replace(wanted, from);
}

/** Shows a painted net; a stroke of the pointer is one undo step. */
export function paint(painted: string, continues: boolean): void {
  isPaintedOver.value ||= isPossible();
  if (!continues) addStep(text.value);
  replace(painted, "net");
}

/** Returns `true` if the text has been checked, and is a position or empty. */
function isPossible(): boolean {
  const { text: checkedText, checked } = shown.value;
  return checkedText === text.value && checked?.ok !== false;
}

/**
 * Shows the text of another entry of the history in its tab; edits made in the entry before do not
 * belong to it.
 */
export function arriveAt(wanted: string): void {
  earlierTexts.value = [];
  const isRandom = wanted !== "" && wanted === random.value;
  tab.value = isPainted(wanted) ? "paint" : isRandom ? "random" : "scramble";
  replace(wanted, sourceOf(wanted));
}

/** Returns the place in which a text of the history was entered. */
const sourceOf = (text: string): "text" | "net" => (isPainted(text) ? "net" : "text");

/** Returns a text, empty if it is white space alone. */
const withoutBlank = (text: string): string => (text.trim() === "" ? "" : text);

function replace(wanted: string, from: "text" | "net"): void {
  isUnfinishedFault.value = false;
  text.value = withoutBlank(wanted);
  endStep();
  source.value = from;
  if (isPainted(wanted)) facelets.value = wanted;
  void check();
}

/** Undoes the last stroke, typing or drawing of a random position. */
export function undo(): void {
  const last = earlierTexts.value.at(-1);
  if (last === undefined) return;
  earlierTexts.value = earlierTexts.value.slice(0, -1);
  replace(last, sourceOf(last));
}

/** Waits until the current text has been checked, and returns `true` if it was. */
export async function settle(): Promise<boolean> {
  if (timer !== 0 || shown.value.error) void check();
  await lastCheck;
  return shown.value.error === undefined;
}

/**
 * Shows the scramble of a random position; returns `false` if something else was entered meanwhile.
 */
export async function setRandom(): Promise<boolean> {
  const number = checks;
  const { value } = text;
  try {
    const { scramble } = await engine.random();
    // Input entered meanwhile stays.
    if (number !== checks || value !== text.value) return false;
    random.value = scramble;
    setText(scramble);
    return true;
  } catch (error) {
    showError(engine.errorOf(error));
    return false;
  }
}

function checkAfter(delay: number, isTyping: boolean): void {
  clearTimeout(timer);
  timer = window.setTimeout(() => void check(isTyping), delay);
}

/**
 * Has the engine check the text, which may be incomplete while the user types. Only the result of
 * the last check is used.
 */
export function check(isTyping = false): Promise<void> {
  clearTimeout(timer);
  timer = 0;
  const named = positionNamed(text.value);
  if (named !== undefined) {
    text.value = named;
    endStep();
  }
  lastCheck = checkNow(text.value, isTyping);
  return lastCheck;
}

async function checkNow(text: string, isTyping: boolean): Promise<void> {
  const number = (checks += 1);
  if (text === "") return show({ text }, SOLVED);
  try {
    const isNiss = options.value.niss === "true";
    const checked = text.length > MAX_LENGTH ? TOO_LONG : await engine.check(text, isNiss);
    const isList = !checked.ok && (await areAllPositions(linesOf(text), isNiss));
    const turnedSide = checked.ok ? undefined : await turnedSideIn(checked);
    if (number !== checks) return;
    if (isTyping && !checked.ok && !isList && isUnfinished(checked, text)) {
      checkAfter(ERROR_DELAY, false);
      shown.value = { ...shown.value, isStale: true };
      return;
    }
    const beforeError = isList ? undefined : await checkBeforeError(text, checked, isNiss);
    if (number !== checks) return;
    const known = checked.facelets ?? beforeError?.facelets;
    show({ text, checked, isList, beforeError, turnedSide }, known);
  } catch (exception) {
    if (number !== checks) return;
    const checked = factsOf(text);
    show({ text, checked, error: engine.errorOf(exception) }, checked?.facelets);
  }
}

/** Returns the position that the moves before an error produce, if there are any. */
async function checkBeforeError(
  text: string,
  checked: Checked,
  isNiss: boolean,
): Promise<Facts | undefined> {
  if (checked.ok || checked.format !== "moves") return undefined;
  const moves = text.slice(0, checked.span[0]);
  if (moves.trim() === "") return undefined;
  const before = await engine.check(moves, isNiss);
  return before.ok ? before : undefined;
}

/**
 * Shows a checked text. The net never shows another position than a typed text, or its part before
 * an error.
 */
function show(checked: Shown, known: string | undefined): void {
  if (known !== undefined || source.value === "text") facelets.value = known ?? BLANK;
  shown.value = checked;
  listener(checked.checked);
}

/** Shows an error beside the text, until that is checked again. */
export function showError(error: ApiError | undefined): void {
  shown.value = { ...shown.value, error };
}

/** Returns the side of an impossible cube that is painted turned, if that is its only fault. */
async function turnedSideIn({ facelets = "" }: NotAPosition): Promise<TurnedSide | undefined> {
  if (!hasEvenColors(facelets)) return undefined;
  return turnedSideOf(facelets, async (turned) => (await engine.check(turned, false)).ok);
}

/** Returns the facts about a scramble of face turns, which need no engine. */
function factsOf(text: string): Facts | undefined {
  const setup = faceTurnsIn(text);
  return setup === undefined
    ? undefined
    : { ok: true, format: "moves", setup, facelets: scrambled(movesOf(setup)) };
}

/** Returns `true` if there are several lines, and all have a number or all seem to be positions. */
async function areAllPositions(lines: string[], isNiss: boolean): Promise<boolean> {
  if (lines.length < 2) return false;
  if (lines.every((line) => /^\s*\d+[.)]\s/.test(line))) return true;
  const last = lines.slice(-CHECKED_LINES).filter((line) => line.length <= MAX_LENGTH);
  const checks = last.map((line) => engine.check(positionNamed(line) ?? line, isNiss));
  return (await Promise.all(checks)).every(({ ok }) => ok);
}

/** Returns `true` if the error is in the last word of moves, which the user may complete. */
function isUnfinished({ span, facelets }: NotAPosition, text: string): boolean {
  return facelets === undefined && span[1] >= text.trimEnd().length;
}
