// Moves in words, for those who do not read the notation.

/** The sides, by the letter of their turns. */
const SIDES: Record<string, string> = {
  U: "top",
  R: "right",
  F: "front",
  D: "bottom",
  L: "left",
  B: "back",
};

/** The directions from which hidden sides turn clockwise. */
const SEEN_FROM: Record<string, string> = { D: "below", L: "the left", B: "behind" };

/** The slices, with the directions of their quarter turns as seen from the front. */
const SLICES: Record<string, [name: string, forth: string, back: string]> = {
  M: ["middle slice", "down", "up"],
  E: ["equator slice", "to the right", "to the left"],
  S: ["standing slice", "clockwise", "counterclockwise"],
};

/** The faces that turn like the whole cube in a rotation. */
const ROTATIONS: Record<string, string> = { x: "R", y: "U", z: "F" };

/** Describes a move, as in "right side counterclockwise"; empty for an unknown one. */
export function wordsOf(move: string): string {
  const [, letter = "", wide, amount = ""] = /^([A-Za-z])(w?)(2|'|)'?$/.exec(move) ?? [];
  const turned = (forth: string, back: string): string =>
    amount === "2" ? "half turn" : amount === "'" ? back : forth;
  const face = ROTATIONS[letter];
  if (face) return `whole cube like ${face}${amount.replace("'", "′")}`;
  const slice = SLICES[letter];
  if (slice) return `${slice[0]} ${turned(slice[1], slice[2])}`;
  const side = SIDES[letter.toUpperCase()];
  if (!side) return "";
  const direction = turned("clockwise", "counterclockwise");
  if (wide || letter !== letter.toUpperCase()) return `two ${side} layers ${direction}`;
  const from = amount === "2" ? undefined : SEEN_FROM[letter];
  return `${side} side ${direction}${from ? `, seen from ${from}` : ""}`;
}
