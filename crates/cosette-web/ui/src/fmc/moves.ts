// Moves on two sides: on the scramble, and in parentheses on its inverse. If N is done on the
// scramble S and I on its inverse, the remaining position is I⁻¹·S·N; if that is solved, N·I⁻¹
// solves S.

import { OPPOSITE, type Face } from "../cube/colors";
import type { ApiError } from "../protocol";
import { SUFFIXES, inverse, movesOf } from "../solve/notation";

/** The moves on each side. */
export interface NissMoves {
  normal: string[];
  inverse: string[];
}

/** No moves on either side. */
export const NONE: NissMoves = { normal: [], inverse: [] };

/** A turn of a face, a parenthesis, or a word that is neither. */
const WORD = /([URFDLB](?:2'?|'|3)?)(?![a-z\d'])|[()]|[^\s()]+/g;

/** Parses moves; returns an error and its position if the text has anything else. */
export function read(text: string): NissMoves | ApiError {
  const sides: NissMoves = { normal: [], inverse: [] };
  let side: keyof NissMoves = "normal";
  let opened = 0;
  const at = (from: number, to = from + 1): [number, number] => [from, to];
  for (const { 0: word, 1: turn, index } of text.replaceAll(/[’ʼ′`]/g, "'").matchAll(WORD)) {
    if (word === "(" || word === ")") {
      if ((word === "(") !== (side === "normal"))
        return {
          error: "unmatched parenthesis",
          help: "put moves on the inverse in parentheses, for example U (F R) D",
          span: at(index),
        };
      side = word === "(" ? "inverse" : "normal";
      opened = index;
    } else if (turn) sides[side].push(turn[0] + SUFFIXES[quartersOf(turn)]!);
    else
      return {
        error: `\`${word}\` is not a face turn`,
        help: "use turns of U, R, F, D, L and B, without rotations, slices or wide moves",
        span: at(index, index + word.length),
      };
  }
  if (side === "inverse")
    return {
      error: "unclosed parenthesis",
      help: "put moves on the inverse in parentheses, for example U (F R) D",
      span: at(opened),
    };
  return sides;
}

/** Returns the turns of a scramble that are read as wide moves. */
export function wideTurnsIn(scramble: string): string[] {
  return scramble.match(/(?<!\S)[urfdlb](?:2['’]?|['’])?(?!\S)/g) ?? [];
}

/** Parses moves that are known to be valid. */
export function known(text: string): NissMoves {
  const sides = read(text);
  return "error" in sides ? NONE : sides;
}

/** Formats moves for parsing. */
export function written(sides: NissMoves): string {
  const inBrackets = sides.inverse.length > 0 && `(${sides.inverse.join(" ")})`;
  return [sides.normal.join(" "), inBrackets].filter(Boolean).join(" ");
}

/** Concatenates moves on each side, with cancellations. */
export function joined(one: NissMoves, other: NissMoves): NissMoves {
  return {
    normal: withCancellations([...one.normal, ...other.normal]),
    inverse: withCancellations([...one.inverse, ...other.inverse]),
  };
}

/** Returns the number of moves. */
export function lengthOf({ normal, inverse }: NissMoves): number {
  return normal.length + inverse.length;
}

/** Linearizes the moves: the solution, if they solve the scramble. */
export function solutionOf(sides: NissMoves): string[] {
  return withCancellations([...sides.normal, ...movesOf(inverse(sides.inverse.join(" ")))]);
}

/** Merges turns of one face that are separated only by turns of the opposite face. */
function withCancellations(moves: string[]): string[] {
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

/** Returns the number of quarters, 1 to 3, by which a move turns its face. */
function quartersOf(move: string): number {
  if (move[1] === "2") return 2;
  return move[1] === "'" || move[1] === "3" ? 3 : 1;
}
