// Appearance of the user's cube: its six colors, its orientation, and letters on the facelets for
// users who do not see colors. It affects only the display, never the solving: a face has the same
// letter with any colors.

import { computed, effect, signal } from "@preact/signals";
import { Stored } from "../browser-storage";
import { FACES, NAMES, OPPOSITE, type Face, type Facelet } from "./colors";

/**
 * The color schemes: the default one; the scheme of many Japanese cubes, with white opposite blue;
 * six colors of the user.
 */
export type Scheme = "western" | "japanese" | "own";

export interface Appearance {
  scheme: Scheme;
  /** The six colors of the scheme `own`, `#rrggbb`. */
  own: Record<Face, string>;
  /**
   * The colors of the scheme that are up and in front, by their faces in the default orientation.
   */
  up: Face;
  front: Face;
  letters: boolean;
}

/** A color: its name, the key that paints it, and its value, `#rrggbb`. */
export interface Color {
  name: string;
  key: string;
  value: string;
}

const WHITE: Color = { name: "white", key: "W", value: "#f5f5f2" };
const RED: Color = { name: "red", key: "R", value: "#d93a2b" };
const GREEN: Color = { name: "green", key: "G", value: "#22b24c" };
const YELLOW: Color = { name: "yellow", key: "Y", value: "#ffe135" };
const ORANGE: Color = { name: "orange", key: "O", value: "#ff8a1f" };
const BLUE: Color = { name: "blue", key: "B", value: "#2a6fdb" };

const SCHEMES: Record<Exclude<Scheme, "own">, Record<Face, Color>> = {
  western: { U: WHITE, R: RED, F: GREEN, D: YELLOW, L: ORANGE, B: BLUE },
  japanese: { U: WHITE, R: RED, F: GREEN, D: BLUE, L: ORANGE, B: YELLOW },
};

/** Ink on light and on dark facelets. */
const INKS = { dark: "#1b1e24", light: "#ffffff" };

/** White up, green in front. */
export const DEFAULT_APPEARANCE: Appearance = {
  scheme: "western",
  own: mapFaces((face) => SCHEMES.western[face].value),
  up: "U",
  front: "F",
  letters: false,
};

/** Computes a value for each face. */
function mapFaces<T>(of: (face: Face) => T): Record<Face, T> {
  return Object.fromEntries(FACES.map((face) => [face, of(face)])) as Record<Face, T>;
}

/** The axis of each face: left to right, bottom to top, back to front. */
export const AXES: Record<Face, [x: number, y: number, z: number]> = {
  U: [0, 1, 0],
  R: [1, 0, 0],
  F: [0, 0, 1],
  D: [0, -1, 0],
  L: [-1, 0, 0],
  B: [0, 0, -1],
};

/** Returns the right face when these faces are up and in front. */
function rightOf(up: Face, front: Face): Face {
  const u = AXES[up];
  const f = AXES[front];
  const right = [0, 1, 2].map(
    (i) => u[(i + 1) % 3]! * f[(i + 2) % 3]! - u[(i + 2) % 3]! * f[(i + 1) % 3]!,
  );
  return FACES.find((face) => AXES[face].every((part, i) => part === right[i]))!;
}

/** Returns the face at each location when these faces are up and in front. */
export function heldWith(up: Face, front: Face): Record<Face, Face> {
  const right = rightOf(up, front);
  return { U: up, R: right, F: front, D: OPPOSITE[up], L: OPPOSITE[right], B: OPPOSITE[front] };
}

/** Returns the colors of a scheme, by their faces in the default orientation. */
export function schemeOf({ scheme, own }: Appearance): Record<Face, Color> {
  return scheme === "own"
    ? mapFaces((face) => ({ name: `${NAMES[face]} color`, key: face, value: own[face] }))
    : SCHEMES[scheme];
}

/** Returns the color of each face in the chosen orientation. */
export function colorsOf(appearance: Appearance): Record<Face, Color> {
  const held = heldWith(appearance.up, appearance.front);
  const scheme = schemeOf(appearance);
  return mapFaces((face) => scheme[held[face]]);
}

/** Returns the colors that can be in front when this color is up. */
export function frontsOf(up: Face): Face[] {
  return FACES.filter((face) => face !== up && face !== OPPOSITE[up]);
}

/** Returns the readable ink on a facelet of this color, by WCAG's relative luminance. */
export function inkOn(value: string): string {
  const [red, green, blue] = [1, 3, 5].map(
    (at) => (parseInt(value.slice(at, at + 2), 16) / 255) ** 2.2,
  ) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? INKS.dark : INKS.light;
}

const stored = new Stored<Appearance>("cube", DEFAULT_APPEARANCE, () => localStorage);
const chosen = signal(usable(stored.get()));
const colors = computed(() => colorsOf(chosen.value));

/** Returns the stored appearance if it is valid; another program may have written it. */
function usable(kept: Appearance): Appearance {
  const isUsable =
    kept.scheme in { ...SCHEMES, own: 0 } &&
    frontsOf(kept.up).includes(kept.front) &&
    FACES.includes(kept.up) &&
    FACES.every((face) => /^#[0-9a-f]{6}$/.test(kept.own[face]));
  return isUsable ? kept : DEFAULT_APPEARANCE;
}

/** Returns the current appearance. */
export const appearance = (): Appearance => chosen.value;

/** Returns the current color of each face. */
export const faceColors = (): Record<Face, Color> => colors.value;

/** Sets the appearance of the cube. */
export function setAppearance(wanted: Appearance): void {
  chosen.value = wanted;
  stored.set(wanted);
}

/** Passes the colors to the style sheets. */
export function paintPage(): void {
  effect(() => {
    const { style, dataset } = document.documentElement;
    for (const face of FACES) {
      style.setProperty(`--${face}`, colors.value[face].value);
      style.setProperty(`--on-${face}`, inkOn(colors.value[face].value));
    }
    if (chosen.value.letters) dataset.letters = "";
    else delete dataset.letters;
  });
}

/** Returns the name of a facelet's color. */
export function colorName(facelet: Facelet): string {
  return facelet === "." ? "unpainted" : colors.value[facelet].name;
}

/**
 * Returns the face whose color a key paints: the key is the initial of the color, or otherwise the
 * letter of the face.
 */
export function faceOfKey(key: string): Face | undefined {
  const letter = key.toUpperCase();
  return (
    FACES.find((face) => colors.value[face].key === letter) ?? FACES.find((face) => face === letter)
  );
}

/** Describes the orientation of the cube in a few words. */
export function holding(): string {
  const { U, F } = colors.value;
  return chosen.value.scheme === "own" ? "custom colors" : `${U.name} up, ${F.name} front`;
}
