// A solution in other notations: its inverse, and with slice moves or wide moves.
//
// Two opposite faces that turn in the same direction about the axis are a rotation of the whole
// cube with its middle layer left behind: R L' = M x. A turn of the left face is the turn of the
// two layers on its right, and a rotation: L = r x'. The rotation is omitted, and all later moves
// are named in the new orientation. The cube ends solved, but possibly in another orientation. In
// the slice-turn metric (STM) each turn of a face, a slice or two layers is one move.

import { FACES, OPPOSITE, type Face } from "../cube/colors";

/** A turn of a face by quarters, 1 to 3. */
interface Turn {
  face: Face;
  quarters: number;
}

/**
 * The rotation of a cube about an axis, in the direction of its first face: each face moves to the
 * next one.
 */
const CYCLES: Record<string, Face[]> = {
  R: ["F", "U", "B", "D"],
  U: ["F", "L", "B", "R"],
  F: ["U", "R", "D", "L"],
};

/** The slice of each axis; `follows` is `true` if it turns in the direction of the first face. */
const SLICES: Record<string, [slice: string, follows: boolean]> = {
  R: ["M", false],
  U: ["E", false],
  F: ["S", true],
};

/** Suffixes of a face turned by none to three quarters. */
export const SUFFIXES = ["", "", "2", "'"];

/** Splits a text without parentheses into moves. */
export function movesOf(text: string): string[] {
  return text.match(/\S+/g) ?? [];
}

/** Returns the moves of a text of turns of faces only; undefined for any other text. */
export function faceTurnsIn(text: string): string | undefined {
  const moves = movesOf(text.replace(/[’′]/g, "'")).map((move) => move.replace("2'", "2"));
  return moves.length > 0 && moves.every((move) => /^[URFDLB][2']?$/.test(move))
    ? moves.join(" ")
    : undefined;
}

function turnsOf(moves: string): Turn[] {
  return movesOf(moves).map((move) => ({
    face: move[0] as Face,
    quarters: Math.max(1, SUFFIXES.indexOf(move.slice(1))),
  }));
}

const named = (layer: string, quarters: number): string =>
  layer + SUFFIXES[((quarters % 4) + 4) % 4];

/** The current letter of each face. */
class Held {
  private letters = new Map(FACES.map((face) => [face, face]));

  letter(face: Face): Face {
    return this.letters.get(face)!;
  }

  /**
   * Rotates the cube about an axis in the direction of its first face: each face takes the letter
   * of the previous one.
   */
  turn(axis: string, quarters: number): void {
    const cycle = CYCLES[axis]!;
    for (const [face, letter] of this.letters) {
      const at = cycle.indexOf(letter);
      if (at >= 0) this.letters.set(face, cycle[(((at - quarters) % 4) + 4) % 4]!);
    }
  }
}

/**
 * Returns facelets after these rotations of the whole cube, each with the letter of its color
 * before them.
 */
export function asHeld(facelets: string, rotations: string): string {
  const held = new Held();
  for (const rotation of movesOf(rotations))
    held.turn(
      { x: "R", y: "U", z: "F" }[rotation[0]!]!,
      -Math.max(1, SUFFIXES.indexOf(rotation.slice(1))),
    );
  const before = new Map(FACES.map((face) => [held.letter(face), face]));
  return facelets.replace(/[URFDLB]/g, (letter) => before.get(letter as Face)!);
}

/**
 * Returns the inverse of the moves: a scramble for the position that they solve, and the other way
 * round.
 */
export function inverse(moves: string): string {
  return turnsOf(moves)
    .reverse()
    .map(({ face, quarters }) => named(face, -quarters))
    .join(" ");
}

/** Uses slices where two opposite faces turn in the same direction. */
export function withSlices(moves: string): string {
  const held = new Held();
  const turns = turnsOf(moves);
  const written: string[] = [];
  for (let at = 0; at < turns.length; at += 1) {
    const turn = turns[at]!;
    const next = turns[at + 1];
    const letter = held.letter(turn.face);
    if (next?.face !== OPPOSITE[turn.face] || (turn.quarters + next.quarters) % 4 !== 0) {
      written.push(named(letter, turn.quarters));
      continue;
    }
    const axis = letter in SLICES ? letter : OPPOSITE[letter];
    const quarters = letter in SLICES ? turn.quarters : next.quarters;
    const [slice, follows] = SLICES[axis]!;
    written.push(named(slice, follows ? -quarters : quarters));
    held.turn(axis, quarters);
    at += 1;
  }
  return written.join(" ");
}

/** Replaces turns of the left, lower and back face by turns of the two opposite layers. */
export function withWideMoves(moves: string): string {
  const held = new Held();
  return turnsOf(moves)
    .map(({ face, quarters }) => {
      const letter = held.letter(face);
      if (letter in SLICES) return named(letter, quarters);
      held.turn(OPPOSITE[letter], -quarters);
      return named(OPPOSITE[letter].toLowerCase(), quarters);
    })
    .join(" ");
}
