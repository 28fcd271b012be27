// The steps of fewest moves: their names, their order, and their query syntax.

import { plural } from "../format";
import type { AttemptStatus } from "../protocol";

/** The kinds of steps, named after the reductions that they reach. */
export type StepKind = "eo" | "dr" | "htr" | "finish";

/** The kinds in the order in which they are reached. */
export const KINDS: StepKind[] = ["eo", "dr", "htr", "finish"];

/** The axes in the order in which they are named. */
export const AXES = ["FB", "RL", "UD"];

const AXIS_NAMES: Record<string, string> = { FB: "front–back", RL: "right–left", UD: "up–down" };

/** Names of the kinds, short and full. */
export const NAMES: Record<StepKind, [short: string, full: string]> = {
  eo: ["EO", "EO (edge orientation)"],
  dr: ["DR", "DR (domino reduction)"],
  htr: ["HTR", "HTR (half-turn reduction)"],
  finish: ["finish", "finish (solved)"],
};

/** The default steps of skeletons. */
const DEFAULT_STEPS = "eo[max=5] > dr > htr > finish";

/** Initial maximum number of moves of each step, if it is not the minimum. */
export const DEFAULT_MAX_MOVES: Partial<Record<StepKind, number>> = { eo: 4 };

/** The kind of a reduction: `dr` of `dr:UD`. */
export function kindOf(reduction: string): StepKind | undefined {
  return KINDS.find((kind) => kind === reduction.split(":")[0]);
}

/** Names the kind of a reduction: "DR" for `dr:UD`. */
export function nameOf(reduction: string): string {
  const kind = kindOf(reduction);
  return kind ? NAMES[kind][0] : "";
}

/** Formats `dr:UD` for display: "DR UD". */
export function titleOf(reduction: string): string {
  const kind = kindOf(reduction);
  if (!kind) return "";
  const axis = reduction.split(":")[1];
  return kind === "finish" ? "solved" : `${NAMES[kind][0]}${axis ? ` ${axis}` : ""}`;
}

/** Describes `dr:UD` in words. */
export function meaningOf(reduction: string): string {
  const kind = kindOf(reduction);
  const axis = reduction.split(":")[1];
  return kind ? `${NAMES[kind][1]}${axis ? ` on the ${AXIS_NAMES[axis]} axis` : ""}` : "";
}

/**
 * Returns the furthest reduction reached; edges oriented along two axes are no further than along
 * one.
 */
export function furthestReduction({ reductions }: AttemptStatus): string {
  return (
    [...reductions].sort((a, b) => KINDS.indexOf(kindOf(b)!) - KINDS.indexOf(kindOf(a)!))[0] ?? ""
  );
}

/**
 * Returns the case of an insertion, such as "3 corners left"; empty if one insertion cannot finish
 * it.
 */
export function insertionCase({ bad_pieces }: AttemptStatus): string {
  const left = bad_pieces.find(({ step }) => step === "finish");
  if (!left || !["3,0", "0,3", "2,2", "4,0", "0,4"].includes(`${left.corners},${left.edges}`))
    return "";
  return `${[left.corners > 0 && plural(left.corners, "corner"), left.edges > 0 && plural(left.edges, "edge")].filter(Boolean).join(" and ")} left`;
}

/**
 * Returns `true` if a reduction includes a step: HTR includes all DRs, a DR the EOs along the
 * other two axes.
 */
export function includes(reduction: string, step: string): boolean {
  const [[kind, axis], [other, otherAxis]] = [reduction.split(":"), step.split(":")] as [
    string[],
    string[],
  ];
  if (kind === "finish" || reduction === step) return true;
  if (kind === "htr") return other !== "finish";
  return kind === "dr" && other === "eo" && axis !== otherAxis;
}

/** Returns `true` if a step is already reached here. */
export function isReached(
  { reductions }: Pick<AttemptStatus, "reductions">,
  step: string,
): boolean {
  return reductions.some((each) => includes(each, step));
}

/**
 * Returns a step that is already reached before a step of this kind and must be preserved:
 * `eo[max=0] > ` before `dr`. Empty if there is none.
 */
export function keeping(status: AttemptStatus, kind: StepKind): string {
  const isThere = (earlier: StepKind): boolean =>
    ["", ...AXES.map((axis) => `:${axis}`)].some((axis) => isReached(status, earlier + axis));
  const kept = KINDS.slice(0, KINDS.indexOf(kind)).findLast(isThere);
  return kept ? `${kept}[max=0] > ` : "";
}

/** Returns `true` if a step may follow here: one that includes the reductions reached. */
export function mayFollow({ reductions }: AttemptStatus, step: string): boolean {
  return reductions.length === 0 || reductions.some((each) => includes(step, each));
}

/**
 * Returns the kinds of steps that may follow: the next one, then later ones that the engine can
 * reach directly.
 */
export function stepsAfter(reduction: string): StepKind[] {
  switch (kindOf(reduction)) {
    case undefined:
      return ["eo", "dr"];
    case "eo":
      return ["dr"];
    case "dr":
      return ["htr", "finish"];
    default:
      return ["finish"];
  }
}

/** Returns the default steps after a reduction, up to the finish. */
export function defaultStepsAfter(reduction: string): string {
  const [next] = stepsAfter(reduction);
  return DEFAULT_STEPS.split(" > ").slice(KINDS.indexOf(next!)).join(" > ");
}
