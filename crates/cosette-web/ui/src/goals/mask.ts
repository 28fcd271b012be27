// The facelets that a goal fixes, as a mask of the 3D cube: the others are gray.

import { FACES, SOLVED, isPainted, type Face } from "../cube/colors";
import { asHeld } from "../solve/notation";
import { namedIn } from "./names";
import { ORIENTED, SPECIAL, faceletIndex, variantNamed } from "./picture";

/** The look of a facelet: with its color, gray, or as one that has several colors to choose from. */
type Look = "regular" | "ignored" | "oriented";

/** A mask of the twisty player: the looks of the facelets of each piece. */
export interface Mask {
  orbits: Record<string, { pieces: { facelets: Look[] }[] }>;
}

/** The edges and corners in the order of the twisty player, each with its facelets in order. */
const PIECES = {
  EDGES: "UF UR UB UL DF DR DB DL FR FL BR BL",
  CORNERS: "UFR URB UBL ULF DRF DFL DLB DBR",
};

/** The looks of the facelets that have no certain color. */
const LOOKS: Record<string, Look> = { ".": "ignored", [ORIENTED]: "oriented" };

/**
 * Returns the mask for a goal that is reached in these variants, separated by spaces, on a cube that
 * is held after these rotations; undefined if the goal fixes all facelets, or none for certain.
 */
export function maskOf(goal: string, variants: string, rotations: string): Mask | undefined {
  const facelets = fixedBy(goal, variants);
  if (facelets === undefined) return undefined;
  const faceOf = new Map(FACES.map((face) => [asHeld(face, rotations), face]));
  const orbit = (names: string) => ({
    pieces: names.split(" ").map((name) => {
      const slot = [...name].map((color) => faceOf.get(color)!);
      const lookOf = (face: Face): Look =>
        LOOKS[facelets[faceletIndex(face, slot.join(""))]!] ?? "regular";
      return { facelets: slot.map(lookOf) };
    }),
  });
  return {
    orbits: Object.fromEntries(
      Object.entries(PIECES).map(([name, pieces]) => [name, orbit(pieces)]),
    ),
  };
}

/** Returns the facelets that a goal fixes on the solved cube, with a dot for the others. */
function fixedBy(text: string, variants: string): string | undefined {
  if (isPainted(text)) {
    const isSolved = [...text].every((facelet, at) => facelet === "." || facelet === SOLVED[at]);
    return isSolved ? text : undefined;
  }
  const goal = namedIn(text)?.goal;
  if (!goal || goal.name in SPECIAL) return undefined;
  const reached = variants
    .split(" ")
    .map((variant) => variantNamed({ goal, variant })?.facelets ?? "")
    .filter((facelets) => facelets !== "");
  if (reached.length === 0) return undefined;
  return Array.from(
    SOLVED,
    (_, at) => reached.find((facelets) => facelets[at] !== ".")?.[at] ?? ".",
  ).join("");
}
