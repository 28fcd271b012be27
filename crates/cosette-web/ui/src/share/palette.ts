// The colors of pictures: those of the page in its theme, with the user's cube.

import { FACES } from "../cube/colors";

const TOKENS = ["paper", "ink", "faint", "line", "edge", "accent", "good", "bad", "body"] as const;

/** The colors of a picture, by the names of the design tokens. */
export type Palette = Record<(typeof TOKENS)[number] | (typeof FACES)[number], string>;

/** Returns the colors that the page has now. */
export function pagePalette(): Palette {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(
    [...TOKENS, ...FACES].map((token) => [token, style.getPropertyValue(`--${token}`).trim()]),
  ) as Palette;
}
