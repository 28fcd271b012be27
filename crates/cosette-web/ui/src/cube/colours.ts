// The six colours: their faces, names and keys.

/** The letter of a face, which also stands for its colour in facelet strings. */
export type Face = "U" | "R" | "F" | "D" | "L" | "B";
/** The colour of a facelet; a dot if it is not painted. */
export type Facelet = Face | ".";

/** In the order of facelet strings. */
export const FACES: readonly Face[] = ["U", "R", "F", "D", "L", "B"];

/** The names of the faces and of the usual colours. */
export const NAMES: Record<Face, { face: string; colour: string }> = {
  U: { face: "up", colour: "white" },
  R: { face: "right", colour: "red" },
  F: { face: "front", colour: "green" },
  D: { face: "down", colour: "yellow" },
  L: { face: "left", colour: "orange" },
  B: { face: "back", colour: "blue" },
};

/** The colour that a key paints: the letter of its face or the initial of its name. No letter means two colours. */
export function faceOfKey(key: string): Face | undefined {
  const letter = key.toUpperCase();
  return FACES.find((face) => face === letter || NAMES[face].colour[0]!.toUpperCase() === letter);
}

/** The name of a facelet's colour. */
export function colourName(facelet: Facelet): string {
  return facelet === "." ? "not painted" : NAMES[facelet].colour;
}

/** A facelet string in which only the centres are painted. */
export const BLANK = FACES.map((face) => `....${face}....`).join("");
/** The solved cube. */
export const SOLVED = FACES.map((face) => face.repeat(9)).join("");
