// The search for the solutions of one position: what is known, as it becomes known.

import { batch, computed, signal } from "@preact/signals";
import type { Bounds } from "../solve/bounds";

/** A solution. */
export interface Solution {
  moves: string;
  /**
   * The cost and the variants of the goal that the solution reaches, if solutions differ in them.
   */
  length?: number | undefined;
  variant?: string | undefined;
}

/** The bounds; undefined before the search. */
export const bounds = signal<Bounds | undefined>(undefined);

/** The scramble solved before anything is entered; empty if there is none. */
export const example = signal("");

/** `true` if there are bounds, and the user requested them. */
export const isRequested = computed(() => bounds.value !== undefined && example.value === "");

/** The solutions, or the best known one before a proof. */
export const solutions = computed<Solution[]>(() => {
  const { answer, best } = bounds.value ?? { answer: null, best: null };
  if (!answer) return best === null ? [] : [{ moves: best }];
  if (answer.solutions.length === 0)
    return answer.best_known === null ? [] : [{ moves: answer.best_known }];
  return answer.solutions.map((moves, number) => ({
    moves,
    length: answer.costs?.[number],
    variant: answer.variants?.[number],
  }));
});

/** The moves of the solution that is played. */
export const chosen = signal<string | undefined>(undefined);

/** Sets the bounds, and chooses the first solution. */
export function setBounds(known: Bounds | undefined): void {
  batch(() => {
    bounds.value = known;
    chosen.value = solutions.value[0]?.moves;
  });
}
