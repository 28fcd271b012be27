// The review of somebody's own solution: what is entered, the progress, and the result.

import { engine } from "#engine";
import { batch, computed, signal } from "@preact/signals";
import { capital, count, waitingFor } from "../format";
import type { ApiError, Metric, Review, ReviewEvent } from "../protocol";
import { linkToView } from "../solve/address";
import { route } from "./route";

export const scramble = signal("");
export const solution = signal("");
export const metric = signal<Metric>("htm");
/** The state of the running review; empty if none is running. */
export const progress = signal("");
export const percent = signal<number | undefined>(undefined);
export const review = signal<Review | undefined>(undefined);
export const error = signal<ApiError | undefined>(undefined);
export const isRunning = computed(() => progress.value !== "");

let running: { abort: AbortController; stop: AbortController } | undefined;

/** The content of the address: the input, without the result. */
const content = (): string =>
  String(
    new URLSearchParams({
      scramble: scramble.value,
      solution: solution.value,
      ...(metric.value !== "htm" && { metric: metric.value }),
    }),
  );

/** The link to the review. */
export const link = (): string => linkToView(`review=${content()}`);

/** Reviews the solution in the address, if there is one that is not shown. */
export function arrive(): void {
  const [view, ...rest] = location.hash.slice(1).split("=");
  const asked = rest.join("=");
  if (view !== "review" || asked === "" || asked === content()) return;
  const parameters = new URLSearchParams(asked);
  scramble.value = parameters.get("scramble") ?? "";
  solution.value = parameters.get("solution") ?? "";
  metric.value = parameters.get("metric") === "qtm" ? "qtm" : "htm";
  void run();
}

/** Enters a scramble and a solution, and reviews them. */
export function enter(text: string, moves: string): void {
  scramble.value = text;
  solution.value = moves;
  void run();
}

/** Proves the distances of the entered solution. */
export async function run(): Promise<void> {
  running?.abort.abort();
  const search = { abort: new AbortController(), stop: new AbortController() };
  running = search;
  batch(() => {
    progress.value = "Starting …";
    percent.value = error.value = review.value = undefined;
  });
  if (route.value === "review") history.replaceState(history.state, "", `#review=${content()}`);
  const request = {
    position: scramble.value,
    solution: solution.value,
    metric: metric.value,
  };
  try {
    await engine.review(
      request,
      { signal: search.abort.signal, stopSignal: search.stop.signal },
      (event) => search === running && batch(() => onEvent(event)),
    );
  } catch (exception) {
    if (search === running) error.value = engine.errorOf(exception);
  } finally {
    if (search === running) {
      running = undefined;
      progress.value = "";
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
      progress.value = `${count(event.done)} of ${count(event.total)} positions proven`;
      percent.value = (100 * event.done) / event.total;
      return;
    case "answer":
      review.value = event;
      return;
    case "refused":
      error.value = event;
  }
}
