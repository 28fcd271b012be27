// The screen.

/** Screens with one column, on which painting is folded away at first; the style sheets have the same limit. */
export const ONE_COLUMN = matchMedia("(max-width: 56rem)");
