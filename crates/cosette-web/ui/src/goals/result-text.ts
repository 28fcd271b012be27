// Descriptions of the results of a goal search.

import { capital, count } from "../format";
import type { Answer } from "../protocol";
import type { Options } from "../solve/option-values";
import { goalWords, placeOf } from "./describe";
import { tableMetric } from "./goal-options";
import { LAYERS, readTurns } from "./turns";

/** The request, as far as answers depend on it. */
export interface Goal {
  /** The name of the goal; empty for the solved cube. */
  words: string;
  /** `true` if moves have individual costs. */
  hasCosts: boolean;
  /** Describes the counting of moves, if one counts as two; otherwise empty. */
  counting: string;
  /** The set of solutions among which these are proven optimal; empty for all. */
  among: string;
  /** The equivalence of solutions; empty if all are distinguished. */
  uniqueUpTo: string;
}

/** The equivalences, in a sentence. */
const SAME: Record<string, string> = {
  symmetry: "up to symmetry",
  inverse: "up to inversion",
  "symmetry,inverse": "up to symmetry and inversion",
};

/** Returns the goal of a request. */
export function goalOf({
  metric,
  goal,
  costs,
  moves,
  startsWith,
  endsWith,
  avoid,
  uniqueUpTo,
}: Partial<Options> & Pick<Options, "metric">): Goal {
  const isGiven = (text = ""): boolean => text.trim() !== "";
  const among = [
    isGiven(moves) && "moves",
    [startsWith, endsWith, avoid].some(isGiven) && "constraints",
  ]
    .filter(Boolean)
    .join(" and ");
  // Two face turns have the same effect as a slice turn.
  const slices =
    tableMetric(metric) === metric
      ? LAYERS.slices.filter((slice) =>
          [...readTurns(moves ?? "")].some((turn) => turn.startsWith(slice)),
        )
      : [];
  const counting =
    slices.length === 0
      ? ""
      : slices.length === 1
        ? `${slices[0]} counts as two`
        : "slices count as two";
  return {
    words: goalWords(goal ?? ""),
    hasCosts: isGiven(costs),
    counting,
    among: among && `with these ${among}`,
    uniqueUpTo: SAME[uniqueUpTo ?? ""] ?? "",
  };
}

/** Describes the answer in one line; `units` formats a length. */
export function headline(
  { words, among }: Goal,
  { length, unreachable, allowed_moves = "" }: Answer,
  units: (length: number) => string,
): string {
  if (unreachable !== undefined || length === null) {
    const moves = `with ⟨${allowed_moves.replaceAll(" ", ", ")}⟩`;
    const conditions = among.endsWith("constraints") ? among : moves;
    return `Not ${words === "" ? "solvable" : "reachable"} ${conditions}`;
  }
  if (length === 0) return words === "" ? "Already solved" : "Already reached";
  const optimal = `${words && `${capital(words)}: `}${units(length)}, proven optimal`;
  return [optimal, among].filter(Boolean).join(" ");
}

/**
 * Describes the number of solutions, and the variants of the goal that they reach, on a cube held
 * after these rotations.
 */
export function claim(
  { words, uniqueUpTo }: Goal,
  answer: Answer,
  requestedCount: string,
  rotations = "",
): string {
  const { goal = "", unreachable, length, costs = [], variants = [], complete } = answer;
  if (unreachable) return `${capital(unreachable)}.`;
  if (length === null) return "";
  const shortest = costs.filter((each) => each === length).length;
  // A requested variant is not worth repeating.
  const found = [
    ...new Set(variants.slice(0, shortest).flatMap((variant) => variant.split(" "))),
  ].filter((variant) => variant !== "" && !words.endsWith(` on ${variant}`));
  const where =
    found.length > MAX_NAMED
      ? `in ${count(found.length)} variants`
      : found.map((variant) => placeOf(goal, variant, rotations)).join(" and ");
  const reached = where && `reached ${where}`;
  const isAll =
    complete &&
    length > 0 &&
    (requestedCount === "all" || costs.length < Number(requestedCount) || costs.length > shortest);
  const number =
    !isAll || requestedCount === "1"
      ? ""
      : shortest === 1
        ? "The only solution of this length"
        : `One of ${count(shortest)} solutions of this length`;
  return capital([number, number && uniqueUpTo, reached].filter(Boolean).join(", "));
}

/** Maximum number of variants that are listed; more are counted. */
const MAX_NAMED = 2;
