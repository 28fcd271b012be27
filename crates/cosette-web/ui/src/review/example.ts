// A speedsolve that shows what a review is.

import type { Curve } from "./plot";

export const SCRAMBLE = "F2 L2 U2 R2 B2 D' F2 U' L2 D' B2 R' F D2 L U' B' D L F'";

/** The steps of the solution, each with a label. */
const STEPS: [moves: string, label: string][] = [
  ["x2", "inspection"],
  ["D U D L2 B D B", "cross"],
  ["R F R' U' F' U' R'", "first pair"],
  ["U2 F2 R' F' R U2 F'", "second pair"],
  ["U B U L' B L B2", "third pair"],
  ["F' L2 U' L' U L2 F", "fourth pair"],
  ["U' F U R U' R' F'", "edges of the last layer"],
  ["F U F' U F U2 F'", "OLL"],
  ["L F L' F U R U' F' L F R' F2 L'", "PLL"],
];

export const SOLUTION = STEPS.map(([moves, label]) => `${moves} // ${label}`).join("\n");

/** The proven distance after each move, the first of which is the rotation. */
const DISTANCES = [
  17, 18, 18, 17, 16, 17, 18, 17, 17, 18, 17, 16, 15, 14, 13, 13, 14, 15, 16, 16, 15, 14, 15, 14,
  13, 12, 12, 13, 12, 13, 14, 14, 15, 15, 15, 14, 14, 13, 13, 14, 13, 12, 13, 12, 12, 13, 12, 13,
  12, 12, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0,
];

const known = (distance: number) => ({ lower_bound: distance, upper_bound: distance });

/** The curve of the solution, as a review finds it. */
export const CURVE: Curve = {
  length: DISTANCES.length - 1,
  start: known(DISTANCES[0]!),
  steps: STEPS.map(([, label]) => ({ label })),
  moves: STEPS.flatMap(([moves], step) => moves.split(" ").map((move) => ({ move, step }))).map(
    (move, index) => ({
      ...move,
      ...known(DISTANCES[index]!),
      length: index,
      change: DISTANCES[index]! - DISTANCES[Math.max(0, index - 1)]!,
    }),
  ),
};
