// An attempt: a scramble, and a tree of the steps that were tried on it.

import type { Here } from "../protocol";
import { movesOf } from "../solve/notation";
import { NONE, joined, known, lengthOf, solutionOf, type Sides } from "./moves";

/** What a step is made with. */
export interface Made {
  /** Its moves, with those on the inverse in round brackets. */
  moves: string;
  /** What it reaches, as `dr:UD`; empty if that is nothing, or not known yet. */
  reached?: string;
  /** If it is an insertion, which has no place of its own among the moves: the whole solution, of which `moves` shows how it is made. */
  solution?: string;
  /** What the user calls it, and has noted. */
  name?: string;
  note?: string;
}

/** A step in the tree. The first one has no moves. */
export interface Step extends Required<Made> {
  /** How many moves the shortest finish from here takes, once that is proven. */
  rest: number | null;
  /** How many a link says, which is not proven here. */
  claimed: number | null;
  /** What is left there, once that is known. */
  here: Here | undefined;
  parent: Step | null;
  children: Step[];
}

/** A scramble and the steps from it. */
export interface Attempt {
  scramble: string;
  root: Step;
}

/** A step with these parts. */
export function stepOf(made: Made, parent: Step | null): Step {
  return { reached: "", solution: "", name: "", note: "", ...made, rest: null, claimed: null, here: undefined, parent, children: [] };
}

/** An attempt without steps. */
export function attemptOn(scramble: string): Attempt {
  return { scramble, root: stepOf({ moves: "" }, null) };
}

/** Adds a step, and returns it; one that is there already is not added again. */
export function add(parent: Step, made: Made): Step {
  const same = childLike(parent, made);
  if (same) return same;
  const step = stepOf(made, parent);
  parent.children.push(step);
  return step;
}

/** The step after this one that is made like that. */
export function childLike(parent: Step, { moves, solution = "" }: Made): Step | undefined {
  return parent.children.find((child) => child.moves === moves && child.solution === solution);
}

/** Removes a step with all after it, and returns what brings it back. */
export function remove(step: Step): () => void {
  const siblings = step.parent!.children;
  const place = siblings.indexOf(step);
  siblings.splice(place, 1);
  return () => void siblings.splice(place, 0, step);
}

/** The steps that lead to one, from the first, which has no moves. */
export function pathTo(step: Step): Step[] {
  return step.parent ? [...pathTo(step.parent), step] : [step];
}

/** A step and all after it, as they are listed. */
export function allFrom(step: Step): Step[] {
  return [step, ...step.children.flatMap(allFrom)];
}

/** All moves up to a step, added up. */
export function doneBy(step: Step): Sides {
  if (step.solution !== "") return { normal: movesOf(step.solution), inverse: [] };
  return step.parent ? joined(doneBy(step.parent), known(step.moves)) : NONE;
}

/** Whether it solves the cube. */
export function isSolved({ reached }: Step): boolean {
  return reached === "finish";
}

/** How many moves there are up to a step; if they solve the cube, of the solution. */
export function totalOf(step: Step): number {
  return isSolved(step) ? solutionOf(doneBy(step)).length : lengthOf(doneBy(step));
}

/** Where to go on with an attempt: at the best solution, and without one at the step with the most before it. */
export function furthestOf(attempt: Attempt): Step {
  const depth = (step: Step): number => pathTo(step).length;
  return bestOf(attempt) ?? allFrom(attempt.root).reduce((one, other) => (depth(other) > depth(one) ? other : one));
}

/** The best solution of an attempt: its last step. */
export function bestOf({ root }: Attempt): Step | undefined {
  return allFrom(root)
    .filter(isSolved)
    .sort((a, b) => totalOf(a) - totalOf(b))[0];
}
