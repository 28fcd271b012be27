// The pruning tables: list, generation with progress, removal.

import { engine } from "#engine";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { bytes, capital, left, time } from "../format";
import type { Metric, Table } from "../protocol";
import * as store from "../stores/tables";
import { Errors } from "../ui/notice";
import { Prose } from "../ui/prose";
import "./tables.css";

const METRICS: Record<Metric, string> = { htm: "Half-turn metric", qtm: "Quarter-turn metric" };

/** Size in bytes from which the generation of a table must be confirmed. */
const LARGE = 3e9;

/** Estimated costs of a table, if known for any. */
const ESTIMATES: { name: string; of: (table: Table) => number | null }[] = [
  { name: "To generate", of: (table) => table.generation_seconds },
  { name: "To solve", of: (table) => table.cube_seconds },
];

/** The view of the tables. */
export function Tables({ hidden }: { hidden: boolean }) {
  useEffect(() => void (hidden || store.refresh()), [hidden]);
  const halves = store.tables.value.filter((table) => table.metric === "htm");
  const quarters = store.tables.value.filter((table) => table.metric === "qtm");
  return (
    <section class="card" hidden={hidden}>
      <h2>Pruning tables</h2>
      <p>
        {`Twice the table, half the time, with less gain beyond 2 GB. ${capital(engine.rule)}. `}
        <Prose text={store.place.value} />
      </p>
      <Errors of={store.error.value?.of} />
      {store.tables.value
        .filter((table) => table.in_use)
        .map((table) => (
          <InUse table={table} />
        ))}
      <div class="stack" hidden={store.tables.value.length === 0}>
        {halves.length > 0 && <List metric="htm" tables={halves} />}
        {quarters.length > 0 && (
          <details
            class="fold"
            open={store.isUnfolded.value}
            onToggle={(event) => (store.isUnfolded.value = event.currentTarget.open)}
          >
            <summary>{METRICS.qtm}</summary>
            <List metric="qtm" tables={quarters} />
          </details>
        )}
      </div>
    </section>
  );
}

/** The table that searches use, and how fast it makes them. */
function InUse({ table }: { table: Table }) {
  const { name, bytes: size, cube_seconds } = table;
  const speed = cube_seconds === null ? "" : `, a random cube takes about ${time(cube_seconds)}`;
  return (
    <p class="table-in-use">
      <span class="label">Searches use</span> <strong>{name}</strong>{" "}
      <span class="label">{`${bytes(size)}${speed}`}</span>
    </p>
  );
}

function List({ metric, tables }: { metric: Metric; tables: Table[] }) {
  // Estimates that were known for some table before: their columns stay.
  const known = useRef(new Set<(typeof ESTIMATES)[number]>()).current;
  for (const estimate of ESTIMATES)
    if (tables.some((table) => estimate.of(table) !== null)) known.add(estimate);
  const estimates = ESTIMATES.filter((estimate) => known.has(estimate));
  return (
    <table class="tables">
      <caption class={metric === "qtm" ? "hidden" : ""}>{METRICS[metric]}</caption>
      <thead>
        <tr>
          {["Table", "Size", engine.storageTitle, ...estimates.map(({ name }) => name)].map(
            (name) => (
              <th scope="col">{name}</th>
            ),
          )}
          <th scope="col">
            <span class="hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {tables.map((table) => (
          <tr key={table.name} data-table={table.name}>
            <th scope="row">{table.name}</th>
            <td>{bytes(table.bytes)}</td>
            <td class="state">
              <State table={table} />
            </td>
            {estimates.map(({ of }) => (
              <td>{estimated(of(table))}</td>
            ))}
            <Actions table={table} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const estimated = (seconds: number | null): string =>
  seconds === null ? "–" : `≈ ${time(seconds)}`.replaceAll(" ", "\u00a0");

function State({ table }: { table: Table }) {
  switch (table.state) {
    case "ready":
      return table.in_use ? (
        <span class="badge good used">in use</span>
      ) : (
        <span class="badge good">ready</span>
      );
    case "generating": {
      const followed = store.progress.value[table.name];
      const percent = followed?.percent ?? table.percent ?? 0;
      const remaining = followed?.seconds_left ?? null;
      return (
        <>
          <progress max={100} value={percent} aria-label={`Progress of ${table.name}`} />
          <span class="left">
            {`${percent} %${remaining === null ? "" : `, ${left(remaining)}`}`}
          </span>
        </>
      );
    }
    case "partial":
      return <>{table.percent === null ? "partial" : `${table.percent}\u00a0% generated`}</>;
    case "corrupted":
      return (
        <span class="badge bad" title={table.fault ?? ""}>
          corrupted
        </span>
      );
    case "absent":
      return table.fits ? <span class="hidden">no</span> : <span class="faint">too large</span>;
  }
}

interface Action {
  name: string;
  act: (table: string) => Promise<void>;
  isConfirmed?: boolean;
  /** The reason why it has to wait. */
  wait?: string | undefined;
}

const REMOVE: Action = { name: "Remove", act: store.remove, isConfirmed: true };

function actionsOn({ state, bytes, fits, next }: Table): Action[] {
  const other = store.tables.value.find((table) => table.state === "generating");
  const wait = other && `${other.name} is still being built`;
  const generate = { name: "Generate", act: store.generate, isConfirmed: bytes > LARGE, wait };
  switch (state) {
    case "ready":
      return store.use && !next ? [{ name: "Use", act: store.use }, REMOVE] : [REMOVE];
    case "corrupted":
      return [generate, REMOVE];
    case "generating":
      return [{ name: "Stop", act: store.stopGenerating }];
    case "partial":
      return [{ name: "Resume", act: store.generate, wait }, REMOVE];
    case "absent":
      return fits ? [generate] : [];
  }
}

function Actions({ table }: { table: Table }) {
  const buttons = useRef<HTMLTableCellElement>(null);
  // The pressed button may be replaced by another action on the same table.
  const hadFocus = buttons.current?.contains(document.activeElement);
  useLayoutEffect(() => {
    if (hadFocus && !buttons.current!.contains(document.activeElement))
      buttons.current!.querySelector("button")?.focus();
  });
  return (
    <td class="actions" ref={buttons}>
      {actionsOn(table).map((action) => (
        <ActionButton key={action.name} action={action} table={table} />
      ))}
    </td>
  );
}

/** A button that acts; an action to be confirmed, at the second click. */
function ActionButton({ action, table }: { action: Action; table: Table }) {
  const { name, act, isConfirmed, wait } = action;
  const [isAsked, ask] = useState(false);
  const text = isAsked ? `${name} ${bytes(table.bytes)}?` : name;
  // A row has one button; what removes its table looks like one once it is asked for.
  const look = isAsked
    ? `quiet ${name === REMOVE.name ? "danger" : "strong"}`
    : name === REMOVE.name
      ? "link"
      : "quiet";
  return (
    <button
      type="button"
      class={look}
      aria-label={`${text} ${table.name}`}
      title={wait}
      disabled={wait !== undefined}
      onClick={() => (isConfirmed && !isAsked ? ask(true) : void act(table.name))}
      onBlur={() => ask(false)}
      onKeyDown={({ key }) => key === "Escape" && ask(false)}
    >
      {text}
    </button>
  );
}
