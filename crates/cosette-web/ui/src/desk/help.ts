// What the words mean, for those who have never tried fewest moves: a few sentences each, and a picture.

import type { Facelet } from "../cube/colours";
import { svg } from "../cube/drawing";
import { h, prose } from "../dom";
import { ONE_COLUMN } from "../screen";

/** A word: the question, what it means, cubes to look at, each with the facelets that are marked, and what these show. */
interface Word {
  /** What is found when it is looked up: a step, or a way of finding. */
  about: string;
  question: string;
  answer: string;
  cubes: [facelets: string, marked: number[]][];
  caption: string;
}

const WORDS: Word[] = [
  {
    about: "eo",
    question: "What is EO?",
    answer: "An edge is bad if it cannot go home without a quarter turn of the front or the back. With EO (edge orientation) none is bad, and from then on these two faces need only half turns; the same can be done along the other axes.",
    // R U2 F R F2 L U' B'
    cubes: [["ULRUURBBDFDUDRBDRRLLRFFFUFFBLLBDULLDLFDDLRFRRFDBUBBBUU", [1, 5, 10, 12, 23, 25]]],
    caption: "The bad edges that are seen are marked.",
  },
  {
    about: "dr",
    question: "What is DR?",
    answer: "With DR (domino reduction) the top and the bottom have only their own two colours, and the four edges between them are in the middle layer. From then on only the top and the bottom need quarter turns, as on a flat cube of 3×3×2.",
    // R2 U F2 U' L2 D B2 U R2; only the colours of U and D
    cubes: [["DDUUUDUDD............................................", []]],
    caption: "Two colours on top; what is grey does not matter yet.",
  },
  {
    about: "htr",
    question: "What is HTR?",
    answer: "With HTR (half-turn reduction) half turns are enough for all that is left. Each face has only its own colour and that of the opposite face, though not all such cubes are there yet.",
    // R2 U2 F2 L2 D2 B2 U2 F2 R2
    cubes: [["DDDUUDUDULRRRRLLLRBBBFFBBBBDUDUDDUUULLRRLLLRRFFFBBFFFF", []]],
    caption: "Two colours on each face; half turns do the rest.",
  },
  {
    about: "niss",
    question: "What is NISS?",
    answer: "What solves the inverse of a scramble, done backwards, solves the scramble; so each step may be made on the scramble or on its inverse (NISS), where it may be shorter. Moves on the inverse stand in round brackets, and at the end they are turned round and put after the others.",
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
    question: "What do the signs mean?",
    answer:
      "FB, RL and UD are the axes: front and back, right and left, top and bottom. A skeleton is a solution in steps, or the start of one. `5c3e` are five bad corners and three bad edges. `(6/10)` are six moves of a step, ten by then; with `(12-1/32)` one of twelve has cancelled. Square brackets hold the moves of an insertion, round ones those on the inverse.",
    cubes: [],
    caption: "",
  },
];

/** The words, unfolded until there is an attempt where there is room. */
export class Help {
  private readonly words = WORDS.map(explained);
  private from: HTMLElement | undefined;
  readonly element = h("section", { class: "card help", "aria-label": "What the words mean", onkeydown: (event: KeyboardEvent) => event.key === "Escape" && this.close() }, h("h2", {}, "What the words mean"), h("div", { class: "words" }, ...this.words));

  /** Folds them away. */
  fold(): void {
    for (const word of this.words) word.open = false;
  }

  /** Leads to one of them; Escape leads back. */
  open(about: string): void {
    this.fold();
    this.from = document.activeElement as HTMLElement;
    // Others are among the signs.
    const word = this.words[WORDS.findIndex((word) => word.about === about)] ?? this.words.at(-1)!;
    word.open = true;
    this.element.scrollIntoView();
    word.querySelector("summary")!.focus();
  }

  private close(): void {
    this.fold();
    this.from?.focus();
    this.from = undefined;
  }
}

function explained({ question, answer, cubes, caption }: Word): HTMLDetailsElement {
  const look = (facelet: Facelet): { fill: string } => ({ fill: facelet === "." ? "var(--unpainted)" : `var(--${facelet})` });
  const pictures = cubes.map(([facelets, marked]) => {
    const shown = h("span", { class: "drawn", "aria-hidden": true });
    shown.innerHTML = svg(facelets, look, marked);
    return shown;
  });
  return h("details", { class: "word", open: !ONE_COLUMN.matches }, h("summary", {}, question), pictures.length > 0 && h("figure", {}, h("div", { class: "cubes" }, ...pictures), h("figcaption", { class: "label" }, caption)), h("p", {}, ...prose(answer)));
}

/** What is shown before there is an attempt. */
export function welcome(): HTMLElement {
  return h(
    "section",
    { class: "card welcome-desk", "aria-label": "Fewest moves" },
    h("p", { class: "lead" }, "One scramble, an hour, and the shortest solution you can find."),
    h(
      "ol",
      { class: "getting-started" },
      h("li", {}, h("strong", {}, "Enter a scramble."), " Each step that you find or type grows a tree from it."),
      h("li", {}, h("strong", {}, "Find the next step."), " All ways to it up to a number of moves are listed; a click adds one."),
      h("li", {}, h("strong", {}, "Compare."), " Each step says how many moves there are by then, and what is left."),
      h("li", {}, h("strong", {}, "Hand it in."), " The write-up is as competitors write it, to paste, to print, or to send as a link."),
    ),
  );
}
