// The review of somebody's own solution: what is entered, the progress, and the result.

import { engine } from "#engine";
import { batch, computed, signal } from "@preact/signals";
import { createRef } from "preact";
import { capital, count, roughTime, waitingFor } from "../format";
import type { ApiError, Metric, Review, ReviewEvent } from "../protocol";
import { REVIEW, SCRAMBLE, SOLUTION } from "../review/example";
import { Pace } from "../review/pace";
import type { SearchedPoint } from "../review/plot";
import { showResult } from "../review/places";
import { linkToView } from "../solve/address";
import { route } from "./route";

/** A text as it is entered, and its error until it is changed. */
export class TextEntry {
  readonly text = signal("");
  readonly error = signal<ApiError | undefined>(undefined);
  readonly input = createRef<HTMLTextAreaElement>();

  enter(text: string): void {
    this.text.value = text;
    this.error.value = undefined;
  }

  /** Shows an error, and focuses the field; who is typing is not interrupted. */
  refuse(error: ApiError): void {
    this.error.value = error;
    if (!(document.activeElement instanceof HTMLTextAreaElement)) this.input.current!.focus();
  }
}

export const scramble = new TextEntry();
export const solution = new TextEntry();
export const metric = signal<Metric>("htm");
/** The state of the running review; empty if none is running. */
export const progress = signal("");
export const percent = signal<number | undefined>(undefined);
/** The positions that have been searched, from the end of the solution on. */
export const points = signal<SearchedPoint[]>([]);
export const review = signal<Review | undefined>(undefined);
/** The error that concerns neither text. */
export const error = signal<ApiError | undefined>(undefined);
export const isRunning = computed(() => progress.value !== "");

/** The content of the shown review. */
const reviewed = signal("");

let running: { abort: AbortController; stop: AbortController } | undefined;
/** The pace of the running review; undefined before its first position. */
let pace: Pace | undefined;

/** The content of the address: the input, without the result. */
const content = (): string =>
  String(
    new URLSearchParams({
      scramble: scramble.text.value,
      solution: solution.text.value,
      ...(metric.value !== "htm" && { metric: metric.value }),
    }),
  );

/** `true` if the review is that of another content. */
export const isOutdated = computed(
  () => review.value !== undefined && reviewed.value !== content(),
);

/** The link to the review. */
export const link = (): string => linkToView(`review=${content()}`);

/** Reviews the solution in the address, if there is one that is not shown. */
export function arrive(): void {
  const [view, ...rest] = location.hash.slice(1).split("=");
  const asked = rest.join("=");
  if (view !== "review" || asked === "" || asked === content()) return;
  const parameters = new URLSearchParams(asked);
  scramble.enter(parameters.get("scramble") ?? "");
  solution.enter(parameters.get("solution") ?? "");
  metric.value = parameters.get("metric") === "qtm" ? "qtm" : "htm";
  void run();
}

/**
 * Takes over a pasted reconstruction, the scramble in its first line. Returns `false` for a text
 * without a scramble of its own.
 */
export function paste(text: string): boolean {
  const parts = /^\s*(?:scramble\s*:?[ \t]*\n?)?([^\n]+)\n([^]*\S)/i.exec(text);
  const [, first = "", steps = ""] = parts ?? [];
  const isScramble = /^\s*scramble/i.test(text) || /^[^\n]+\n\s*\n/.test(text.trim());
  if (!isScramble || first.includes("//")) return false;
  scramble.enter(first.trim());
  solution.enter(steps.trim());
  return true;
}

/** Enters the example, and reviews it. */
export function showExample(): void {
  scramble.enter(SCRAMBLE);
  solution.enter(SOLUTION);
  metric.value = "htm";
  void run();
}

/** Returns `true` if the example is entered, whose review is known. */
const isExample = (): boolean =>
  scramble.text.value === SCRAMBLE && solution.text.value === SOLUTION && metric.value === "htm";

/** Proves the distances of the entered solution. */
export async function run(): Promise<void> {
  running?.abort.abort();
  const before = { content: reviewed.value, review: review.value };
  const search = { abort: new AbortController(), stop: new AbortController() };
  running = search;
  batch(() => {
    progress.value = "Starting …";
    percent.value = error.value = review.value = undefined;
    points.value = [];
    reviewed.value = content();
    scramble.error.value = solution.error.value = undefined;
  });
  if (route.value === "review") history.replaceState(history.state, "", `#review=${content()}`);
  if (isExample()) {
    running = undefined;
    batch(() => {
      progress.value = "";
      review.value = REVIEW;
    });
    showResult(true);
    return;
  }
  const request = {
    position: scramble.text.value,
    solution: solution.text.value,
    metric: metric.value,
  };
  pace = undefined;
  const clock = setInterval(() => search === running && showPositions(), 1000);
  let hasBegun = false;
  const show = (): void => {
    showResult(!hasBegun);
    hasBegun = true;
  };
  try {
    const checked = await engine.check(request.position, false);
    if (search !== running || search.stop.signal.aborted) return;
    if (!checked.ok) return scramble.refuse(checked);
    await engine.review(
      request,
      { signal: search.abort.signal, stopSignal: search.stop.signal },
      (event) => {
        if (search !== running) return;
        batch(() => onEvent(event));
        if (!hasBegun) show();
      },
    );
  } catch (exception) {
    if (search === running) refuse(engine.errorOf(exception));
  } finally {
    clearInterval(clock);
    if (search === running) {
      running = undefined;
      progress.value = "";
      if (scramble.error.value || solution.error.value) {
        reviewed.value = before.content;
        review.value = before.review;
      } else if (review.value || error.value) show();
    }
  }
}

/** Stops the review, which keeps the bounds proven until then. */
export function stop(): void {
  running?.stop.abort();
}

function onEvent(event: ReviewEvent): void {
  switch (event.event) {
    case "queued":
      progress.value = waitingFor(event.ahead) || "Starting …";
      return;
    case "preparing":
      progress.value = capital(event.doing);
      percent.value = event.percent;
      return;
    case "progress":
      percent.value = (100 * event.done) / event.total;
      if (event.length !== null)
        points.value = [...points.value, { ...event, length: event.length }];
      pace ??= new Pace(event.total);
      pace.record(event.done, performance.now() / 1000);
      showPositions();
      return;
    case "answer":
      review.value = event;
      return;
    case "refused":
      refuse(event);
  }
}

/** Shows the number of searched positions, if there are some, and about how much time is left. */
function showPositions(): void {
  if (!pace) return;
  const seconds = pace.secondsLeft(performance.now() / 1000);
  const estimate = seconds === undefined ? "" : `, about ${roughTime(seconds)} left at this pace`;
  progress.value = `${count(pace.done)} of ${count(pace.total)} positions searched${estimate}`;
}

/** Shows an error of the solution below its field, with the name that the field has on the page. */
function refuse(told: ApiError | undefined): void {
  const [prefix, line] = /^`solution`: (line \d+: )?/.exec(told?.error ?? "") ?? [];
  if (!told || prefix === undefined) error.value = told;
  else {
    const rest = told.error.slice(prefix.length);
    const subject = line === undefined ? "your solution: " : `your solution, ${line}`;
    solution.refuse({ ...told, error: subject + rest });
  }
}
