// Many positions: the entered lines, their options, and their results as they are found.

import { engine } from "#engine";
import { batch as together, computed, signal } from "@preact/signals";
import { stopSolve, streamEvents } from "../api";
import { Stored } from "../browser-storage";
import { capital, count, left, time, waitingFor } from "../format";
import type { ApiError, BatchEvent, BatchLine, Metric } from "../protocol";
import { DEFAULTS, OPTIONS, parametersOf, type Options } from "../solve/option-values";
import { positionNamed } from "../solve/patterns";
import { linesOf } from "../text-lines";
import { NumberEntry, areAllValid } from "../ui/field";
import { type Format, save, solutionOf } from "../views/files";

/**
 * Delay between the first new result and drawing, in milliseconds; all results that have arrived
 * by then are drawn together.
 */
const DRAW_DELAY = 100;

/**
 * Time during which the duration of a batch is unknown, in milliseconds: easy positions come
 * first.
 */
const UNKNOWN = 3000;

export const text = signal("");
export const metric = signal<Metric>("htm");
export const maxLength = new NumberEntry(OPTIONS.maxLength);
export const timeout = new NumberEntry(OPTIONS.timeout);
export const error = signal<ApiError | undefined>(undefined);
/** The number of lines. Some may be headings, or expand to several positions: the server decides. */
export const lineCount = computed(() => linesOf(text.value).length);

/** The options of the last batch. */
export const chosen = signal<Options>(DEFAULTS);
/** The results of the last batch, in the order in which they were found. */
export const results = signal<BatchLine[]>([]);
export const headline = signal("");
/** The number of results so far, or the progress of a preparation. */
export const counts = signal("");
export const pace = signal("");
type Searching = Extract<BatchEvent, { event: "searching" }>;

/** The lines whose search takes long, by line number. */
export const searching = signal<Searching[]>([]);
/** The number of positions of the batch; undefined after its end. */
export const total = signal<number | undefined>(undefined);
export const isRunning = signal(false);
/** `true` if there is a batch to show. */
export const hasBatch = signal(false);
/** `true` if lines were taken from another view, and Solve is to be pressed next. */
export const areTaken = signal(false);

const solvedCount = computed(
  () => results.value.filter((line) => solutionOf(line) !== undefined).length,
);

/** Number of results with an error or without a proven solution. */
export const unsolvedCount = computed(() => results.value.length - solvedCount.value);

/** Describes the results without a proven solution. */
const unsolved = computed(() => {
  const invalid = results.value.filter((line) => "error" in line).length;
  return told(invalid, "invalid") + told(unsolvedCount.value - invalid, "not proven");
});

/** Formats another part of a headline, if the number is not zero. */
const told = (number: number, what: string): string =>
  number > 0 ? `, ${count(number)} ${what}` : "";

/** The running batch. */
let running: { abort: AbortController; id?: number; begun: number } | undefined;
/** Results that are not drawn yet, and the timer that draws them. */
let arrived: BatchLine[] = [];
let drawing = 0;
/** The time of the last result, or of the begin of the search. */
let lastResult = Infinity;
/** Time without a result after which the estimate is outdated, in seconds: a position is hard. */
let patience = 0;
/** The lines of the last batch. */
let solvedText = "";
/** `true` if there are results that have not been downloaded. */
let isUnsaved = false;

/** The lines, `true` if they are those of the last batch, and its results. */
const kept = new Stored<{
  text: string;
  isSolved: boolean;
  said: string;
  chosen: Options;
  results: BatchLine[];
}>("batch", { text: "", isSolved: false, said: "", chosen: DEFAULTS, results: [] });

/**
 * Stores the lines and the results for a reload, or at least the lines; returns `true` if the
 * browser stores the results.
 */
function keep(): boolean {
  const state = {
    text: text.value,
    isSolved: text.value === solvedText,
    said: (isRunning.value ? counts : headline).value,
    chosen: chosen.value,
  };
  return (
    [sorted([...results.value, ...arrived]), []].some((results) =>
      kept.set({ ...state, results }),
    ) || text.value === ""
  );
}

/** Restores the state before a reload. */
function restore(): void {
  const before = kept.get();
  text.value = before.text;
  if (before.results.length === 0) return;
  begin(before.chosen);
  if (before.isSolved) solvedText = before.text;
  metric.value = before.chosen.metric as Metric;
  maxLength.text.value = before.chosen.maxLength;
  timeout.text.value = before.chosen.timeout;
  results.value = before.results;
  isUnsaved = true;
  headline.value = before.said;
}

restore();
window.addEventListener("pagehide", () => keep());
window.addEventListener(
  "beforeunload",
  (event) => (!keep() || isRunning.value || isUnsaved) && event.preventDefault(),
);

/** Reads a file with one position per line. */
export async function read(file: File | undefined): Promise<void> {
  if (!file) return;
  const bytes = await file.arrayBuffer().catch(() => undefined);
  const content = bytes && textOf(bytes);
  if (content !== undefined) text.value = content;
  error.value = !bytes
    ? { error: `the file \`${file.name}\` cannot be read`, help: "choose a file, not a folder" }
    : content === undefined
      ? {
          error: `the file \`${file.name}\` is not a text file`,
          help: "choose a UTF-8 file with one position per line",
        }
      : undefined;
}

