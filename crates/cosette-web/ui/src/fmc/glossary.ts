// The glossary for beginners in fewest moves: a few sentences for each term, and a picture.

import type { Facelet } from "../cube/colors";
import { svg } from "../cube/drawing";
import { h, prose } from "../dom";
import { ONE_COLUMN } from "../breakpoints";

/** An entry: its title and text, example cubes with their marked facelets, and a caption. */
interface GlossaryEntry {
  /** The key of the entry: a step, or a mode of the search form. */
  about: string;
  title: string;
  text: string;
  cubes: [facelets: string, marked: number[]][];
  caption: string;
}

const GLOSSARY: GlossaryEntry[] = [
  {
    about: "eo",
    title: "EO: edge orientation",
    text:
      "An edge is bad if it cannot be solved without quarter turns of F or B. In EO, no " +
      "edge is bad; from then on, F and B need only half turns. EO can also be solved " +
      "on the other two axes.",
    // R U2 F R F2 L U' B'
    cubes: [["ULRUURBBDFDUDRBDRRLLRFFFUFFBLLBDULLDLFDDLRFRRFDBUBBBUU", [1, 5, 10, 12, 23, 25]]],
    caption: "The visible bad edges are marked.",
  },
  {
    about: "dr",
    title: "DR: domino reduction",
    text:
      "In DR, the U and D faces show only their own two colors, and the four edges " +
      "between them are in the middle layer. From then on, only U and D need quarter " +
      "turns, as on a 3×3×2 domino.",
    // R2 U F2 U' L2 D B2 U R2; only the colors of U and D
    cubes: [["DDUUUDUDD............................................", []]],
    caption: "Two colors on top; gray facelets do not matter yet.",
  },
  {
    about: "htr",
    title: "HTR: half-turn reduction",
    text:
      "In HTR, half turns alone solve the rest. Every face shows only its own and the " +
      "opposite color. (Not every such cube is in HTR: the corner arrangement must also " +
      "be solvable with half turns.)",
    // R2 U2 F2 L2 D2 B2 U2 F2 R2
    cubes: [["DDDUUDUDULRRRRLLLRBBBFFBBBBDUDUDDUUULLRRLLLRRFFFBBFFFF", []]],
    caption: "Two colors on each face; half turns solve the rest.",
  },
  {
    about: "niss",
    title: "NISS: normal-inverse scramble switch",
    text:
      "The inverse of a solution of the inverse scramble solves the scramble. So each " +
      "step can be done on the scramble or on its inverse, whichever is shorter. Moves " +
      "on the inverse are written in parentheses; in the final solution, they are " +
      "inverted and appended to the others.",
    // R U F and F' U' R'
    cubes: [
      ["UUUUUULLDFBBFRRFRRFFRFFRDDRRRUDDBDDBFFDLLDLLBLLLUBBUBB", []],
      ["UUBUUBUUDFRRFRRFDDLLRFFRFFRLLUDDFDDFBBBLLULLUDRRDBBLBB", []],
    ],
    caption: "The scramble R U F and its inverse, F' U' R'.",
  },
  {
    about: "insertions",
    title: "Insertion",
    text:
      "A skeleton may leave a 3-cycle of corners, which takes about eight moves to " +
      "solve. If the 3-cycle is inserted at the right point of the skeleton instead of " +
      "at the end, some of its moves cancel with the moves next to them.",
    // R' D' R U R' D R U'
    cubes: [
      ["UUUUUUUURDRFRRRURRFFFFFFFFRDDBDDDDDDLLLLLLLLLRBBBBBBBB", [2, 8, 9, 11, 15, 20, 26, 29, 45]],
    ],
    caption: "A corner 3-cycle is left.",
  },
  {
    about: "skeletons",
    title: "How to read a skeleton",
    text:
      "A skeleton is a solution in steps, or the start of one. The axes are FB " +
      "(front–back), RL (right–left) and UD (up–down). `5c3e` means five bad corners " +
      "and three bad edges. `(6/10)` means six moves in this step, ten so far; " +
      "`(12-1/32)` means twelve moves, one of which cancels. Moves of an insertion are " +
      "in square brackets, moves on the inverse in parentheses.",
    cubes: [],
    caption: "",
  },
];

/** The glossary, unfolded on large screens until there is an attempt. */
export class Glossary {
  private readonly entries = GLOSSARY.map(explained);
  private from: HTMLElement | undefined;
  readonly element = h(
    "section",
    {
      class: "card help",
      "aria-label": "Glossary",
      onkeydown: (event: KeyboardEvent) => event.key === "Escape" && this.close(),
    },
    h("h2", {}, "Glossary"),
    h("div", { class: "words" }, ...this.entries),
  );

  /** Folds all entries. */
  fold(): void {
    for (const entry of this.entries) entry.open = false;
  }

  /** Opens an entry and focuses it; Escape returns. */
  open(about: string): void {
    this.fold();
    this.from = document.activeElement as HTMLElement;
    // All other terms are in the last entry.
    const entry =
      this.entries[GLOSSARY.findIndex((entry) => entry.about === about)] ?? this.entries.at(-1)!;
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

function explained({ title, text, cubes, caption }: GlossaryEntry): HTMLDetailsElement {
  const look = (facelet: Facelet): { fill: string } => ({
    fill: facelet === "." ? "var(--unpainted)" : `var(--${facelet})`,
  });
  const pictures = cubes.map(([facelets, marked]) => {
    const shown = h("span", { class: "drawn", "aria-hidden": true });
    shown.innerHTML = svg(facelets, look, marked);
    return shown;
  });
  return h(
    "details",
    { class: "word", open: !ONE_COLUMN.matches },
    h("summary", {}, title),
    pictures.length > 0 &&
      h(
        "figure",
        {},
        h("div", { class: "cubes" }, ...pictures),
        h("figcaption", { class: "label" }, caption),
      ),
    h("p", {}, ...prose(text)),
  );
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
      h(
        "li",
        {},
        h("strong", {}, "Enter a scramble."),
        " The steps that you find or type form a tree.",
      ),
      h(
        "li",
        {},
        h("strong", {}, "Find the next step."),
        " The app lists all its solutions up to a given length; click one to add it.",
      ),
      h(
        "li",
        {},
        h("strong", {}, "Compare."),
        " Each step shows the number of moves so far and the bad pieces.",
      ),
      h(
        "li",
        {},
        h("strong", {}, "Write it up."),
        " Copy or print the write-up, with the final solution to hand in, or share a link to it.",
      ),
    ),
  );
}
