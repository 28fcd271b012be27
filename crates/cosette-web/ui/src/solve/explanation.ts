// What is special about a position, in a few words each.

import { plural } from "../format";
import type { Explanation } from "../protocol";

/** What there is to say. */
export function explained({ rotations, mirrors, inverting, order, is_odd, solutions }: Explanation): string[] {
  const fixed = rotations + mirrors;
  const first = solutions?.first_moves.join(" ");
  const last = solutions?.last_moves.join(" ");
  return [
    fixed === 1 ? "no symmetry" : `${plural(fixed, "symmetry", "symmetries")}: ${plural(rotations, "rotation")}, ${mirrors} mirrored`,
    inverting > 0 ? "symmetric to its inverse" : "",
    order === 1 ? "" : `done ${order} times it is back to solved`,
    `${is_odd ? "odd" : "even"} permutation`,
    first ? `all its shortest solutions begin with one of ${first}` : "",
    last ? `and end with one of ${last}` : "",
  ].filter((said) => said !== "");
}
