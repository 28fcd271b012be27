// What is asked, in a few words.

import { isPainted } from "../cube/colours";
import { namedIn, SOLVED_GOAL } from "./names";
import { hasPlace } from "./picture";
import { readTurns, writeTurns } from "./turns";

/** Where a goal is met: its places as the engine names them. */
export function at(places: string[]): string {
  return places.length === 0 ? "" : `at ${places.join(", ").replace(/, ([^,]*)$/, " and $1")}`;
}

/** A goal in a sentence; empty for the solved cube. One that has no name is called `other`. */
export function goalWords(to: string, other = "the goal"): string {
  const named = namedIn(to);
  if (named && hasPlace(named)) return named.goal.name === SOLVED_GOAL ? "" : [named.goal.words, named.place && at([named.place])].filter(Boolean).join(" ");
  return isPainted(to.trim()) ? "the painted goal" : other;
}

/** Turns in a sentence. */
export function turnWords(moves: string): string {
  return moves.trim() === "" ? "" : writeTurns(readTurns(moves)) || moves;
}
