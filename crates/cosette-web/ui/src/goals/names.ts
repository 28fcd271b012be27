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
  /** Its name in descriptions and results, if that is not the title. */
  words?: string;
  /** The place of a variant in results, with the colors of its faces in order as $1, $2 and $3. */
  place?: string;
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
      {
        name: "cross",
        defaultVariant: "D",
        definition: CROSS,
        description: "the four edges of D",
        title: "Cross",
        words: "cross",
        place: "on $1",
        view: "below",
      },
      {
        name: "xcross",
        defaultVariant: "DFR",
        definition: `${CROSS} DFR FR`,
        description: "the cross on D, the corner DFR and the edge above it",
        title: "X-cross",
        words: "x-cross",
        place: "on $1, $2–$3 pair",
        view: "below",
      },
      {
        name: "2x2x2",
        defaultVariant: "DLF",
        definition: "DL DF FL DLF",
        description: "the corner DLF and the three edges next to it",
        title: "2×2×2",
        words: "2×2×2 block",
        place: "at the $1–$2–$3 corner",
        shownVariant: "DFR",
      },
      {
        name: "2x2x3",
        defaultVariant: "DL",
        definition: "DL DF DB FL BL DLF DBL",
        description: "the 2×2×3 block along DL: everything around the edge DL",
        title: "2×2×3",
        words: "2×2×3 block",
        place: "along $1–$2",
        shownVariant: "DR",
      },
      {
        name: "1x2x3",
        defaultVariant: "DL",
        definition: "DL FL BL DLF DBL",
        description: "the first block of Roux: on L, next to D",
        title: "1×2×3",
        words: "1×2×3 block",
        place: "on $2, next to $1",
        shownVariant: "DR",
      },
      {
        name: "blocks",
        defaultVariant: "DL",
        definition: "DL FL BL DLF DBL DR FR BR DFR DRB",
        description: "a 1×2×3 block on L and one on R, next to D",
        title: "Two blocks",
        words: "two 1×2×3 blocks",
        place: "on $2 and opposite, next to $1",
      },
    ],
  },
  {
    title: "Layers",
    goals: [
      {
        name: "f2l",
        defaultVariant: "D",
        definition: TWO_LAYERS,
        description: "D and the layer above it",
        title: "F2L",
        place: "on $1",
      },
      {
        name: "f2l-1",
        defaultVariant: "DFR",
        definition: `${CROSS} FL BL BR DLF DBL DRB`,
        description: "F2L except the corner DFR and the edge above it",
        title: "F2L-1",
        place: "on $1, without the $2–$3 pair",
      },
      {
        name: "oll",
        defaultVariant: "U",
        definition: `${TWO_LAYERS} oriented(${LAST})`,
        description: "the first two layers, and the pieces of U oriented",
        title: "OLL",
        place: "on $1",
      },
      {
        name: "auf",
        defaultVariant: "U",
        definition: WHOLE,
        description: "the whole cube up to a turn of U",
        title: "Solved up to AUF",
        words: "solved up to AUF",
        place: "on $1",
      },
      {
        name: "layer",
        defaultVariant: "U",
        definition: LAST,
        description: "the eight pieces of the U layer",
        title: "One layer",
        words: "one layer",
        place: "on $1",
      },
    ],
  },
  {
    title: "Steps",
    goals: [
      {
        name: "eo",
        defaultVariant: "FB",
        definition: "oriented(edges)",
        description: "all edges oriented: F and B need no more quarter turns",
        title: "EO",
        place: "on the $1–$2 axis",
      },
      {
        name: "eoline",
        defaultVariant: "DF",
        definition: "oriented(edges) DF DB",
        description: "all edges oriented, and the edges DF and DB",
        title: "EOLine",
        place: "on $1, line towards $2",
        view: "below",
      },
      {
        name: "eocross",
        defaultVariant: "DF",
        definition: `oriented(edges) ${CROSS}`,
        description: "all edges oriented, and the cross on D",
        title: "EOCross",
        place: "on $1, EO on the $2 axis",
        view: "below",
      },
      {
        name: "dr",
        defaultVariant: "UD",
        definition: "oriented(edges corners) {FR FL BL BR} {UF UR UB UL DF DR DB DL}",
        description: "the subgroup generated by U, D and half turns of the other faces",
        title: "DR",
        place: "on the $1–$2 axis",
      },
      {
        name: "htr",
        defaultVariant: "",
        definition: "oriented(edges corners) {UF UB DF DB} {UR UL DR DL} {FR FL BL BR}",
        description: "the subgroup generated by half turns",
        title: "HTR",
      },
    ],
  },
  {
    title: "Whole cube",
    goals: [
      {
        name: SOLVED_GOAL,
        defaultVariant: "",
        definition: WHOLE,
        description: "the whole cube",
        title: "Solved",
      },
      {
        name: "corners",
        defaultVariant: "",
        definition: "corners",
        description: "all corners",
        title: "Corners",
        words: "all corners",
      },
      {
        name: "edges",
        defaultVariant: "",
        definition: "edges",
        description: "all edges",
        title: "Edges",
        words: "all edges",
      },
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
