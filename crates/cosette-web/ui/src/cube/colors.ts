// Faces and facelets. Their colors are chosen by the user: see appearance.ts.

/** The letter of a face, which also denotes its color in facelet strings. */
export type Face = "U" | "R" | "F" | "D" | "L" | "B";
/** The color of a facelet; a dot if it is not painted. */
export type Facelet = Face | ".";

/** The faces in the order of facelet strings. */
export const FACES: readonly Face[] = ["U", "R", "F", "D", "L", "B"];

/** The names of the faces. */
export const NAMES: Record<Face, string> = {
  U: "up",
  R: "right",
  F: "front",
  D: "down",
  L: "left",
  B: "back",
};

/** First column and row of each face on the unfolded cube. */
export const UNFOLDED: Record<Face, [column: number, row: number]> = {
  U: [3, 0],
  R: [6, 3],
  F: [3, 3],
  D: [3, 6],
  L: [0, 3],
  B: [9, 3],
};

/** The opposite face. */
export const OPPOSITE: Record<Face, Face> = { U: "D", D: "U", R: "L", L: "R", F: "B", B: "F" };

/** A facelet string in which only the centers are painted. */
export const BLANK = FACES.map((face) => `....${face}....`).join("");
/** The solved cube. */
export const SOLVED = FACES.map((face) => face.repeat(9)).join("");

/** Returns `true` if a text is a facelet string. */
export function isPainted(text: string): boolean {
  return /^[URFDLB.]{54}$/.test(text);
}

/** Returns the number of facelets of a color. */
export function countOf(facelet: Facelet, facelets: string): number {
  return facelets.split(facelet).length - 1;
}
