// Pictures of goals: the facelets that a goal fixes, in each of its variants. A variant is the
// image of the default one under a rotation of the cube, and a rotation acts on names: if D is
// carried to F and F to U, the edge DF is carried to FU.

import { heldWith } from "../cube/appearance";
import { FACES, OPPOSITE, type Face } from "../cube/colors";
import type { NamedGoal } from "./names";

/** A facelet of a picture that may have one of several colors. */
export const ORIENTED = "●";

/** The faces around each face: above its first row, right of it, below it, left of it. */
const AROUND: Record<Face, string> = {
  U: "BRFL",
  R: "UBDF",
  F: "URDL",
  D: "FRBL",
  L: "UFDB",
  B: "ULDR",
};

const EDGES = "UF UR UB UL DF DR DB DL FR FL BL BR".split(" ");
const CORNERS = "URF UFL ULB UBR DFR DLF DBL DRB".split(" ");

/** The image of each face under a rotation. */
type Rotation = Record<Face, Face>;

/**
 * The 24 rotations of the cube, by the faces up and in front, in the order of the library, so that
 * variants get the same names.
 */
const ROTATIONS: Rotation[] =
  "UF DF DB UB RU LU LD RD FR BR BL FL DR UR UL DL BU FU FD BD LF RF RB LB"
    .split(" ")
    .map(([up, front]) => heldWith(up as Face, front as Face));

const carried = (name: string, rotation: Rotation): string =>
  name.replace(/[URFDLB]/g, (face) => rotation[face as Face]);

/** Returns the facelet index on a face of a piece in its slot. */
export function faceletIndex(face: Face, piece: string): number {
  const [above, right, below, left] = [...AROUND[face]].map((beside) => piece.includes(beside));
  const row = above ? 0 : below ? 2 : 1;
  const column = left ? 0 : right ? 2 : 1;
  return 9 * FACES.indexOf(face) + 3 * row + column;
}

/** Goals whose pictures are not given by pieces in their slots. */
export const SPECIAL: Record<string, (number: number, face: Face) => string> = {
  // Each facelet may be on the opposite face.
  htr: (number, face) => (number % 2 ? OPPOSITE[face] : face),
  // The U layer is turned.
  auf: (number, face) =>
    number < 3 ? carried(face, { U: "U", R: "B", F: "R", D: "D", L: "F", B: "L" }) : face,
};

/** Returns the 54 facelets, with a dot where any color is allowed. */
function drawnAs({ name, definition }: NamedGoal, rotation: Rotation): string {
  const special = SPECIAL[name];
  if (special)
    return FACES.map((face) =>
      Array.from({ length: 9 }, (_, number) => special(number, face)).join(""),
    ).join("");
  const facelets = Array.from({ length: 54 }, (_, index): string =>
    index % 9 === 4 ? FACES[(index - 4) / 9]! : ".",
  );
  const first = carried("UD", rotation);
  const second = carried("FB", rotation);
  /** Returns the facelet that shows the orientation of the piece. */
  const foremost = (piece: string): Face =>
    ([...piece].find((face) => first.includes(face)) ??
      [...piece].find((face) => second.includes(face))) as Face;
  const piecesOf = (words: string): string[] =>
    words
      .split(" ")
      .flatMap((word) =>
        word === "edges"
          ? EDGES
          : word === "corners"
            ? CORNERS
            : /^[URFDLB]+$/.test(word)
              ? [carried(word, rotation)]
              : [],
      );
  for (const [, oriented, piece] of definition.matchAll(/oriented\(([^)]*)\)|\{[^}]*\}|(\S+)/g)) {
    // Oriented pieces are drawn in their layer, where they show its color.
    for (const each of piecesOf(oriented ?? ""))
      facelets[faceletIndex(foremost(each), each)] = /edges|corners/.test(oriented!)
        ? ORIENTED
        : foremost(each);
    for (const each of piecesOf(piece ?? ""))
      for (const face of each as Iterable<Face>) facelets[faceletIndex(face, each)] = face;
  }
  return facelets.join("");
}

/** A variant of a goal: its names, the library's name first, and its 54 facelets. */
interface GoalVariant {
  names: string[];
  facelets: string;
}

/** Returns the variants of a goal, the default one first. */
export function variantsOf(goal: NamedGoal): GoalVariant[] {
  const variants: GoalVariant[] = [];
  for (const rotation of ROTATIONS) {
    const name = carried(goal.defaultVariant, rotation);
    const facelets = goal.name === "auf" ? name : drawnAs(goal, rotation);
    const known = variants.find(
      (variant) => variant.facelets === facelets || variant.names.includes(name),
    );
    if (known) known.names.push(name);
    else variants.push({ names: [name], facelets });
  }
  return variants;
}

const letters = (name: string): string => [...name].sort().join("");

/**
 * Returns the variant with a name, with the rules of the library: its name, its letters in another
 * order, or a prefix; undefined if there are several.
 */
export function variantNamed({
  goal,
  variant,
}: {
  goal: NamedGoal;
  variant: string;
}): GoalVariant | undefined {
  const isAlike = (name: string): boolean => letters(name) === letters(variant);
  const rules = [
    (name: string) => name === variant,
    (name: string) => isAlike(name) && name[0] === variant[0],
    isAlike,
    (name: string) => name.startsWith(variant),
  ];
  const variants = variantsOf(goal);
  const found = rules
    .map((isMeant) => variants.filter(({ names }) => names.some(isMeant)))
    .find(({ length }) => length > 0);
  return found?.length === 1 ? found[0] : undefined;
}

/**
 * Returns `true` if a goal has a variant, given by a prefix of its name or by its letters in any
 * order; every goal has the unnamed one.
 */
export function hasVariant({ goal, variant }: { goal: NamedGoal; variant: string }): boolean {
  const names = ROTATIONS.map((rotation) => carried(goal.defaultVariant, rotation));
  return (
    variant === "" ||
    names.some((name) => name.startsWith(variant) || letters(name) === letters(variant))
  );
}

/**
 * Returns the 54 facelets of a variant of a goal; those of the default one if there is no such
 * variant.
 */
export function pictureOf(goal: NamedGoal, variant: string): string {
  const rotation = ROTATIONS.find((rotation) => carried(goal.defaultVariant, rotation) === variant);
  return drawnAs(goal, rotation ?? ROTATIONS[0]!);
}
