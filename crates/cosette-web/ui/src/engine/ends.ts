// What the shortest solutions of a position have in common.

import type { Explanation } from "../protocol";

const FACES = "URFDLB";
const OPPOSITE: Record<string, string> = { U: "D", D: "U", R: "L", L: "R", F: "B", B: "F" };

/** How many quarter turns a solution has. */
export function quarterTurns(solution: string): number {
  return movesOf(solution).reduce((sum, move) => sum + (move.endsWith("2") ? 2 : 1), 0);
}

/** How many solutions there are, and with which moves they begin and end; two that turn opposite faces can be swapped. */
export function commonEnds(solutions: string[]): NonNullable<Explanation["solutions"]> {
  return {
    count: solutions.length,
    first_moves: sorted(solutions.flatMap((solution) => ends(movesOf(solution)))),
    last_moves: sorted(solutions.flatMap((solution) => ends(movesOf(solution).reverse()))),
  };
}

function movesOf(solution: string): string[] {
  return solution.match(/\S+/g) ?? [];
}

function ends([first, second]: string[]): string[] {
  if (first === undefined) return [];
  return second !== undefined && OPPOSITE[first[0]!] === second[0] ? [first, second] : [first];
}

/** Each move once: by faces, then quarter turn, half turn, quarter turn back. */
function sorted(moves: string[]): string[] {
  const rank = (move: string): number => 3 * FACES.indexOf(move[0]!) + ["", "2", "'"].indexOf(move.slice(1));
  return [...new Set(moves)].sort((a, b) => rank(a) - rank(b));
}
