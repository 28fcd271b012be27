// Named goals as texts and as facelets.

import { SOLVED_GOAL, namedIn, type NamedGoal } from "./names";
import { ORIENTED, SPECIAL, variantNamed } from "./picture";

/** Any variant. */
export const ANY = "";

/** Returns the text of a variant of a goal; empty for the solved cube. */
export function textOf({ name }: NamedGoal, variant: string): string {
  return name === SOLVED_GOAL ? "" : `${name}${variant && `:${variant}`}`;
}

/**
 * Returns the fixed facelets of the named goal in a text, for its variant or the default one;
 * undefined if several variants are meant, or for another text.
 */
export function paintingOf(text: string): string | undefined {
  const named = namedIn(text);
  if (!named || named.goal.name in SPECIAL) return undefined;
  return variantNamed({
    ...named,
    variant: named.variant || named.goal.defaultVariant,
  })?.facelets.replaceAll(ORIENTED, ".");
}
