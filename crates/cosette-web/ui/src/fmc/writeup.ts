// The path to a step as competitors write it: one step per line, with moves on the inverse in
// parentheses, and a comment. The format can be parsed again.
//
//     R' U' F …
//     F2 (R' D) // DR (3/8)        three moves, eight in total; (3-1/7) if one cancels
//     // a note
//     // 24 moves: …
//
// An insertion line shows all moves; the lines before it become comments with nested comments, so
// that each move occurs once:
//
//     // F2 (R' D) // DR
//     // no moves // HTR
//
// A note that would be parsed as one of these, or as the solution, is a comment in a comment:
// `// // B2 // alternative`.

import type { ApiError } from "../protocol";
import { plural } from "../format";
import {
  bestOf,
  doneBy,
  isSolved,
  pathTo,
  totalOf,
  type Attempt,
  type Step,
  type StepResult,
} from "./attempt";
import { joined, known, lengthOf, read, solutionOf, written, NONE } from "./moves";
import { insertionCase, nameOf } from "./steps";

/** A line of a write-up. */
export interface Line {
  moves: string;
  comment: string;
  note: string;
}

/**
 * Returns the step to which the write-up leads: the selected one; at the scramble, where there is
 * nothing to write up, the best solution, if there is one.
 */
export const lastOf = (attempt: Attempt, selected: Step): Step =>
  selected.parent ? selected : (bestOf(attempt) ?? selected);

/** Compares a solution with the shortest one, if that is known. */
export function comparison({ root }: Attempt, step: Step): string {
  if (root.rest === null) return "";
  const longer = totalOf(step) - root.rest;
  return longer > 0 ? `, ${longer} more than the optimum` : ", proven optimal";
}

/** Returns the lines up to a step, and the solution if the step is one. */
export function lines(
  { root }: Attempt,
  step: Step,
): { steps: Line[]; notes: string; solution: string | undefined } {
  const path = pathTo(step).slice(1);
  const insertion = path.findLastIndex(({ solution }) => solution !== "");
  const steps = path.map((each, at): Line => {
    const { note } = each;
    const [name, left] = namesOf(each);
    if (at < insertion)
      return {
        moves: "",
        comment: `${each.moves || NO_MOVES} // ${[name, left].filter(Boolean).join(", ")}`.trim(),
        note,
      };
    const total = totalOf(each);
    const own = each.solution === "" ? lengthOf(joined(NONE, known(each.moves))) : total;
    const saved = at === insertion ? 0 : totalOf(each.parent!) + own - total;
    const counts = `(${own}${saved > 0 ? `-${saved}` : ""}/${total})`;
    return {
      moves: each.moves,
      comment: [name || left, counts].filter(Boolean).join(" ") + (name && left && `, ${left}`),
      note,
    };
  });
  return {
    steps,
    notes: root.note,
    solution: isSolved(step) ? solutionOf(doneBy(step)).join(" ") : undefined,
  };
}

/** Formats the write-up as text. */
export function textOf(attempt: Attempt, step: Step): string {
  const { steps, notes, solution } = lines(attempt, step);
  const commented = (text: string): string[] =>
    text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => `// ${isMisread(line) ? MARK : ""}${line}`);
  const all = [
    attempt.scramble,
    ...commented(notes),
    ...steps.flatMap(({ moves, comment, note }) => [
      `${moves} // ${comment}`.trim(),
      ...commented(note),
    ]),
    ...(solution === undefined ? [] : [`// ${plural(totalOf(step), "move")}: ${solution}`]),
  ];
  return all.map((line) => `${line}\n`).join("");
}

/**
 * Describes a step: the name given by its user, or its reduction, if it is further than that of
 * the step before; and the remaining case, if it is small.
 */
function namesOf(step: Step): [name: string, left: string] {
  if (step.name !== "") return [step.name, ""];
  if (step.solution !== "") return ["insertion", ""];
  return [
    step.reduction === step.parent?.reduction ? "" : nameOf(step.reduction),
    step.status ? insertionCase(step.status) : "",
  ];
}

/** The moves of an empty step, which would otherwise look like a note. */
const NO_MOVES = "no moves";

/** A parsed write-up: the scramble and its notes, empty if missing, and the steps. */
export interface WriteUp {
  scramble: string;
  notes: string;
  steps: StepResult[];
}

/** The scramble or the solution, with its label before it. */
const HEADING = /^[^\w/]*(scramble\s*:|solution\b[^:]*:|\d+ moves?:)\s*(.*)$/i;

/** The remaining case. */
const LEFT = "[234] (?:corners|edges)(?: and 2 edges)? left";

/**
 * The counts at the end of a comment: number of moves of a step, number of cancelled moves, number
 * of moves up to its end, and the remaining case.
 */
