// The effect of a move on the distance to solved.

import type { ReviewedMove } from "../protocol";

/** Words for the effects. */
export const EFFECTS = { gained: "gained ground", kept: "kept the distance", lost: "lost ground" };

export type Effect = keyof typeof EFFECTS;

/** Returns the effect of a move; undefined if it is not known, or the move is a rotation. */
export function effectOf({
  change,
  move,
}: Pick<ReviewedMove, "change" | "move">): Effect | undefined {
  if (change === null || /^[xyz]/.test(move)) return undefined;
  return change < 0 ? "gained" : change > 0 ? "lost" : "kept";
}
