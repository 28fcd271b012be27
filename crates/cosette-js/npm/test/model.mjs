// The obvious model of the cube: 54 facelets in space, and turns that rotate those of a layer, or of two.

const AXES = { R: [0, 1], L: [0, -1], U: [1, 1], D: [1, -1], F: [2, 1], B: [2, -1] };

/** The axis and the side whose turn each move follows, and the layers that it turns. */
const MOVES = { M: [0, -1, [0]], E: [1, -1, [0]], S: [2, 1, [0]] };
for (const [face, [axis, side]] of Object.entries(AXES)) {
  MOVES[face] = [axis, side, [side]];
  MOVES[face.toLowerCase()] = [axis, side, [0, side]];
}

/** The facelets of the solved cube: where each is, which way it faces, and its color. */
function solved() {
  const facelets = [];
  for (const [color, [axis, side]] of Object.entries(AXES)) {
    for (const a of [-1, 0, 1]) {
      for (const b of [-1, 0, 1]) {
        const at = [a, b];
        at.splice(axis, 0, side);
        const normal = [0, 0, 0];
        normal[axis] = side;
        facelets.push({ at, normal, color });
      }
    }
  }
  return facelets;
}

/** A quarter turn about an axis, clockwise as seen from its positive end. */
function rotate(vector, axis) {
  const [next, last] = [(axis + 1) % 3, (axis + 2) % 3];
  const turned = [...vector];
  turned[next] = vector[last];
  turned[last] = -vector[next];
  return turned;
}

/** Whether moves lead from the solved cube back to it, however it is held then. */
export function solves(...sequences) {
  let facelets = solved();
  for (const move of sequences.join(" ").split(/\s+/).filter(Boolean)) {
    const [axis, side, layers] = MOVES[move[0]];
    const quarters = { "": 1, 2: 2, "'": 3 }[move.slice(1)];
    for (let quarter = 0; quarter < (side === 1 ? quarters : 4 - quarters); quarter++) {
      facelets = facelets.map((facelet) =>
        layers.includes(facelet.at[axis])
          ? { ...facelet, at: rotate(facelet.at, axis), normal: rotate(facelet.normal, axis) }
          : facelet,
      );
    }
  }
  // Each face has one color.
  const faces = new Map();
  return facelets.every(({ normal, color }) => {
    const face = String(normal.map((n) => n || 0));
    if (!faces.has(face)) faces.set(face, color);
    return faces.get(face) === color;
  });
}
