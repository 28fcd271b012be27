// The named goals, as cubers group them. Names, variants and definitions are copied from `names.rs`
// of the library; a test compares the two.

import type { View } from "../cube/drawing";

/** A goal with a name. */
export interface NamedGoal {
  name: string;
  /** Faces of the default variant; empty if there is only one. */
  defaultVariant: string;
  /** The constraints on the pieces in that variant, in the goal syntax. */
  definition: string;
  /** Description of that variant. */
  description: string;
  /** Title of its picture. */
  title: string;
  /** Its name in a sentence. */
  words: string;
  /** Another variant whose picture shows more. */
  shownVariant?: string;
  /** The side from which the picture shows it, if not from above. */
  view?: View;
}

/** Goals of one kind. */
interface Group {
  title: string;
  goals: NamedGoal[];
}

const CROSS = "DF DR DB DL";
const TWO_LAYERS = `${CROSS} FR FL BL BR DFR DLF DBL DRB`;
const LAST = "UF UR UB UL URF UFL ULB UBR";
const WHOLE = "edges corners";

/** The default goal: the whole cube. */
export const SOLVED_GOAL = "solved";

/** All groups. */
export const GROUPS: Group[] = [
  {
    title: "Cross and blocks",
    goals: [
      { name: "cross", defaultVariant: "D", definition: CROSS, description: "the four edges of D", title: "Cross", words: "the cross", view: "below" },
      { name: "xcross", defaultVariant: "DFR", definition: `${CROSS} DFR FR`, description: "the cross on D, the corner DFR and the edge above it", title: "X-cross", words: "the x-cross", view: "below" },
      { name: "2x2x2", defaultVariant: "DLF", definition: "DL DF FL DLF", description: "the corner DLF and the three edges beside it", title: "2×2×2", words: "a 2×2×2 block", shownVariant: "DFR" },
      { name: "2x2x3", defaultVariant: "DL", definition: "DL DF DB FL BL DLF DBL", description: "two 2×2×2 blocks side by side, along DL", title: "2×2×3", words: "a 2×2×3 block", shownVariant: "DR" },
      { name: "1x2x3", defaultVariant: "DL", definition: "DL FL BL DLF DBL", description: "a first block of Roux: on L, beside D", title: "1×2×3", words: "a 1×2×3 block", shownVariant: "DR" },
      { name: "blocks", defaultVariant: "DL", definition: "DL FL BL DLF DBL DR FR BR DFR DRB", description: "a 1×2×3 block on L and one on R, beside D", title: "Two blocks", words: "two 1×2×3 blocks" },
    ],
  },
  {
    title: "Layers",
    goals: [
      { name: "f2l", defaultVariant: "D", definition: TWO_LAYERS, description: "D and the layer above it", title: "F2L", words: "F2L" },
      { name: "f2l-1", defaultVariant: "DFR", definition: `${CROSS} FL BL BR DLF DBL DRB`, description: "F2L but for the corner DFR and the edge above it", title: "F2L-1", words: "F2L but for one slot" },
      { name: "oll", defaultVariant: "U", definition: `${TWO_LAYERS} oriented(${LAST})`, description: "all layers but that of U, and the pieces of U oriented", title: "OLL", words: "the end of OLL" },
      { name: "auf", defaultVariant: "U", definition: WHOLE, description: "the whole cube, but for a turn of U", title: "Solved up to AUF", words: "the cube but for one turn" },
      { name: "last-layer", defaultVariant: "U", definition: LAST, description: "all pieces of U", title: "Last layer", words: "a last layer" },
    ],
  },
  {
    title: "Steps",
    goals: [
      { name: "eo", defaultVariant: "FB", definition: "oriented(edges)", description: "all edges oriented: no more quarter turns of F and B are needed", title: "EO", words: "EO" },
      { name: "eoline", defaultVariant: "DF", definition: "oriented(edges) DF DB", description: "all edges oriented, and the edges DF and DB", title: "EOLine", words: "the EOLine", view: "below" },
      { name: "eocross", defaultVariant: "DF", definition: `oriented(edges) ${CROSS}`, description: "all edges oriented, and the cross on D", title: "EOCross", words: "the EOCross", view: "below" },
      { name: "dr", defaultVariant: "UD", definition: "oriented(edges corners) {FR FL BL BR} {UF UR UB UL DF DR DB DL}", description: "the subgroup of U, D and half turns of the others", title: "DR", words: "DR" },
      {
        name: "htr",
        defaultVariant: "",
        definition: "oriented(edges corners) {UF UB DF DB} {UR UL DR DL} {FR FL BL BR} half-turn-corners",
        description: "the subgroup of half turns",
        title: "HTR",
        words: "HTR",
      },
    ],
  },
  {
    title: "Whole cube",
    goals: [
      { name: SOLVED_GOAL, defaultVariant: "", definition: WHOLE, description: "the whole cube", title: "Solved", words: "the solved cube" },
      { name: "corners", defaultVariant: "", definition: "corners", description: "all corners", title: "Corners", words: "all corners" },
      { name: "edges", defaultVariant: "", definition: "edges", description: "all edges", title: "Edges", words: "all edges" },
    ],
  },
];

/** All named goals. */
export const NAMED_GOALS: NamedGoal[] = GROUPS.flatMap(({ goals }) => goals);

/**
 * Returns the named goal and the variant in a text, if it holds nothing else; the solved cube for
 * an empty text.
 */
export function namedIn(text: string): { goal: NamedGoal; variant: string } | undefined {
  const [name = "", variant = "", ...more] = (text.trim() || SOLVED_GOAL).split(":");
  const goal = NAMED_GOALS.find((named) => named.name === name.toLowerCase());
  return goal && more.length === 0 ? { goal, variant: variant.toUpperCase() } : undefined;
}
