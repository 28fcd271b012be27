// The patterns to try before there is a position, and random examples.

import { SOLVED } from "../cube/colors";

/** Well-known patterns: the name, and moves that produce it. */
export const PATTERNS: [name: string, moves: string][] = [
  ["Checkerboard", "U2 D2 R2 L2 F2 B2"],
  ["Four spots", "F2 B2 U D' R2 L2 U D'"],
  ["Six spots", "U D' R L' F B' U D'"],
  ["Tetris", "L R F B U' D' L' R'"],
  ["Anaconda", "L U B' U' R L' B R' F B' D R D' F'"],
  ["Cube in a cube", "F L F U' R U F2 L2 U' L' B D' B' L2 U"],
  ["Crosses", "R2 L' D F2 R' D' R' L U' D R D B2 R' U D2"],
  ["Stripes", "F U F R L2 B D' R D2 L D' B R2 L F U F"],
  ["Three cubes", "U' L' U' F' R2 B' R F U B2 U B' L U' F U R F'"],
  ["Superflip", "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"],
];

/**
 * Returns the position with a name: the solved cube, or a pattern. The name may have a number
 * before it and a comment after it.
 */
export function positionNamed(text: string): string | undefined {
  const name = text
    .trim()
    .replace(/^\d+[.)]\s/, "")
    .replace(/(#|\/\/).*$/, "")
    .trim()
    .toLowerCase();
  return name === "solved"
    ? SOLVED
    : PATTERNS.find(([pattern]) => pattern.toLowerCase() === name)?.[1];
}

/** Number of moves of an example: the smallest table proves it in about a third of a second. */
const EXAMPLE = 14;

/** Returns a random scramble as an example; no move follows one about the same axis. */
export function example(): string {
  const axes = ["UD", "RL", "FB"];
  let last = -1;
  const moves = Array.from({ length: EXAMPLE }, () => {
    const axis = last < 0 ? below(3) : (last + 1 + below(2)) % 3;
    last = axis;
    return axes[axis]![below(2)]! + ["", "2", "'"][below(3)]!;
  });
  return moves.join(" ");
}

const below = (limit: number): number => Math.floor(limit * Math.random());
