// An attempt: a scramble, and a tree of the steps that were tried on it.

import type { AttemptStatus } from "../protocol";
import { movesOf } from "../solve/notation";
import { NONE, joined, known, lengthOf, solutionOf, type NissMoves } from "./moves";

/** The moves of a step, and what is known about them. */
export interface StepResult {
  /** The moves, with those on the inverse in parentheses. */
  moves: string;
  /**
   * The reduction that the step reaches, such as `dr:UD`; empty if there is none, or it is not
   * known yet.
   */
  reduction?: string;
  /**
   * For an insertion, which has no place of its own among the moves: the whole solution; `moves`
   * shows how it is made.
   */
  solution?: string;
  /** The name and the note given by the user. */
  name?: string;
  note?: string;
}

/** A step in the tree. The first one has no moves. */
export interface Step extends Required<StepResult> {
  /** Number of moves of the shortest finish from here, once proven. */
  rest: number | null;
  /** Number of moves of the shortest finish as claimed by a link, which is not proven here. */
  claimed: number | null;
  /** The bad pieces at the step, once known. */
  status: AttemptStatus | undefined;
  parent: Step | null;
  children: Step[];
}

/** A scramble and the steps from it. */
export interface Attempt {
  scramble: string;
  root: Step;
}

/** Creates a step with these parts. */
export function stepOf(result: StepResult, parent: Step | null): Step {
  return {
    reduction: "",
    solution: "",
    name: "",
    note: "",
    ...result,
    rest: null,
    claimed: null,
    status: undefined,
    parent,
    children: [],
  };
}

/** Creates an attempt without steps. */
export function attemptOn(scramble: string): Attempt {
  return { scramble, root: stepOf({ moves: "" }, null) };
}

/** Adds a step and returns it; an existing step is returned instead of adding it again. */
export function add(parent: Step, result: StepResult): Step {
  const same = childLike(parent, result);
  if (same) return same;
  const step = stepOf(result, parent);
  parent.children.push(step);
  return step;
}

/** Returns the child of this step with the same moves. */
export function childLike(parent: Step, { moves, solution = "" }: StepResult): Step | undefined {
  return parent.children.find((child) => child.moves === moves && child.solution === solution);
}

/** Removes a step and its descendants, and returns a function that restores them. */
export function remove(step: Step): () => void {
  const siblings = step.parent!.children;
  const place = siblings.indexOf(step);
  siblings.splice(place, 1);
  return () => void siblings.splice(place, 0, step);
}

/** Returns the steps that lead to a step, beginning with the root, which has no moves. */
export function pathTo(step: Step): Step[] {
  return step.parent ? [...pathTo(step.parent), step] : [step];
}

/** Returns a step and all its descendants, in the order of the list. */
export function allFrom(step: Step): Step[] {
  return [step, ...step.children.flatMap(allFrom)];
}

/** Returns all moves up to a step, with cancellations. */
export function doneBy(step: Step): NissMoves {
  if (step.solution !== "") return { normal: movesOf(step.solution), inverse: [] };
  return step.parent ? joined(doneBy(step.parent), known(step.moves)) : NONE;
}

/** Returns `true` if the step solves the cube. */
export function isSolved({ reduction }: Step): boolean {
  return reduction === "finish";
}

/**
 * Returns the number of moves up to a step; for a step that solves the cube, the number of moves
 * of the solution.
 */
export function totalOf(step: Step): number {
  return isSolved(step) ? solutionOf(doneBy(step)).length : lengthOf(doneBy(step));
}

/**
 * Returns the step at which to continue an attempt: the best solution, or otherwise the step with
 * the most steps before it.
 */
export function furthestOf(attempt: Attempt): Step {
  const depth = (step: Step): number => pathTo(step).length;
  return (
    bestOf(attempt) ??
    allFrom(attempt.root).reduce((one, other) => (depth(other) > depth(one) ? other : one))
  );
}

/** Returns the last step of the best solution of an attempt. */
export function bestOf({ root }: Attempt): Step | undefined {
  return allFrom(root)
    .filter(isSolved)
    .sort((a, b) => totalOf(a) - totalOf(b))[0];
}
