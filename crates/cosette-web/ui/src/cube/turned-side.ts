// A painted cube with one side turned as a whole, as when a photograph of it is copied sideways.

import { FACES, type Face } from "./colors";

/** Turns of a side: a clockwise quarter turn, two and three of them. */
const TURNS = ["clockwise", "by 180°", "counterclockwise"] as const;

/** A side, the turn that corrects it, and the facelets after that turn. */
export interface TurnedSide {
  face: Face;
  turn: (typeof TURNS)[number];
  facelets: string;
}

/** The facelets of a side, in their order after a clockwise turn. */
const CLOCKWISE = [6, 3, 0, 7, 4, 1, 8, 5, 2];

/** Returns the different cubes that the turn of one side produces. */
function cubesWithTurnedSide(facelets: string): TurnedSide[] {
  const cubes = new Map<string, TurnedSide>();
  for (const [number, face] of FACES.entries()) {
    const begin = 9 * number;
    const end = begin + 9;
    let side = [...facelets.slice(begin, end)];
    for (const turn of TURNS) {
      side = CLOCKWISE.map((place) => side[place]!);
      const turned = facelets.slice(0, begin) + side.join("") + facelets.slice(end);
      if (!cubes.has(turned)) cubes.set(turned, { face, turn, facelets: turned });
    }
  }
  cubes.delete(facelets);
  return [...cubes.values()];
}

/** Returns the turned side of an impossible cube, if one turn of one side alone makes it possible. */
export async function turnedSideOf(
  facelets: string,
  isPossible: (facelets: string) => Promise<boolean>,
): Promise<TurnedSide | undefined> {
  const cubes = cubesWithTurnedSide(facelets);
  const arePossible = await Promise.all(cubes.map((cube) => isPossible(cube.facelets)));
  const possible = cubes.filter((_, index) => arePossible[index]);
  return possible.length === 1 ? possible[0] : undefined;
}
