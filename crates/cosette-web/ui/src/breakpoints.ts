// Screen sizes.

/** Screens with one column; the style sheets use the same limit. */
export const ONE_COLUMN = matchMedia("(max-width: 56rem)");
