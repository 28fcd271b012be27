// The glossary for beginners in fewest moves: a few sentences for each term, and a picture.

import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { ONE_COLUMN } from "../breakpoints";
import type { Facelet } from "../cube/colors";
import { svg } from "../cube/drawing";
import { isBegun } from "../stores/attempt";
import { Prose } from "../ui/prose";
import "./glossary.css";

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
    title: "Notation",
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

/** `true` if the glossary is unfolded: until there is an attempt, and where it is led to. */
const isUnfolded = signal(true);
/** The terms that are unfolded: on large screens all, until there is an attempt. */
const unfolded = signal(new Set(ONE_COLUMN.matches ? [] : GLOSSARY.map(({ about }) => about)));
/** The term that is led to. */
const wanted = signal<string | undefined>(undefined);
/** The element that had the focus before. */
let from: HTMLElement | undefined;

/** Folds all entries of the glossary, and beside an attempt the glossary. */
function foldGlossary(): void {
  unfolded.value = new Set();
  isUnfolded.value = !isBegun.value;
}

/** Opens an entry and focuses it; Escape returns. */
export function openGlossary(about: string): void {
  from = document.activeElement as HTMLElement;
  // All other terms are in the last entry.
  const entry = GLOSSARY.find((entry) => entry.about === about) ?? GLOSSARY.at(-1)!;
  isUnfolded.value = true;
  unfolded.value = new Set([entry.about]);
  wanted.value = entry.about;
}

function close(): void {
  foldGlossary();
  from?.focus();
  from = undefined;
}

/** The glossary. */
export function Glossary() {
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(() => void (isBegun.value && foldGlossary()), [isBegun.value]);
  useLayoutEffect(() => {
    const at = GLOSSARY.findIndex(({ about }) => about === wanted.value);
    if (at < 0) return;
    wanted.value = undefined;
    section.current!.scrollIntoView();
    section.current!.querySelectorAll<HTMLElement>(".word summary")[at]!.focus();
  }, [wanted.value]);
  return (
    <section
      ref={section}
      class="card help"
      aria-label="Glossary"
      onKeyDown={(event) => event.key === "Escape" && close()}
    >
      <details
        open={isUnfolded.value}
        onToggle={(event) => (isUnfolded.value = event.currentTarget.open)}
      >
        <summary>
          <h2>Glossary</h2>
        </summary>
        <div class="words">
          {GLOSSARY.map((entry) => (
            <Entry {...entry} />
          ))}
        </div>
      </details>
    </section>
  );
}

function Entry({ about, title, text, cubes, caption }: GlossaryEntry) {
  const onToggle = (isOpen: boolean): void => {
    const open = new Set(unfolded.value);
    if (isOpen) open.add(about);
    else open.delete(about);
    unfolded.value = open;
  };
  return (
    <details
      class="word"
      open={unfolded.value.has(about)}
      onToggle={(event) => onToggle(event.currentTarget.open)}
    >
      <summary>{title}</summary>
      {cubes.length > 0 && (
        <figure>
          <div class="cubes">
            {cubes.map(([facelets, marked]) => (
              <span
                class="drawn"
                aria-hidden="true"
                dangerouslySetInnerHTML={{ __html: svg(facelets, look, marked) }}
              />
            ))}
          </div>
          <figcaption class="label">{caption}</figcaption>
        </figure>
      )}
      <p>
        <Prose text={text} />
      </p>
    </details>
  );
}

const look = (facelet: Facelet): { fill: string } => ({
  fill: facelet === "." ? "var(--unpainted)" : `var(--${facelet})`,
});
