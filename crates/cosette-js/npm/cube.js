// The cube that the element shows: its facelets in space, and moves. Coordinates are x to the
// right, y up and z to the front, in widths of a piece.

/** The faces in the order of facelet strings, with the directions of their columns and rows. */
const FACES = [
  { normal: [0, 1, 0], column: [1, 0, 0], row: [0, 0, 1] },
  { normal: [1, 0, 0], column: [0, 0, -1], row: [0, -1, 0] },
  { normal: [0, 0, 1], column: [1, 0, 0], row: [0, -1, 0] },
  { normal: [0, -1, 0], column: [1, 0, 0], row: [0, 0, -1] },
  { normal: [-1, 0, 0], column: [0, 0, 1], row: [0, -1, 0] },
  { normal: [0, 0, -1], column: [-1, 0, 0], row: [0, -1, 0] },
];

/** The 54 facelets: the center of their piece, and the direction in which they face. */
export const FACELETS = FACES.flatMap(({ normal, column, row }) =>
  Array.from({ length: 9 }, (_, number) => {
    const right = (number % 3) - 1;
    const down = Math.floor(number / 3) - 1;
    const piece = normal.map((part, axis) => part + right * column[axis] + down * row[axis]);
    return { piece, normal };
  }),
);

/** The solved cube as a facelet string. */
export const SOLVED = [..."URFDLB"].map((face) => face.repeat(9)).join("");

const INDEX = new Map(FACELETS.map(({ piece, normal }, index) => [`${piece} ${normal}`, index]));

/** The axis of each letter, and the end of it from which its moves are clockwise. */
const AXES = {
  R: [0, 1],
  U: [1, 1],
  F: [2, 1],
  L: [0, -1],
  D: [1, -1],
  B: [2, -1],
  M: [0, -1],
  E: [1, -1],
  S: [2, 1],
  x: [0, 1],
  y: [1, 1],
  z: [2, 1],
};

const MOVE = /^(?:([URFDLB])(w?)|([urfdlb])|([MES])|([xyz]))([123]?)('?)$/;

/** Rotates a vector about an axis, counterclockwise as seen from its positive end. */
export function rotate(vector, axis, angle) {
  const [second, third] = [(axis + 1) % 3, (axis + 2) % 3];
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  const rotated = [...vector];
  rotated[second] = cosine * vector[second] - sine * vector[third];
  rotated[third] = sine * vector[second] + cosine * vector[third];
  return rotated;
}

/** Parses a move, such as `R2`, `r`, `Rw'`, `M` or `x`; returns null for any other text. */
function parseMove(text) {
  const [isMove, face, w, small, slice, rotation, number, prime] = MOVE.exec(text) ?? [];
  if (isMove === undefined) return null;
  const [axis, side] = AXES[face ?? small?.toUpperCase() ?? slice ?? rotation];
  let layers = [side];
  if (w || small) layers = [side, 0];
  if (slice) layers = [0];
  if (rotation) layers = [1, 0, -1];
  const turns = number === "3" ? -1 : Number(number || 1);
  const quarters = -side * turns * (prime ? -1 : 1);
  // A slice counts as two turns of faces, a rotation as none.
  return { text, axis, layers, quarters, length: slice ? 2 : rotation ? 0 : 1 };
}

/** Parses moves with spaces between them; returns null if any of it is not a move. */
export function parseMoves(text) {
  const words = text.replace(/[’′]/g, "'").split(/\s+/).filter(Boolean);
  const moves = words.map(parseMove);
  return moves.includes(null) ? null : moves;
}

/** Applies a move to a facelet string. */
export function apply(facelets, { axis, layers, quarters }) {
  const angle = (quarters * Math.PI) / 2;
  const rotated = (vector) => rotate(vector, axis, angle).map(Math.round);
  const moved = [...facelets];
  for (const [index, { piece, normal }] of FACELETS.entries()) {
    if (!layers.includes(piece[axis])) continue;
    moved[INDEX.get(`${rotated(piece)} ${rotated(normal)}`)] = facelets[index];
  }
  return moved.join("");
}

/** Returns `true` if each face has one color. */
export function isSolved(facelets) {
  return /^(.)\1{8}(.)\2{8}(.)\3{8}(.)\4{8}(.)\5{8}(.)\6{8}$/.test(facelets);
}
