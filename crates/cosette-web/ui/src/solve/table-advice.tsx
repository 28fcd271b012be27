// Costs and benefits of tables: shown before one is generated, and when a larger one would pay.

import { engine } from "#engine";
import { batch, computed, signal } from "@preact/signals";
import { bytes, time } from "../format";
import type { Metric, Table } from "../protocol";
import { bounds, isRequested } from "../stores/search";

/** Minimum number of seconds that a larger table must have saved to be suggested. */
const WORTHWHILE = 5;

/** Minimum number of seconds of a search for which the server should have had a larger table. */
const LONG = 600;

const tables = signal<Table[]>([]);
/** `true` if a larger table would be used. */
const isOpen = signal(true);
/** The table that must be generated before the next search, and the metric of that search. */
const needed = signal<{ table: Table; metric: Metric } | undefined>(undefined);
let fetches = 0;

/**
 * Shows the table that must be generated before a search in this metric, if any; hides the advice
 * if there is no metric, as for goals.
 */
export async function showCost(metric: Metric | undefined): Promise<void> {
  const number = (fetches += 1);
  if (metric === undefined) {
    needed.value = undefined;
    return;
  }
  const found = await engine.tables().catch(() => ({ tables: [] as Table[], isNamed: false }));
  if (number !== fetches) return;
  const table = found.tables.find(
    (table) => table.next && table.metric === metric && table.state !== "ready",
  );
  // An engine that reports changes also reports the progress.
  const isReported = engine.onTableChange !== undefined && table?.state === "generating";
  batch(() => {
    tables.value = found.tables;
    isOpen.value = !found.isNamed;
    needed.value = table && !isReported ? { table, metric } : undefined;
  });
}

/** The cost of a table, before it is generated; an answer did not need it. */
export function CostAdvice() {
  const isAnswered = isRequested.value && bounds.value?.answer != null;
  if (!needed.value || isAnswered) return <p class="advice" role="status" hidden />;
  const { table, metric } = needed.value;
  const { generation_seconds: seconds } = table;
  const searched = metric === "qtm" ? "solve in quarter turns" : "solve";
  const duration = seconds === null ? "" : ` (about ${time(seconds)}, once)`;
  return (
    <p class="advice" role="status">
      {`The first ${searched} builds a ${bytes(table.bytes)} table${duration}.`}
    </p>
  );
}

/** The longest estimate of the search: estimates change; a suggestion stays. */
let longest = 0;

/** A larger table that would have saved much of the search. */
const larger = computed(() => {
  // Goals have tables of their own.
  const known = bounds.value?.goal ? undefined : bounds.value;
  const estimated = known?.searched?.left ?? 0;
  longest = known?.lower ? Math.max(longest, estimated) : 0;
  const seconds = known?.answer?.seconds ?? longest;
  const used = tables.value.find((table) =>
    known?.answer
      ? table.name === known.answer.table
      : table.next && table.metric === known?.metric,
  );
  const better =
    used && (isOpen.value || seconds >= LONG) && betterThan(used, seconds, tables.value);
  if (!used?.cube_seconds || !better || !better.cube_seconds || !better.generation_seconds)
    return undefined;
  const faster = Math.round(used.cube_seconds / better.cube_seconds);
  const isFaster = `A larger table is about ${faster} times as fast`;
  if (!isOpen.value) return `${isFaster}, but the server was started with ${used.name}.`;
  const cost =
    better.state === "partial"
      ? "partially generated"
      : `${bytes(better.bytes)}, generated in about ${time(better.generation_seconds)}`;
  return `${isFaster}: ${better.name}, ${cost}.`;
});

/** The suggestion of a larger table. */
export function LargerTableAdvice() {
  return (
    <p class="advice" role="status" hidden={!larger.value}>
      <span>{larger}</span> <a href="#tables">Tables</a>
    </p>
  );
}

/**
 * Returns the table that saves most of the time of a search, including its generation, if it is
 * worth suggesting.
 */
function betterThan(used: Table, seconds: number, tables: Table[]): Table | undefined {
  const saved = (table: Table): number => {
    if (
      table.metric !== used.metric ||
      table.bytes <= used.bytes ||
      !table.fits ||
      table.state === "ready"
    )
      return 0;
    if (!used.cube_seconds || !table.cube_seconds || !table.generation_seconds) return 0;
    return seconds * (1 - table.cube_seconds / used.cube_seconds) - table.generation_seconds;
  };
  const [best] = [...tables].sort((a, b) => saved(b) - saved(a));
  return best && saved(best) >= WORTHWHILE ? best : undefined;
}
