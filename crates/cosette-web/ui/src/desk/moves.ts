// Moves on two sides: on the scramble, and in round brackets on its inverse. If N is done on the scramble S and I on its inverse, the
// position left is I⁻¹·S·N; if that is solved, so is S by N·I⁻¹.

import { OPPOSITE, type Face } from "../cube/colours";
import type { ApiError } from "../protocol";
import { byteLength } from "../lines";
import { SUFFIXES, inverse, movesOf } from "../solve/notation";

/** The moves on each side. */
export interface Sides {
  normal: string[];
  inverse: string[];
}

/** Nothing has been done. */
export const NONE: Sides = { normal: [], inverse: [] };

/** A turn of a face, a bracket, or a word that is neither. */
const WORD = /([URFDLB](?:2'?|'|3)?)(?![a-z\d'])|[()]|[^\s()]+/g;

/** Reads moves; says what is wrong with a text that has others, and where. */
export function read(text: string): Sides | ApiError {
  const sides: Sides = { normal: [], inverse: [] };
  let side: keyof Sides = "normal";
  let opened = 0;
  const at = (from: number, to = from + 1): [number, number] => [byteLength(text.slice(0, from)), byteLength(text.slice(0, to))];
  for (const { 0: word, 1: turn, index } of text.replaceAll(/[’ʼ′`]/g, "'").matchAll(WORD)) {
    if (word === "(" || word === ")") {
      if ((word === "(") !== (side === "normal")) return { error: "a round bracket is missing", help: "moves on the inverse stand in one pair, as in U (F R) D", span: at(index) };
      side = word === "(" ? "inverse" : "normal";
      opened = index;
    } else if (turn) sides[side].push(turn[0] + SUFFIXES[quartersOf(turn)]!);
    else return { error: `\`${word}\` is no turn of a face`, help: "write turns of U, R, F, D, L and B, without rotations, slices and wide turns", span: at(index, index + word.length) };
  }
  if (side === "inverse") return { error: "a round bracket is not closed", help: "moves on the inverse stand in one pair, as in U (F R) D", span: at(opened) };
  return sides;
}

/** The turns of a scramble that are read as wide ones. */
export function wideTurnsIn(scramble: string): string[] {
  return scramble.match(/(?<!\S)[urfdlb](?:2['’]?|['’])?(?!\S)/g) ?? [];
}

/** Reads moves that were read before. */
export function known(text: string): Sides {
  const sides = read(text);
  return "error" in sides ? NONE : sides;
}

/** Writes moves as they are read. */
export function written(sides: Sides): string {
  const inBrackets = sides.inverse.length > 0 && `(${sides.inverse.join(" ")})`;
  return [sides.normal.join(" "), inBrackets].filter(Boolean).join(" ");
}

/** Moves and then others, on each side, added up where they meet. */
export function joined(one: Sides, other: Sides): Sides {
  return { normal: addedUp([...one.normal, ...other.normal]), inverse: addedUp([...one.inverse, ...other.inverse]) };
}

/** How many moves these are. */
export function lengthOf({ normal, inverse }: Sides): number {
  return normal.length + inverse.length;
}

/** All of them on the scramble: the solution, if they solve it. */
export function solutionOf(sides: Sides): string[] {
  return addedUp([...sides.normal, ...movesOf(inverse(sides.inverse.join(" ")))]);
}

/** With turns of one face as one move, if only turns of the opposite face are between them. */
function addedUp(moves: string[]): string[] {
  const sum: string[] = [];
  for (const move of moves) {
    const face = move[0] as Face;
    const before = sum.at(-1)?.[0] === OPPOSITE[face] ? sum.length - 2 : sum.length - 1;
    if (sum[before]?.[0] !== face) {
      sum.push(move);
      continue;
    }
    const quarters = (quartersOf(sum[before]!) + quartersOf(move)) % 4;
    sum.splice(before, 1, ...(quarters === 0 ? [] : [face + SUFFIXES[quarters]!]));
  }
  return sum;
}

/** By how many quarters, 1 to 3, a move turns its face. */
function quartersOf(move: string): number {
  if (move[1] === "2") return 2;
  return move[1] === "'" || move[1] === "3" ? 3 : 1;
}
