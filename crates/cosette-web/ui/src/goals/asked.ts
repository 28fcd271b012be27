// What is asked beside the position: another goal than the solved cube, other turns than those of faces, other solutions than the
// shortest ones.

import type { Metric, SolveRequest, TurnMetric } from "../protocol";

/** What is asked, as texts in the language of the engine; empty where it is as usual. */
export interface Asked {
  /** The goal. */
  to: string;
  /** The turns that are allowed. */
  moves: string;
  /** What turns cost. */
  cost: string;
  /** By how much solutions may be longer than the shortest ones. */
  slack: string;
  /** What solutions begin and end with. */
  starts: string;
  ends: string;
  /** What is in none of them. */
  avoid: string;
  /** Of solutions that are the same up to this, one is shown. */
  upTo: string;
}

/** The usual question. */
export const NOTHING_ASKED: Asked = { to: "", moves: "", cost: "", slack: "", starts: "", ends: "", avoid: "", upTo: "" };

/** What solutions may be the same up to, in the words of the engine. */
export const UP_TO: [value: string, text: string][] = [
  ["", "all are shown"],
  ["symmetry", "one up to symmetry"],
  ["inverse", "one up to inversion"],
  ["symmetry,inverse", "one up to both"],
];

/** The metric of the table that a search in this metric uses, if it uses one. */
export function tableMetric(metric: TurnMetric): Metric {
  return metric === "qtm" ? "qtm" : "htm";
}

/** Whether a question is another one than for the shortest solutions with turns of faces. */
export function isAsked({ metric, ...asked }: Partial<Asked> & { metric: TurnMetric }): boolean {
  return metric !== tableMetric(metric) || Object.keys(NOTHING_ASKED).some((name) => (asked[name as keyof Asked] ?? "").trim() !== "");
}

/** Whether a request is another one than for the shortest solutions with turns of faces. */
export function isOfGoal({ metric, to, moves, cost, slack, starts, ends, avoid, up_to }: SolveRequest): boolean {
  return metric !== tableMetric(metric) || [to, moves, cost, slack, starts, ends, avoid, up_to].some((asked) => asked != null);
}

/** Whether a request is for the shortest solutions with turns of faces and nothing else. */
export function isPlain(request: SolveRequest): boolean {
  return !isOfGoal(request) && request.max_length == null;
}

/** The fields of a request that ask for this. */
export function requestOf(asked: Partial<Asked>): Partial<SolveRequest> {
  const { slack, upTo, to, moves, cost, starts, ends, avoid } = { ...NOTHING_ASKED, ...asked };
  const given = Object.entries({ to, moves, cost, starts, ends, avoid, up_to: upTo }).filter(([, text]) => text.trim() !== "");
  return { ...Object.fromEntries(given), ...(slack && { slack: Number(slack) }) };
}
