// The pruning tables, as the engine reports them, and their generation.

import { engine } from "#engine";
import { batch, signal } from "@preact/signals";
import type { ApiError, GenerationEvent, Metric, Table } from "../protocol";
import { metric } from "./options";
import { route } from "./route";

/** Delay before a failed request is repeated, in milliseconds. */
const RETRY_DELAY = 3000;

type Progress = Extract<GenerationEvent, { event: "progress" }>;

export const tables = signal<Table[]>([]);
/** The storage location, in a sentence; empty until it is known. */
export const place = signal("");
/** The error of the list, or of the last action. */
export const error = signal<{ of: ApiError; isOfList: boolean } | undefined>(undefined);
/** The progress of the generations that this page follows. */
export const progress = signal<Record<string, Progress>>({});
/** `true` if the tables of the less common metric are unfolded. */
export const isUnfolded = signal(false);

const isShown = (): boolean => route.value === "tables";

/** The metric chosen when the tables were last shown. */
let shownMetric: Metric | undefined;
const followed = new Set<string>();
let refreshes = 0;

engine.onTableChange?.(() => void (isShown() && refresh()));

/**
 * Fetches the current state. A response that is overtaken by a later request is ignored: a
 * generation that it reports as running may have ended, and following it would start it again.
 */
export async function refresh(): Promise<void> {
  const number = (refreshes += 1);
  try {
    const found = await engine.tables();
    if (number !== refreshes) return;
    batch(() => {
      if (error.value?.isOfList) error.value = undefined;
      place.value = found.place;
      tables.value = found.tables;
      if (metric.value !== shownMetric)
        isUnfolded.value =
          metric.value === "qtm" ||
          found.tables.some((table) => table.metric === "qtm" && table.state === "generating");
    });
    shownMetric = metric.value;
    // A page on another machine may not follow it; the list then shows its progress.
    for (const table of found.tables)
      if (table.state === "generating") void follow(table.name).catch(() => undefined);
  } catch (exception) {
    // Shown once, not at each attempt.
    if (!error.value?.isOfList) tell(exception, true);
    // The server may be available again.
    setTimeout(() => void (isShown() && number === refreshes && refresh()), RETRY_DELAY);
  }
}

/** Generates a table, or resumes generating it. */
export async function generate(name: string): Promise<void> {
  error.value = undefined;
  const generation = follow(name);
  setTimeout(() => void refresh(), 150);
  try {
    await generation;
  } catch (exception) {
    await refresh();
    tell(exception);
  }
}

export const stopGenerating = (name: string): Promise<void> => act(engine.stopGenerating(name));
export const remove = (name: string): Promise<void> => act(engine.removeTable(name));
export const use = engine.useTable && ((name: string) => act(engine.useTable!(name)));

async function act(done: Promise<void>): Promise<void> {
  error.value = undefined;
  await done.catch((exception: unknown) => tell(exception));
  await refresh();
}

/** Follows a generation until it ends. Leaving the page does not stop it. */
async function follow(name: string): Promise<void> {
  if (followed.has(name)) return;
  followed.add(name);
  try {
    await engine.generate(name, (event) => {
      if (event.event === "refused") error.value = { of: event, isOfList: false };
      if (event.event === "progress") progress.value = { ...progress.value, [name]: event };
    });
  } finally {
    followed.delete(name);
    const { [name]: _, ...others } = progress.value;
    progress.value = others;
  }
  await refresh();
}

/** Shows an exception, unless the user aborted the request. */
function tell(exception: unknown, isOfList = false): void {
  const of = engine.errorOf(exception);
  if (of) error.value = { of, isOfList };
}
