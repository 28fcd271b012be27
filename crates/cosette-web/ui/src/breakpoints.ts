// Screen sizes.

/**
 * Screens with one column, on which the net is folded at first; the style sheets use the same
 * limit.
 */
export const ONE_COLUMN = matchMedia("(max-width: 56rem)");
