// Screen sizes.

import { signal } from "@preact/signals";

/** Screens with one column; the style sheets use the same limit. */
export const ONE_COLUMN = matchMedia("(max-width: 56rem)");

/** `true` while the screen has one column. */
export const isOneColumn = signal(ONE_COLUMN.matches);
ONE_COLUMN.addEventListener("change", () => (isOneColumn.value = ONE_COLUMN.matches));
