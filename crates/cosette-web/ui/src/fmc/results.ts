// The results of a search at a step, in the order in which they are listed.

import type { StepResult } from "./attempt";

/** A result of a search: steps to be added one after the other. */
export interface SearchResult {
  steps: StepResult[];
  /** Text before its moves: their number, and the number of moves up to their end. */
  lengths: string;
  /** The bad pieces of the next reduction, e.g. `dr:UD 4c2e`; empty if unknown. */
  badPieces: string;
}

/** A sort order. */
export type Order = "moves" | "bad-pieces";

/** The axis of the reduction that a result reaches. */
export const axisOf = ({ steps }: SearchResult): string | undefined =>
  steps.at(-1)?.reduction?.split(":")[1];

/**
 * Filters results by axis, if one is given, and sorts them; they arrive sorted by number of moves.
 */
export function arranged(results: SearchResult[], order: Order, axis: string): SearchResult[] {
  const along = results.filter((result) => axis === "" || axisOf(result) === axis);
  const number = ({ badPieces }: SearchResult): number => {
    const [, corners = 0, edges = 0] = /(\d+)c(\d+)e/.exec(badPieces) ?? [];
    return Number(corners) + Number(edges);
  };
  return order === "bad-pieces" ? along.sort((a, b) => number(a) - number(b)) : along;
}
