// The facelets of a scramble, which are known without an engine.

import { AXES } from "./appearance";
import { FACES, SOLVED, type Face } from "./colors";

type Vector = [x: number, y: number, z: number];

/** The faces to the right of each face and below it, as its facelets are numbered. */
const BESIDE: Record<Face, [right: Face, below: Face]> = {
  U: ["R", "F"],
  R: ["B", "D"],
  F: ["R", "D"],
  D: ["R", "B"],
  L: ["F", "D"],
  B: ["L", "D"],
};

/** The location of each facelet, with the center of the cube as origin. */
const POINTS = FACES.flatMap((face) =>
  Array.from({ length: 9 }, (_, number) => {
    const [right, below] = BESIDE[face].map((beside) => AXES[beside]) as [Vector, Vector];
    const column = (number % 3) - 1;
    const row = Math.floor(number / 3) - 1;
    return AXES[face].map((part, i) => 2 * part + column * right[i]! + row * below[i]!) as Vector;
  }),
);
const PLACES = new Map(POINTS.map((point, place) => [point.join(), place]));

/** Returns the facelets after a clockwise quarter turn of a face. */
function turned(facelets: string, face: Face): string {
  const [x, y, z] = AXES[face];
  const after = [...facelets];
  for (const [place, [a, b, c]] of POINTS.entries()) {
    const height = a * x + b * y + c * z;
    if (height < 1) continue;
    const to = [b * z - c * y + height * x, c * x - a * z + height * y, a * y - b * x + height * z];
    after[PLACES.get(to.map((part) => part + 0).join())!] = facelets[place]!;
  }
  return after.join("");
}

/** Returns the facelets of a cube after these turns of faces. */
export const scrambled = (moves: string[], before = SOLVED): string =>
  moves.reduce((facelets, move) => {
    const quarters = { "": 1, "2": 2, "'": 3 }[move.slice(1)]!;
    return Array(quarters).fill(move[0]).reduce(turned, facelets);
  }, before);
