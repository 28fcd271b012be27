// The glossary for beginners in fewest moves: a few sentences for each term, and a picture.

import type { Facelet } from "../cube/colors";
import { svg } from "../cube/drawing";
import { h, prose } from "../dom";
import { ONE_COLUMN } from "../breakpoints";

/** An entry: the question, its answer, example cubes with their marked facelets, and captions. */
interface GlossaryEntry {
  /** The key of the entry: a step, or a mode of the search form. */
  about: string;
  question: string;
  answer: string;
  cubes: [facelets: string, marked: number[]][];
  caption: string;
}

const GLOSSARY: GlossaryEntry[] = [
  {
    about: "eo",
    question: "What is EO?",
    answer: "An edge is bad if it cannot be solved without quarter turns of F or B. With EO (edge orientation) none is bad, and from then on these two faces need only half turns; the same can be done along the other axes.",
    // R U2 F R F2 L U' B'
    cubes: [["ULRUURBBDFDUDRBDRRLLRFFFUFFBLLBDULLDLFDDLRFRRFDBUBBBUU", [1, 5, 10, 12, 23, 25]]],
    caption: "The bad edges that are seen are marked.",
  },
  {
    about: "dr",
    question: "What is DR?",
    answer: "With DR (domino reduction) the top and the bottom have only their own two colors, and the four edges between them are in the middle layer. From then on only the top and the bottom need quarter turns, as on a flat cube of 3×3×2.",
    // R2 U F2 U' L2 D B2 U R2; only the colors of U and D
    cubes: [["DDUUUDUDD............................................", []]],
    caption: "Two colors on top; what is gray does not matter yet.",
  },
  {
    about: "htr",
    question: "What is HTR?",
    answer: "With HTR (half-turn reduction) half turns are enough for all that is left. Every face then shows only its own and the opposite color. (Not every such cube is in HTR: some corner cases remain.)",
    // R2 U2 F2 L2 D2 B2 U2 F2 R2
    cubes: [["DDDUUDUDULRRRRLLLRBBBFFBBBBDUDUDDUUULLRRLLLRRFFFBBFFFF", []]],
    caption: "Two colors on each face; half turns do the rest.",
  },
  {
    about: "niss",
    question: "What is NISS?",
    answer: "What solves the inverse of a scramble, done backwards, solves the scramble; so each step may be made on the scramble or on its inverse (NISS), where it may be shorter. Moves on the inverse stand in parentheses, and at the end they are turned round and put after the others.",
    // R U F and F' U' R'
    cubes: [
      ["UUUUUULLDFBBFRRFRRFFRFFRDDRRRUDDBDDBFFDLLDLLBLLLUBBUBB", []],
      ["UUBUUBUUDFRRFRRFDDLLRFFRFFRLLUDDFDDFBBBLLULLUDRRDBBLBB", []],
    ],
    caption: "After R U F, and its inverse: after F' U' R'.",
  },
  {
    about: "insertions",
    question: "What is an insertion?",
    answer: "A solution may be left with three corners to go, which a sequence of eight moves or so puts right. If that is done somewhere among the moves instead of at the end, some of them cancel with those beside them.",
    // R' D' R U R' D R U'
    cubes: [["UUUUUUUURDRFRRRURRFFFFFFFFRDDBDDDDDDLLLLLLLLLRBBBBBBBB", [2, 8, 9, 11, 15, 20, 26, 29, 45]]],
    caption: "Three corners are left.",
  },
  {
    about: "skeletons",
    question: "How to read a skeleton",
    answer:
      "FB, RL and UD are the axes: front and back, right and left, top and bottom. A skeleton is a solution in steps, or the start of one. `5c3e` are five bad corners and three bad edges. `(6/10)` are six moves of a step, ten by then; with `(12-1/32)` one of twelve has cancelled. Square brackets hold the moves of an insertion, parentheses those on the inverse.",
    cubes: [],
    caption: "",
  },
];

/** The glossary, unfolded on large screens until there is an attempt. */
export class Glossary {
  private readonly entries = GLOSSARY.map(explained);
  private from: HTMLElement | undefined;
  readonly element = h("section", { class: "card help", "aria-label": "Glossary", onkeydown: (event: KeyboardEvent) => event.key === "Escape" && this.close() }, h("h2", {}, "Glossary"), h("div", { class: "words" }, ...this.entries));

  /** Folds all entries. */
  fold(): void {
    for (const entry of this.entries) entry.open = false;
  }

  /** Opens an entry and focuses it; Escape returns. */
  open(about: string): void {
    this.fold();
    this.from = document.activeElement as HTMLElement;
    // All other terms are in the last entry.
    const entry = this.entries[GLOSSARY.findIndex((entry) => entry.about === about)] ?? this.entries.at(-1)!;
    entry.open = true;
    this.element.scrollIntoView();
    entry.querySelector("summary")!.focus();
  }

  private close(): void {
    this.fold();
    this.from?.focus();
    this.from = undefined;
  }
}

function explained({ question, answer, cubes, caption }: GlossaryEntry): HTMLDetailsElement {
  const look = (facelet: Facelet): { fill: string } => ({ fill: facelet === "." ? "var(--unpainted)" : `var(--${facelet})` });
  const pictures = cubes.map(([facelets, marked]) => {
    const shown = h("span", { class: "drawn", "aria-hidden": true });
    shown.innerHTML = svg(facelets, look, marked);
    return shown;
  });
  return h("details", { class: "word", open: !ONE_COLUMN.matches }, h("summary", {}, question), pictures.length > 0 && h("figure", {}, h("div", { class: "cubes" }, ...pictures), h("figcaption", { class: "label" }, caption)), h("p", {}, ...prose(answer)));
}

/** Returns the content shown before there is an attempt. */
export function welcome(): HTMLElement {
  return h(
    "section",
    { class: "card welcome-fmc", "aria-label": "Fewest moves" },
    h("p", { class: "lead" }, "One scramble, an hour, and the shortest solution you can find."),
    h(
      "ol",
      { class: "getting-started" },
      h("li", {}, h("strong", {}, "Enter a scramble."), " Each step that you find or type grows a tree from it."),
      h("li", {}, h("strong", {}, "Find the next step."), " All its solutions up to a number of moves are listed; a click adds one."),
      h("li", {}, h("strong", {}, "Compare."), " Each step shows its total of moves and the bad pieces."),
      h("li", {}, h("strong", {}, "Hand it in."), " The write-up is as competitors write it, to paste, to print, or to send as a link."),
    ),
  );
}