/** Shows these lines, after those that are not solved yet. */
export function take(lines: string): void {
  const isDone = text.value.trim() === "" || text.value === solvedText;
  text.value = isDone ? lines : `${text.value.trimEnd()}\n${lines}`;
  areTaken.value = true;
  location.hash = "batch";
}

/** Solves the entered lines. */
export async function run(): Promise<void> {
  if (running || !areAllValid(maxLength, timeout)) return;
  const batch = { abort: new AbortController(), begun: performance.now() };
  running = batch;
  const options: Options = {
    ...DEFAULTS,
    metric: metric.value,
    maxLength: maxLength.text.value,
    timeout: timeout.text.value,
  };
  const parameters = new URLSearchParams({ metric: options.metric, ...parametersOf(options) });
  together(() => {
    error.value = undefined;
    begin(options);
    solvedText = text.value;
    isRunning.value = true;
    total.value = lineCount.value;
    headline.value = "Connecting …";
    counts.value = pace.value = "";
  });
  lastResult = Infinity;
  patience = 2;
  const clock = window.setInterval(showSilence, 1000);
  let isOver = false;
  let isRefused = false;
  try {
    await streamEvents<BatchEvent>(
      `/batch?${parameters}`,
      withoutNames(text.value),
      batch.abort.signal,
      (event) => {
        isOver ||= event.event === "end";
        isRefused ||= event.event === "refused";
        together(() => onEvent(batch, event));
      },
    );
    if (!isOver && !isRefused)
      error.value = {
        error: "the server stopped before the end of the batch",
        help: "download the results found so far",
      };
  } catch (exception) {
    error.value = engine.errorOf(exception);
  }
  running = undefined;
  clearInterval(clock);
  together(() => {
    if (drawing !== 0) draw();
    if (!isOver && !isRefused) headline.value = counts.value;
    isRunning.value = false;
    hasBatch.value = results.value.length > 0 || isOver;
  });
}

/** Stops the batch, which keeps its results up to this point. */
export function stop(): void {
  const batch = running;
  if (batch?.id) stopSolve(batch.id).catch(() => batch.abort.abort());
  else batch?.abort.abort();
}

/** Downloads the results. */
export function download(format: Format): void {
  save(sorted(results.value), format);
  isUnsaved = false;
}

function begin(options: Options): void {
  chosen.value = options;
  results.value = arrived = [];
  searching.value = [];
  isUnsaved = false;
  hasBatch.value = true;
}

function onEvent(batch: NonNullable<typeof running>, event: BatchEvent): void {
  switch (event.event) {
    case "queued":
      batch.id = event.id;
      if (event.ahead > 0) headline.value = waitingFor(event.ahead);
      else draw();
      return;
    case "preparing":
      headline.value = capital(event.doing);
      counts.value = `${event.percent} %`;
      return;
    case "answer":
    case "failure":
      arrived.push(event);
      lastResult = performance.now();
      searching.value = searching.value.filter(({ line }) => line !== event.line);
      isUnsaved = true;
      // The next event may take long: the next position may be hard.
      drawing ||= window.setTimeout(() => together(draw), DRAW_DELAY);
      return;
    case "searching":
      searching.value = [...searching.value.filter(({ line }) => line !== event.line), event].sort(
        (a, b) => a.line - b.line,
      );
      return;
    case "progress":
      total.value = event.total;
      // The first position may be hard.
      if (results.value.length + arrived.length === 0) draw();
      if (lastResult === Infinity) lastResult = performance.now();
      if (performance.now() - batch.begun >= UNKNOWN) estimate(event.rate, event.seconds_left);
      return;
    case "end": {
      draw();
      const done = `${count(solvedCount.value)} of ${count(event.total)} solved${unsolved.value}`;
      const unreached = told(event.total - results.value.length, "not solved");
      headline.value = `${event.stopped ? "Stopped: " : ""}${done}${unreached}`;
      total.value = undefined;
      return;
    }
    case "refused":
      error.value = event;
  }
}

/** Shows the pace and the time left. */
function estimate(rate: number | null, secondsLeft: number | null): void {
  patience = Math.max(2, 5 / (rate ?? 1));
  pace.value = [
    rate !== null && `${Number(rate.toPrecision(2))} per second`,
    secondsLeft !== null && left(secondsLeft),
  ]
    .filter(Boolean)
    .join(", ");
}

/** Shows the time since the last result, if that is long ago. */
function showSilence(): void {
  const seconds = (performance.now() - lastResult) / 1000;
  if (seconds > patience) pace.value = `no result for ${time(Math.round(seconds))}`;
}

/** Shows the results that have arrived. */
function draw(): void {
  clearTimeout(drawing);
  drawing = 0;
  results.value = [...results.value, ...arrived];
  arrived = [];
  headline.value = "Solving …";
  counts.value = `${count(results.value.length)} of ${count(total.value ?? 0)}${unsolved.value}`;
}

const sorted = (lines: BatchLine[]): BatchLine[] => [...lines].sort((a, b) => a.line - b.line);

/** Replaces names of patterns by their moves or facelets. */
function withoutNames(text: string): string {
  return text
    .split("\n")
    .map((line) => positionNamed(line) ?? line)
    .join("\n");
}

/** Decodes the text of a file; undefined if it is not UTF-8. */
function textOf(bytes: ArrayBuffer): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text.replaceAll("\r\n", "\n");
  } catch {
    return undefined;
  }
}
