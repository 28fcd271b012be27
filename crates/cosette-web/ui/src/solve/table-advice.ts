// Costs and benefits of tables: shown before one is generated, and when a larger one would pay.

import { engine } from "#engine";
import { h, setText } from "../dom";
import { bytes, time } from "../format";
import type { Metric, Table } from "../protocol";
import type { Bounds } from "./bounds";

/** Minimum number of seconds that a larger table must have saved to be suggested. */
const WORTHWHILE = 5;

/**
 * Shows the cost of a table before it is generated, and suggests a larger one after a long search.
 */
export class TableAdvice {
  readonly beforehand = h("p", { class: "advice", role: "status", hidden: true });
  private readonly larger = h("span");
  readonly afterwards = h(
    "p",
    { class: "advice", role: "status", hidden: true },
    this.larger,
    " ",
    h("a", { href: "#tables" }, "Tables"),
  );
  private tables: Table[] = [];
  /** `true` if a larger table would be used. */
  private isOpen = true;
  private fetches = 0;
  /** The longest estimate of the search. */
  private longest = 0;

  /**
   * Shows the table that must be generated before a search in this metric, if any; hides the notice
   * if there is no metric, as for goals.
   */
  async showCost(metric: Metric | undefined): Promise<void> {
    const number = (this.fetches += 1);
    if (metric === undefined) {
      this.beforehand.hidden = true;
      return;
    }
    const { tables, isNamed } = await engine
      .tables()
      .catch(() => ({ tables: [] as Table[], isNamed: false }));
    if (number !== this.fetches) return;
    this.tables = tables;
    this.isOpen = !isNamed;
    const needed = tables.find(
      (table) => table.next && table.metric === metric && table.state !== "ready",
    );
    // An engine that reports changes also reports the progress.
    this.beforehand.hidden =
      needed === undefined || (engine.onTableChange !== undefined && needed.state === "generating");
    if (!needed) return;
    const seconds =
      needed.generation_seconds === null ? "" : `, about ${time(needed.generation_seconds)}`;
    const turns = metric === "qtm" ? "quarter-turn" : "half-turn";
    setText(
      this.beforehand,
      `The first ${turns} search generates the table ${needed.name}: ${bytes(needed.bytes)}${seconds}.`,
    );
  }

  /** Suggests a larger table if it would have saved much of the search. */
  showLarger(known: Bounds | undefined): void {
    // Goals have tables of their own.
    const bounds = known?.goal ? undefined : known;
    // Estimates change; a suggestion stays.
    const estimated = bounds?.searched?.proofLeft ?? bounds?.searched?.left ?? 0;
    this.longest = bounds?.lower ? Math.max(this.longest, estimated) : 0;
    const seconds = bounds?.answer?.seconds ?? this.longest;
    const used = this.tables.find((table) =>
      bounds?.answer
        ? table.name === bounds.answer.table
        : table.next && table.metric === bounds?.metric,
    );
    const better = used && this.isOpen && betterThan(used, seconds, this.tables);
    this.afterwards.hidden = !better;
    if (!used?.cube_seconds || !better || !better.cube_seconds || !better.generation_seconds)
      return;
    const faster = Math.round(used.cube_seconds / better.cube_seconds);
    const cost =
      better.state === "partial"
        ? "partially generated"
        : `${bytes(better.bytes)}, generated in about ${time(better.generation_seconds)}`;
    setText(
      this.larger,
      `A larger table is about ${faster} times as fast: ${better.name}, ${cost}.`,
    );
  }
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
