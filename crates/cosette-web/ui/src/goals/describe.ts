// Short descriptions of goals and moves.

import { appearance, colorName } from "../cube/appearance";
import { isPainted, type Face } from "../cube/colors";
import { asHeld } from "../solve/notation";
import { namedIn, SOLVED_GOAL } from "./names";
import { hasVariant } from "./picture";
import { readTurns, writeTurns } from "./turns";

/** Describes a variant of a goal by the colors of its faces on a cube held after these rotations. */
export function placeOf(goal: string, variant: string, rotations: string): string {
  const place = namedIn(goal)?.goal.place;
  // The colors of the user have no names.
  if (place === undefined || appearance().scheme === "own") return `on ${variant}`;
  return place.replace(/\$(\d)/g, (_, number: string) =>
    colorName(asHeld(variant[Number(number) - 1]!, rotations) as Face),
  );
}

/** Describes a goal; empty for the solved cube. An unnamed goal is called `other`. */
export function goalWords(to: string, other = "goal"): string {
  const named = namedIn(to);
  if (named && hasVariant(named)) {
    const { name, title, words = title } = named.goal;
    if (name === SOLVED_GOAL) return "";
    return [words, named.variant && `on ${named.variant}`].filter(Boolean).join(" ");
  }
  return isPainted(to.trim()) ? "painted goal" : other;
}

/** Describes turns in a sentence. */
export function turnWords(moves: string): string {
  return moves.trim() === "" ? "" : writeTurns(readTurns(moves)) || moves;
}
