// The steps of fewest moves: their names, which may follow what is reached, and how they are asked for.

import { plural } from "../format";
import type { Here } from "../protocol";

/** What a step reaches. */
export type Kind = "eo" | "dr" | "htr" | "finish";

/** In the order in which they are reached. */
export const KINDS: Kind[] = ["eo", "dr", "htr", "finish"];

/** The axes, in the order in which they are named. */
export const AXES = ["FB", "RL", "UD"];

const AXIS_NAMES: Record<string, string> = { FB: "front and back", RL: "right and left", UD: "top and bottom" };

/** What they are called, in short and in full. */
export const NAMES: Record<Kind, [short: string, full: string]> = {
  eo: ["EO", "EO (edges oriented)"],
  dr: ["DR", "DR (domino reduction)"],
  htr: ["HTR", "HTR (half turns)"],
  finish: ["finish", "finish (solved)"],
};

/** The usual steps, for skeletons. */
export const USUAL = "eo[max=5] > dr > htr > finish";

/** Up to how many moves a step is found at first, where that is not the fewest that there are. */
export const USUAL_MOST: Partial<Record<Kind, number>> = { eo: 4 };

/** What a step is, of what it reaches along an axis: `dr` of `dr:UD`. */
export function kindOf(reached: string): Kind | undefined {
  return KINDS.find((kind) => kind === reached.split(":")[0]);
}

/** `dr:UD` as it is shown: "DR UD". */
export function titleOf(reached: string): string {
  const kind = kindOf(reached);
  if (!kind) return "";
  const axis = reached.split(":")[1];
  return kind === "finish" ? "solved" : `${NAMES[kind][0]}${axis ? ` ${axis}` : ""}`;
}

/** `dr:UD` in words. */
export function meaningOf(reached: string): string {
  const [kind, axis] = [kindOf(reached), reached.split(":")[1]];
  return kind ? `${NAMES[kind][1]}${axis ? `, along ${AXIS_NAMES[axis]}` : ""}` : "";
}

/** "1 EO", "2 EOs". */
export function counted(number: number, kind: Kind): string {
  return plural(number, NAMES[kind][0], kind === "finish" ? "finishes" : undefined);
}

/** The most that is reached: all edges oriented along two axes is no more than along one. */
export function mostOf({ reached }: Here): string {
  return [...reached].sort((a, b) => KINDS.indexOf(kindOf(b)!) - KINDS.indexOf(kindOf(a)!))[0] ?? "";
}

/** "3 corners left", where that is little enough for one insertion; empty elsewhere. */
export function leftFew({ bad }: Here): string {
  const left = bad.find(({ step }) => step === "finish");
  if (!left || !["3,0", "0,3", "2,2", "4,0", "0,4"].includes(`${left.corners},${left.edges}`)) return "";
  return `${[left.corners > 0 && plural(left.corners, "corner"), left.edges > 0 && plural(left.edges, "edge")].filter(Boolean).join(" and ")} left`;
}

/** Whether what is reached includes a step: after HTR all DRs, after a DR the EOs along the other two axes. */
export function includes(reached: string, step: string): boolean {
  const [[kind, axis], [other, otherAxis]] = [reached.split(":"), step.split(":")] as [string[], string[]];
  if (kind === "finish" || reached === step) return true;
  if (kind === "htr") return other !== "finish";
  return kind === "dr" && other === "eo" && axis !== otherAxis;
}

/** Whether a step is reached here. */
export function isReached({ reached }: Pick<Here, "reached">, step: string): boolean {
  return reached.some((each) => includes(each, step));
}

/** A step that is reached already, before one of this kind, so that it is kept: `eo[max=0] > ` before `dr`. Empty if none is. */
export function keeping(here: Here, kind: Kind): string {
  const isThere = (earlier: Kind): boolean => ["", ...AXES.map((axis) => `:${axis}`)].some((axis) => isReached(here, earlier + axis));
  const kept = KINDS.slice(0, KINDS.indexOf(kind)).findLast(isThere);
  return kept ? `${kept}[max=0] > ` : "";
}

/** Whether a step may follow here: one that includes what is reached. */
export function mayFollow({ reached }: Here, step: string): boolean {
  return reached.length === 0 || reached.some((each) => includes(step, each));
}

/** The kinds of steps that may follow: first the next one, then those beyond it, for which the engine has a way. */
export function stepsAfter(reached: string): Kind[] {
  switch (kindOf(reached)) {
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

/** The usual steps from what is reached, to the end. */
export function usualAfter(reached: string): string {
  const [next] = stepsAfter(reached);
  return USUAL.split(" > ").slice(KINDS.indexOf(next!)).join(" > ");
}
