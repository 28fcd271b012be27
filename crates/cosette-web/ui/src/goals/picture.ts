// What a goal looks like: the facelets that it fixes, at each of its places. A place is the usual one as a rotation of the cube carries
// it, and a rotation acts on names: with D carried to F and F to U, the edge DF is carried to FU.

import { heldWith } from "../cube/appearance";
import { FACES, OPPOSITE, type Face } from "../cube/colours";
import type { Named } from "./names";

/** In a picture: a facelet that may have one of several colours. */
export const ORIENTED = "●";

/** The faces around each face: above its first row, right of it, below it, left of it. */
const AROUND: Record<Face, string> = { U: "BRFL", R: "UBDF", F: "URDL", D: "FRBL", L: "UFDB", B: "ULDR" };

const EDGES = "UF UR UB UL DF DR DB DL FR FL BL BR".split(" ");
const CORNERS = "URF UFL ULB UBR DFR DLF DBL DRB".split(" ");

/** Where each face is carried. */
type Rotation = Record<Face, Face>;

/** The 24 rotations of the cube, by what is up and in front: in the order of the library, so that places have the names that it gives them. */
const ROTATIONS: Rotation[] = "UF DF DB UB RU LU LD RD FR BR BL FL DR UR UL DL BU FU FD BD LF RF RB LB"
  .split(" ")
  .map(([up, front]) => heldWith(up as Face, front as Face));

const carried = (name: string, rotation: Rotation): string => name.replace(/[URFDLB]/g, (face) => rotation[face as Face]);

/** The number of the facelet that a piece in its slot has on a face. */
function placeOf(face: Face, piece: string): number {
  const [above, right, below, left] = [...AROUND[face]].map((beside) => piece.includes(beside));
  const row = above ? 0 : below ? 2 : 1;
  const column = left ? 0 : right ? 2 : 1;
  return 9 * FACES.indexOf(face) + 3 * row + column;
}

/** Those whose facelets are not those of pieces in their slots. */
export const SPECIAL: Record<string, (number: number, face: Face) => string> = {
  // Each facelet may be on the face opposite to its own.
  htr: (number, face) => (number % 2 ? OPPOSITE[face] : face),
  // With U turned.
  auf: (number, face) => (number < 3 ? carried(face, { U: "U", R: "B", F: "R", D: "D", L: "F", B: "L" }) : face),
};

/** The 54 facelets; a dot where any colour may be. */
function drawnAs({ name, asked }: Named, rotation: Rotation): string {
  const special = SPECIAL[name];
  if (special) return FACES.map((face) => Array.from({ length: 9 }, (_, number) => special(number, face)).join("")).join("");
  const facelets = Array.from({ length: 54 }, (_, place): string => (place % 9 === 4 ? FACES[(place - 4) / 9]! : "."));
  const [first, second] = ["UD", "FB"].map((faces) => carried(faces, rotation)) as [string, string];
  /** The facelet by which a piece is seen to be oriented. */
  const foremost = (piece: string): Face => ([...piece].find((face) => first.includes(face)) ?? [...piece].find((face) => second.includes(face))) as Face;
  const piecesOf = (words: string): string[] => words.split(" ").flatMap((word) => (word === "edges" ? EDGES : word === "corners" ? CORNERS : /^[URFDLB]+$/.test(word) ? [carried(word, rotation)] : []));
  for (const [, oriented, piece] of asked.matchAll(/oriented\(([^)]*)\)|\{[^}]*\}|(\S+)/g)) {
    // Who says which pieces are oriented has them in their layer, where they show its colour.
    for (const each of piecesOf(oriented ?? "")) facelets[placeOf(foremost(each), each)] = /edges|corners/.test(oriented!) ? ORIENTED : foremost(each);
    for (const each of piecesOf(piece ?? "")) for (const face of each as Iterable<Face>) facelets[placeOf(face, each)] = face;
  }
  return facelets.join("");
}

/** A place of a goal: its names, that of the library first, and its 54 facelets. */
interface Place {
  names: string[];
  facelets: string;
}

/** The places of a goal, the usual one first. */
export function placesOf(goal: Named): Place[] {
  const places: Place[] = [];
  for (const rotation of ROTATIONS) {
    const name = carried(goal.place, rotation);
    const facelets = goal.name === "auf" ? name : drawnAs(goal, rotation);
    const known = places.find((place) => place.facelets === facelets || place.names.includes(name));
    if (known) known.names.push(name);
    else places.push({ names: [name], facelets });
  }
  return places;
}

const letters = (name: string): string => [...name].sort().join("");

/** The place that is meant, as the library reads it: by its name, its letters in another order, or its beginning; none if there are several. */
export function placeNamed({ goal, place }: { goal: Named; place: string }): Place | undefined {
  const isAlike = (name: string): boolean => letters(name) === letters(place);
  const ways = [(name: string) => name === place, (name: string) => isAlike(name) && name[0] === place[0], isAlike, (name: string) => name.startsWith(place)];
  const places = placesOf(goal);
  const found = ways.map((isMeant) => places.filter(({ names }) => names.some(isMeant))).find(({ length }) => length > 0);
  return found?.length === 1 ? found[0] : undefined;
}

/** Whether a goal has a place, by the beginning of its name or by its letters in any order; each has the one without a name. */
export function hasPlace({ goal, place }: { goal: Named; place: string }): boolean {
  const names = ROTATIONS.map((rotation) => carried(goal.place, rotation));
  return place === "" || names.some((name) => name.startsWith(place) || letters(name) === letters(place));
}

/** The 54 facelets of a goal at a place; the usual one if it has no such place. */
export function pictureOf(goal: Named, place: string): string {
  const rotation = ROTATIONS.find((rotation) => carried(goal.place, rotation) === place);
  return drawnAs(goal, rotation ?? ROTATIONS[0]!);
}