const COUNTS = new RegExp(`\\s*\\((\\d+)(?:-(\\d+))?/(\\d+)\\)(?:, (?:${LEFT}|\\S+ \\S+))?\\s*$`);

/**
 * Text that the engine determines: the reduction of a step; or text without information about it.
 */
const NO_NAME = new RegExp(
  `^((eo|dr|htr|finish)(:(UD|RL|FB))?(, ${LEFT})?|insertion|${LEFT}|so far( \\(\\d+\\))?)?$`,
  "i",
);

/** Prefix of a note that would otherwise be parsed as something else. */
const MARK = "// ";

/** Parses a write-up, or moves. */
export function readWriteUp(text: string): WriteUp | ApiError {
  const steps: StepResult[] = [];
  const notes: string[] = [];
  let scramble = "";
  const texts = text.split("\n");
  const all = texts.map(partsOf);
  // If the first counts have no moves before them, an earlier line without a comment is the
  // scramble.
  const [, own, saved = 0, total] =
    all
      .map(([, comment]) => (comment.startsWith(MARK) ? null : COUNTS.exec(comment)))
      .find(Boolean) ?? [];
  const isWriteUp = total !== undefined && Number(own) - Number(saved) === Number(total);
  const insertion = all.findLastIndex(([moves]) => moves.includes("["));
  for (const [at, parts] of all.entries()) {
    const replaced = at < insertion ? replacedIn(parts) : undefined;
    const [before, comment] = replaced ?? parts;
    const [, title, said = ""] = HEADING.exec(before || comment) ?? [];
    const isScramble = /^sc/i.test(title ?? "");
    // In comments, any other text that begins like this is a note.
    if (
      title !== undefined &&
      (before !== "" || (isScramble ? scramble === "" && steps.length === 0 : isMoves(said)))
    )
      scramble = isScramble ? said : scramble;
    else if (isWriteUp && before !== "" && comment === "" && scramble === "" && steps.length === 0)
      scramble = before;
    else if (
      before === "" &&
      !replaced &&
      (comment.startsWith(MARK) || COUNTS.exec(comment)?.[1] !== "0")
    )
      addNote(steps.at(-1), notes, comment);
    else {
      const isInsertion = before.includes("[");
      const moves = read(before.replaceAll(/[[\]]/g, " "));
      if ("error" in moves) {
        const preceding = [...texts.slice(0, at), texts[at]!.slice(0, texts[at]!.indexOf(before))];
        const start = preceding.join("\n").length;
        return { ...moves, span: moves.span!.map((index) => start + index) as [number, number] };
      }
      const name = comment.replace(COUNTS, "");
      steps.push({
        moves: isInsertion ? before : written(moves),
        ...(isInsertion && { solution: solutionOf(joined(NONE, moves)).join(" ") }),
        ...(!NO_NAME.test(name) && { name }),
      });
    }
  }
  return { scramble, notes: notes.join("\n"), steps };
}

/** Splits a line into moves and comment; `//` within an address does not begin a comment. */
export function partsOf(line: string): [moves: string, comment: string] {
  const [, moves = "", comment = ""] = /^(.*?)(?:(?:(?<!:)\/\/|#)\s*(.*?))?\s*$/.exec(line)!;
  return [moves.trim(), comment];
}

/**
 * Returns the moves and the comment of a step that an insertion replaces: a comment with a
 * comment, possibly empty. Without the inner comment, the line is a note.
 */
function replacedIn([before, comment]: [moves: string, comment: string]):
  [moves: string, comment: string] | undefined {
  const [, moves, own = ""] = /^(.+?)\s*\/\/\s*(.*)$/.exec(comment) ?? [];
  if (before !== "" || moves === undefined) return undefined;
  if (moves === NO_MOVES) return ["", own];
  return isMoves(moves) ? [moves, own] : undefined;
}

/**
 * Returns `true` if a line of a note would be parsed as a step, as the solution, or as an escaped
 * line.
 */
function isMisread(line: string): boolean {
  const [, title, said = ""] = HEADING.exec(line) ?? [];
  return (
    /^\s*\/\/ /.test(line) ||
    replacedIn(["", line]) !== undefined ||
    COUNTS.exec(line)?.[1] === "0" ||
    (title !== undefined && isMoves(said))
  );
}

const isMoves = (text: string): boolean => !("error" in read(text));

/** Adds a comment without moves as a note on the step before it, or on the scramble. */
function addNote(last: StepResult | undefined, notes: string[], comment: string): void {
  if (comment === "") return;
  const line = comment.replace(/^\/\/ /, "");
  if (!last) notes.push(line);
  else last.note = last.note ? `${last.note}\n${line}` : line;
}
