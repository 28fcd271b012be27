// What is proven of a goal, in words.

import { capital, count } from "../format";
import type { Answer, TurnMetric } from "../protocol";
import { tableMetric, type Asked } from "./asked";
import { LAYERS, readTurns } from "./turns";
import { at, goalWords } from "./words";

/** What is asked, as far as answers tell it. */
export interface Goal {
  /** In a sentence; empty for the solved cube. */
  words: string;
  /** Whether turns have costs of their own. */
  hasCosts: boolean;
  /** How turns are counted, where one counts as two; empty if none does. */
  counting: string;
  /** Among what solutions are proven shortest; empty for all. */
  among: string;
  /** What makes solutions the same; empty if all are told apart. */
  upTo: string;
}

/** What solutions are the same up to, in a sentence. */
const SAME: Record<string, string> = { symmetry: "up to symmetry", inverse: "up to inversion", "symmetry,inverse": "up to symmetry and inversion" };

/** What is asked. */
export function goalOf({ metric, to, cost, moves, starts, ends, avoid, upTo }: Partial<Asked> & { metric: TurnMetric }): Goal {
  const isGiven = (text = ""): boolean => text.trim() !== "";
  const among = [isGiven(moves) && "turns", [starts, ends, avoid].some(isGiven) && "conditions"].filter(Boolean).join(" and ");
  // Two turns of faces do what one of a slice does.
  const slices = tableMetric(metric) === metric ? LAYERS.slices.filter((slice) => [...readTurns(moves ?? "")].some((turn) => turn.startsWith(slice))) : [];
  const counting = slices.length === 0 ? "" : slices.length === 1 ? `${slices[0]} counts as two` : "slices count as two";
  return { words: goalWords(to ?? ""), hasCosts: isGiven(cost), counting, among: among && `with these ${among}`, upTo: SAME[upTo ?? ""] ?? "" };
}

/** The answer in one line; `units` writes a length. */
export function headline({ words, among }: Goal, { length, unreachable }: Answer, units: (length: number) => string): string {
  if (unreachable !== undefined || length === null) return words === "" ? "These moves do not solve it" : "These moves do not lead there";
  if (length === 0) return words === "" ? "Already solved" : "Already there";
  const shortest = words === "" ? `${units(length)}, proven shortest` : `The shortest way to ${words} has ${units(length)}`;
  return [shortest, among].filter(Boolean).join(" ");
}

/** How many ways there are, and where they lead. */
export function claim({ words, upTo }: Goal, answer: Answer, wanted: string): string {
  const { unreachable, length, lengths = [], places = [], complete } = answer;
  if (unreachable) return `${capital(unreachable)}.`;
  if (length === null) return "";
  const shortest = lengths.filter((each) => each === length).length;
  // A place that was asked for is no news.
  const found = [...new Set(places.slice(0, shortest).flatMap((place) => place.split(" ")))].filter((place) => place !== "" && !words.endsWith(` at ${place}`));
  const place = found.length > MOST_NAMED ? `at ${count(found.length)} places` : at(found);
  const where = place && `reached ${place}`;
  const isAll = complete && length > 0 && (wanted === "all" || lengths.length < Number(wanted) || lengths.length > shortest);
  const ways = !isAll || wanted === "1" ? "" : shortest === 1 ? "The only one so short" : `One of ${count(shortest)} so short`;
  return capital([ways, ways && upTo, where].filter(Boolean).join(", "));
}

/** More places than these are counted. */
const MOST_NAMED = 6;
