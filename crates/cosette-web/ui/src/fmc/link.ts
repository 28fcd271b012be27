// An attempt as a short text, for links and for the browser's storage.
//
//     attempt = scramble { "_" step }              each step after its parent
//     step    = depth moves [ "." reduction "." name "." note "." rest "." solution ]
//                                                  trailing empty fields are omitted
//     rest    = number [ "-" ]                     with the sign: claimed by a link, not proven
//
// Moves are written without spaces, with `R-` for R' and `~` for a parenthesis, so that addresses
// need no escapes: `F2~R-D~` is F2 (R' D).

import { allFrom, attemptOn, stepOf, type Attempt, type Step } from "./attempt";

/** Encodes an attempt. */
export function encoded({ scramble, root }: Attempt): string {
  return [
    packed(scramble) + (fields(root) ? `.${fields(root)}` : ""),
    ...root.children.flatMap((step) => steps(step, 1)),
  ].join("_");
}

/** Decodes an attempt; undefined if the text is not one. */
export function decoded(text: string): Attempt | undefined {
  try {
    // Some programs escape this character.
    const [first = "", ...rest] = text.replaceAll("%7E", "~").split("_");
    const [scramble = "", ...known] = first.split(".");
    const attempt = attemptOn(unpacked(scramble));
    fill(attempt.root, known);
    const path = [attempt.root];
    for (const each of rest) {
      const [moves = "", ...known] = each.slice(1).split(".");
      const depth = parseInt(each[0]!, 36);
      const parent = path[depth - 1]!;
      const step = stepOf({ moves: unpacked(moves) }, parent);
      fill(step, known);
      parent.children.push(step);
      path.splice(depth, Infinity, step);
    }
    return attempt.scramble === "" ? undefined : attempt;
  } catch {
    return undefined;
  }
}

/** Returns `true` if two texts encode the same attempt, whatever they claim about its steps. */
export function isSame(one: string, other: string): boolean {
  const first = decoded(one);
  const second = decoded(other);
  return (
    first !== undefined &&
    second !== undefined &&
    encoded(withoutClaims(first)) === encoded(withoutClaims(second))
  );
}

/**
 * Marks the contents of a link as unverified: the reductions are computed again, and the length of
 * the rest remains a claim.
 */
export function asClaimed(attempt: Attempt): Attempt {
  for (const step of allFrom(attempt.root))
    Object.assign(step, { reduction: "", rest: null, claimed: step.rest ?? step.claimed });
  return attempt;
}

function withoutClaims(attempt: Attempt): Attempt {
  for (const step of allFrom(attempt.root))
    Object.assign(step, { reduction: "", rest: null, claimed: null });
  return attempt;
}

/**
 * Maximum depth. Deeper steps are written as siblings of the last one; no real attempt has that
 * many.
 */
const MAX_DEPTH = 35;

function steps(step: Step, depth: number): string[] {
  const own = [packed(step.moves), fields(step)].filter(Boolean).join(".");
  return [
    depth.toString(36) + own,
    ...step.children.flatMap((child) => steps(child, Math.min(depth + 1, MAX_DEPTH))),
  ];
}

function fields({ reduction, name, note, rest, claimed, solution }: Step): string {
  const parts = [
    escaped(reduction),
    escaped(name),
    escaped(note),
    rest !== null ? String(rest) : claimed !== null ? `${claimed}-` : "",
    solution && packed(solution),
  ];
  while (parts.at(-1) === "") parts.pop();
  return parts.join(".");
}

function fill(
  step: Step,
  [reduction = "", name = "", note = "", rest = "", solution = ""]: string[],
): void {
  const number = /^\d+-?$/.test(rest) ? parseInt(rest, 10) : null;
  const claim = rest.endsWith("-") ? { claimed: number } : { rest: number };
  Object.assign(step, {
    reduction: unescaped(reduction),
    name: unescaped(name),
    note: unescaped(note),
    solution: unpacked(solution),
    ...claim,
  });
}

const MOVES = /^[URFDLB]2?'?( [URFDLB]2?'?)*$/;
const SHORT = /^([URFDLB]2?-?|~)*$/;

/** Packs moves without spaces; any other text follows an equals sign. */
function packed(text: string): string {
  const plain = text.replaceAll(/[()]/g, "");
  const short = text.replaceAll(" ", "").replaceAll("'", "-").replaceAll(/[()]/g, "~");
  return text === "" || (MOVES.test(plain) && SHORT.test(short) && unpacked(short) === text)
    ? short
    : `=${escaped(text)}`;
}

function unpacked(text: string): string {
  if (text.startsWith("=")) return unescaped(text.slice(1));
  if (!SHORT.test(text)) throw new Error("no moves");
  let isOpen = false;
  const words = (text.match(/[URFDLB]2?-?|~/g) ?? []).map((word) =>
    word === "~" ? ((isOpen = !isOpen) ? "(" : ")") : word.replace("-", "'"),
  );
  return words.join(" ").replaceAll("( ", "(").replaceAll(" )", ")");
}

/** Escapes separators, and characters that programs do not recognize as part of a link. */
const escaped = (text: string): string =>
  encodeURIComponent(text)
    .replaceAll(/[._'()!*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%3A", ":")
    .replaceAll("%20", "+");
const unescaped = (text: string): string => decodeURIComponent(text.replaceAll("+", " "));
