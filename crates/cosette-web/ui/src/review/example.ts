// A speedsolve that shows what a review is.

import { scrambled } from "../cube/scramble";
import type { Review, ReviewedMove } from "../protocol";

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

/** A shortest solution of the scramble, and of its cross as the cube is held after the rotation. */
const OPTIMAL = "B' R' D' R F2 U2 D' R' D' R' U' F U' D2 F2 U' B'";
const CROSS = { goal: "cross:D", length: 5, moves: "F L2 F2 D' F'" };

/** A position at a proven distance. */
const proven = (facelets: string, distance: number, continuation: string | null = null) => ({
  facelets,
  distance,
  lower_bound: distance,
  upper_bound: distance,
  continuation,
});

/** Returns the moves as they turn the cube after the rotation x2. */
const afterRotation = (moves: string): string[] =>
  moves.replace(/[UDFB]/g, (face) => ({ U: "D", D: "U", F: "B", B: "F" })[face]!).split(" ");

/** Returns the moves of the solution with the positions after them. */
function reviewedMoves(): ReviewedMove[] {
  let facelets = scrambled(afterRotation(SCRAMBLE));
  const moves = STEPS.flatMap(([moves], step) => moves.split(" ").map((move) => ({ move, step })));
  return moves.map(({ move, step }, length) => {
    const distance = DISTANCES[length]!;
    const change = distance - DISTANCES[Math.max(0, length - 1)]!;
    if (length > 0) facelets = scrambled([move], facelets);
    return { move, step, length, change, ...proven(facelets, distance) };
  });
}

const MOVES = reviewedMoves();

/** The number of moves with this change of the distance; the rotation is none. */
const countOf = (sign: number): number =>
  MOVES.filter(({ length, change }) => length > 0 && change === sign).length;

/** The review of the solution, whose search takes a minute. A test compares it with the engine's. */
export const REVIEW: Review = {
  input: SCRAMBLE,
  solution: STEPS.map(([moves]) => moves).join(" "),
  metric: "htm",
  table: "htm-190M",
  niss: false,
  start: proven(scrambled(SCRAMBLE.split(" ")), DISTANCES[0]!, OPTIMAL),
  moves: MOVES,
  steps: STEPS.map(([moves, label], step) => {
    const own = MOVES.filter((move) => move.step === step);
    const { length, distance: after } = own.at(-1)!;
    const before = MOVES[MOVES.indexOf(own[0]!) - 1] ?? MOVES[0]!;
    return {
      line: step + 1,
      label,
      moves,
      length: length - before.length,
      before: before.distance,
      after,
      best: label === "cross" ? CROSS : null,
    };
  }),
  length: MOVES.length - 1,
  is_solved: true,
  lost: countOf(1),
  kept: countOf(0),
  nodes: 313_000_000,
  seconds: 58,
  stop_reason: null,
};
