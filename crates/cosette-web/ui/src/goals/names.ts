// The goals that have names, as cubers group them. Names, places and what is asked are copied from `names.rs` of the library; a test
// compares the two.

import type { View } from "../cube/drawing";

/** A goal with a name. */
export interface Named {
  name: string;
  /** The faces of its usual place; empty if it has no other. */
  place: string;
  /** The pieces and what is asked of them at that place, in the language of goals. */
  asked: string;
  /** What it is at that place. */
  meaning: string;
  /** How it is called on its picture. */
  title: string;
  /** How it is called in a sentence. */
  words: string;
  /** Another place where the picture shows more of it. */
  seen?: string;
  /** From which side the picture shows it, if not from above. */
  view?: View;
}

/** Goals of one kind. */
interface Group {
  title: string;
  goals: Named[];
}

const CROSS = "DF DR DB DL";
const TWO_LAYERS = `${CROSS} FR FL BL BR DFR DLF DBL DRB`;
const LAST = "UF UR UB UL URF UFL ULB UBR";
const WHOLE = "edges corners";

/** The goal that is usual: the whole cube. */
export const SOLVED_GOAL = "solved";

/** All of them. */
export const GROUPS: Group[] = [
  {
    title: "Cross and blocks",
    goals: [
      { name: "cross", place: "D", asked: CROSS, meaning: "the four edges of D", title: "Cross", words: "the cross", view: "below" },
      { name: "xcross", place: "DFR", asked: `${CROSS} DFR FR`, meaning: "the cross on D, the corner DFR and the edge above it", title: "X-cross", words: "the x-cross", view: "below" },
      { name: "2x2x2", place: "DLF", asked: "DL DF FL DLF", meaning: "the corner DLF and the three edges beside it", title: "2×2×2", words: "a 2×2×2 block", seen: "DFR" },
      { name: "2x2x3", place: "DL", asked: "DL DF DB FL BL DLF DBL", meaning: "two 2×2×2 blocks side by side, along DL", title: "2×2×3", words: "a 2×2×3 block", seen: "DR" },
      { name: "1x2x3", place: "DL", asked: "DL FL BL DLF DBL", meaning: "a first block of Roux: on L, beside D", title: "1×2×3", words: "a 1×2×3 block", seen: "DR" },
      { name: "blocks", place: "DL", asked: "DL FL BL DLF DBL DR FR BR DFR DRB", meaning: "a 1×2×3 block on L and one on R, beside D", title: "Two blocks", words: "two 1×2×3 blocks" },
    ],
  },
  {
    title: "Layers",
    goals: [
      { name: "f2l", place: "D", asked: TWO_LAYERS, meaning: "D and the layer above it", title: "F2L", words: "F2L" },
      { name: "f2l-1", place: "DFR", asked: `${CROSS} FL BL BR DLF DBL DRB`, meaning: "F2L but for the corner DFR and the edge above it", title: "F2L−1", words: "F2L but for one slot" },
      { name: "oll", place: "U", asked: `${TWO_LAYERS} oriented(${LAST})`, meaning: "all layers but that of U, and the pieces of U oriented", title: "OLL", words: "the end of OLL" },
      { name: "auf", place: "U", asked: WHOLE, meaning: "the whole cube, but for a turn of U", title: "Up to AUF", words: "the cube but for one turn" },
      { name: "last-layer", place: "U", asked: LAST, meaning: "all pieces of U", title: "Last layer", words: "a last layer" },
    ],
  },
  {
    title: "Steps",
    goals: [
      { name: "eo", place: "FB", asked: "oriented(edges)", meaning: "all edges oriented: no more quarter turns of F and B are needed", title: "EO", words: "EO" },
      { name: "eoline", place: "DF", asked: "oriented(edges) DF DB", meaning: "all edges oriented, and the edges DF and DB", title: "EO line", words: "the EO line", view: "below" },
      { name: "eocross", place: "DF", asked: `oriented(edges) ${CROSS}`, meaning: "all edges oriented, and the cross on D", title: "EO cross", words: "the EO cross", view: "below" },
      { name: "dr", place: "UD", asked: "oriented(edges corners) {FR FL BL BR} {UF UR UB UL DF DR DB DL}", meaning: "the subgroup of U, D and half turns of the others", title: "DR", words: "DR" },
      {
        name: "htr",
        place: "",
        asked: "oriented(edges corners) {UF UB DF DB} {UR UL DR DL} {FR FL BL BR} half-turn-corners",
        meaning: "the subgroup of half turns",
        title: "HTR",
        words: "HTR",
      },
    ],
  },
  {
    title: "Whole cube",
    goals: [
      { name: SOLVED_GOAL, place: "", asked: WHOLE, meaning: "the whole cube", title: "Solved", words: "the solved cube" },
      { name: "corners", place: "", asked: "corners", meaning: "all corners", title: "Corners", words: "all corners" },
      { name: "edges", place: "", asked: "edges", meaning: "all edges", title: "Edges", words: "all edges" },
    ],
  },
];

/** All goals that have names. */
export const NAMED: Named[] = GROUPS.flatMap(({ goals }) => goals);

/** The named goal and the place in a text, if it is no more than these; the solved cube in an empty one. */
export function namedIn(text: string): { goal: Named; place: string } | undefined {
  const [name = "", place = "", ...more] = (text.trim() || SOLVED_GOAL).split(":");
  const goal = NAMED.find((named) => named.name === name.toLowerCase());
  return goal && more.length === 0 ? { goal, place: place.toUpperCase() } : undefined;
}
