// The effect of a move on the distance to solved.

import type { ReviewedMove } from "../protocol";

/** Words for the effects. */
export const EFFECTS = { gained: "gained ground", kept: "kept the distance", lost: "lost ground" };

export type Effect = keyof typeof EFFECTS;

/** Returns `true` if a move turns the cube as a whole. */
export const isRotation = ({ move }: Pick<ReviewedMove, "move">): boolean => /^[xyz]/.test(move);

/** Returns the effect of a move; undefined if it is not known, or the move is a rotation. */
export function effectOf(move: Pick<ReviewedMove, "change" | "move">): Effect | undefined {
  const { change } = move;
  if (change === null || isRotation(move)) return undefined;
  return change < 0 ? "gained" : change > 0 ? "lost" : "kept";
}
