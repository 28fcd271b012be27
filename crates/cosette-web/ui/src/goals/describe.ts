// Short descriptions of goals and moves.

import { isPainted } from "../cube/colors";
import { namedIn, SOLVED_GOAL } from "./names";
import { hasVariant } from "./picture";
import { readTurns, writeTurns } from "./turns";

/** Describes the variants of a goal that are reached, with the names of the engine. */
export function at(variants: string[]): string {
  return variants.length === 0 ? "" : `on ${variants.join(", ").replace(/, ([^,]*)$/, " and $1")}`;
}

/** Describes a goal; empty for the solved cube. An unnamed goal is called `other`. */
export function goalWords(to: string, other = "goal"): string {
  const named = namedIn(to);
  if (named && hasVariant(named)) {
    const { name, title, words = title } = named.goal;
    if (name === SOLVED_GOAL) return "";
    return [words, named.variant && at([named.variant])].filter(Boolean).join(" ");
  }
  return isPainted(to.trim()) ? "painted goal" : other;
}

/** Describes turns in a sentence. */
export function turnWords(moves: string): string {
  return moves.trim() === "" ? "" : writeTurns(readTurns(moves)) || moves;
}
