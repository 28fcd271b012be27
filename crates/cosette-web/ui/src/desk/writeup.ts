// The way to a step as competitors write it: one step a line, with moves on the inverse in round brackets, and a comment. It is read
// again.
//
//     R' U' F …
//     F2 (R' D) // dr:UD (3/8)     three moves, eight by then; (3-1/7) where one is saved
//     // a note
//     // 24 moves: …
//
// An insertion shows all moves; the lines before it become comments, so that each move is there once.

import type { ApiError } from "../protocol";
import { plural } from "../format";
import { doneBy, isSolved, pathTo, totalOf, type Attempt, type Made, type Step } from "./attempt";
import { joined, known, lengthOf, read, solutionOf, written, NONE } from "./moves";
import { leftFew } from "./steps";

/** A line of a write-up. */
export interface Line {
  moves: string;
  comment: string;
  note: string;
}

/** The lines to a step, and the solution if it is one. */
export function lines({ root }: Attempt, step: Step): { steps: Line[]; notes: string; solution: string | undefined } {
  const path = pathTo(step).slice(1);
  const insertion = path.findLastIndex(({ solution }) => solution !== "");
  const steps = path.map((each, at): Line => {
    const [name, note] = [nameOf(each), each.note];
    if (at < insertion) return { moves: "", comment: name === "" ? each.moves : `${each.moves} // ${name}`, note };
    const total = totalOf(each);
    const own = each.solution === "" ? lengthOf(known(each.moves)) : total;
    const saved = at === insertion ? 0 : totalOf(each.parent!) + own - total;
    return { moves: each.moves, comment: [name, `(${own}${saved > 0 ? `-${saved}` : ""}/${total})`].filter(Boolean).join(" "), note };
  });
  return { steps, notes: root.note, solution: isSolved(step) ? solutionOf(doneBy(step)).join(" ") : undefined };
}

/** The write-up as text. */
export function textOf(attempt: Attempt, step: Step): string {
  const { steps, notes, solution } = lines(attempt, step);
  const commented = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "").map((line) => `// ${line}`);
  const all = [
    attempt.scramble,
    ...commented(notes),
    ...steps.flatMap(({ moves, comment, note }) => [`${moves} // ${comment}`.trim(), ...commented(note)]),
    ...(solution === undefined ? [] : [`// ${plural(totalOf(step), "move")}: ${solution}`]),
  ];
  return all.map((line) => `${line}\n`).join("");
}

/** What a step is called: by its user, or after what it reaches, if that is more than what the one before has reached. */
export function nameOf(step: Step): string {
  if (step.name !== "") return step.name;
  if (step.solution !== "") return "insertion";
  if (step.here && leftFew(step.here) !== "") return leftFew(step.here);
  return step.reached === step.parent?.reached ? "" : step.reached;
}

/** What is read of a write-up: the scramble and the notes on it, empty if they are not in there, and the steps. */
export interface WriteUp {
  scramble: string;
  notes: string;
  made: Made[];
}

/** How many moves a step has, and what is left after it, at the end of its comment. */
const COUNTS = /\s*\(\d+(-\d+)?\/\d+\)(, \S+ \S+)?\s*$/;

/** What is for the engine to say: what a step reaches; or says nothing of it. */
const NO_NAME = /^((eo|dr|htr|finish)(:(UD|RL|FB))?|insertion|[234] (corners|edges)( and 2 edges)? left|so far( \(\d+\))?)?$/;

/** Reads a write-up, or moves. */
export function readWriteUp(text: string): WriteUp | ApiError {
  const made: Made[] = [];
  const notes: string[] = [];
  let scramble = "";
  const all = text.split("\n").map(partsOf);
  // Where steps have counts, a line before them without a comment is the scramble.
  const isWriteUp = all.some(([, comment]) => COUNTS.test(comment));
  const insertion = all.findLastIndex(([moves]) => moves.includes("["));
  for (const [at, parts] of all.entries()) {
    const [before, comment] = at < insertion && isReplaced(parts) ? partsOf(parts[1]) : parts;
    const heading = /^\W*(scramble\s*:|solution\b[^:]*:)\s*(.*)$/i.exec(before || comment);
    if (heading) scramble = /^sc/i.test(heading[1]!) ? heading[2]! : scramble;
    else if (isWriteUp && before !== "" && comment === "" && scramble === "" && made.length === 0) scramble = before;
    else if (before === "") addNote(made.at(-1), notes, comment);
    else {
      const isInsertion = before.includes("[");
      const moves = read(before.replaceAll(/[[\]]/g, " "));
      if ("error" in moves) return { ...moves, help: `${moves.help}; the line is \`${[before, comment].filter(Boolean).join(" // ")}\`` };
      const name = comment.replace(COUNTS, "");
      made.push({
        moves: isInsertion ? before : written(moves),
        ...(isInsertion && { solution: solutionOf(joined(NONE, moves)).join(" ") }),
        ...(!NO_NAME.test(name) && { name }),
      });
    }
  }
  return { scramble, notes: notes.join("\n"), made };
}

/** The moves of a line and its comment. */
function partsOf(line: string): [moves: string, comment: string] {
  const [, moves = "", comment = ""] = /^(.*?)(?:(?:\/\/|#)\s*(.*?))?\s*$/.exec(line)!;
  return [moves.trim(), comment];
}

/** Whether a comment is a step that an insertion replaces. */
function isReplaced([moves, comment]: [moves: string, comment: string]): boolean {
  const [step] = partsOf(comment);
  return moves === "" && step !== "" && !("error" in read(step));
}

/** A comment without moves is a note on the step before it, or on the scramble, unless it is the solution. */
function addNote(last: Made | undefined, notes: string[], comment: string): void {
  if (comment === "" || /^\d+ moves?: /.test(comment)) return;
  if (!last) notes.push(comment);
  else last.note = last.note ? `${last.note}\n${comment}` : comment;
}
