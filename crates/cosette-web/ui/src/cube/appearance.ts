// How the cube of the user looks: its six colours, how it is held, and letters on the facelets for those who do not see colours. It
// changes what is shown, never what is solved: a face has the same letter with any colours.

import { Stored } from "../stored";
import { FACES, NAMES, OPPOSITE, type Face, type Facelet } from "./colours";

/** The usual colours; those of many Japanese cubes, on which white is opposite to blue; six of the user's. */
export type Scheme = "western" | "japanese" | "own";

export interface Appearance {
  scheme: Scheme;
  /** The six colours of `own`, `#rrggbb`. */
  own: Record<Face, string>;
  /** Which colours of the scheme are up and in front, by the faces that they are on where a cube is held as usual. */
  up: Face;
  front: Face;
  letters: boolean;
}

/** A colour: its name, the key that paints it, and its value, `#rrggbb`. */
export interface Colour {
  name: string;
  key: string;
  value: string;
}

const [WHITE, RED, GREEN, YELLOW, ORANGE, BLUE] = (
  [["white", "#f5f5f2"], ["red", "#d93a2b"], ["green", "#22b24c"], ["yellow", "#ffe135"], ["orange", "#ff8a1f"], ["blue", "#2a6fdb"]] as const
).map(([name, value]): Colour => ({ name, key: name[0]!.toUpperCase(), value })) as [Colour, Colour, Colour, Colour, Colour, Colour];

const SCHEMES: Record<Exclude<Scheme, "own">, Record<Face, Colour>> = {
  western: { U: WHITE, R: RED, F: GREEN, D: YELLOW, L: ORANGE, B: BLUE },
  japanese: { U: WHITE, R: RED, F: GREEN, D: BLUE, L: ORANGE, B: YELLOW },
};

/** Ink on light and on dark facelets. */
const INKS = { dark: "#1b1e24", light: "#ffffff" };

/** White up, green in front. */
export const USUAL: Appearance = {
  scheme: "western",
  own: mapFaces((face) => SCHEMES.western[face].value),
  up: "U",
  front: "F",
  letters: false,
};

/** A value for each face. */
export function mapFaces<T>(of: (face: Face) => T): Record<Face, T> {
  return Object.fromEntries(FACES.map((face) => [face, of(face)])) as Record<Face, T>;
}

/** The axis of each face, from the left to the right, from below, from the back. */
const AXES: Record<Face, [x: number, y: number, z: number]> = { U: [0, 1, 0], R: [1, 0, 0], F: [0, 0, 1], D: [0, -1, 0], L: [-1, 0, 0], B: [0, 0, -1] };

/** What is on the right when these faces are up and in front. */
function rightOf(up: Face, front: Face): Face {
  const [u, f] = [AXES[up], AXES[front]];
  const right = [0, 1, 2].map((i) => u[(i + 1) % 3]! * f[(i + 2) % 3]! - u[(i + 2) % 3]! * f[(i + 1) % 3]!);
  return FACES.find((face) => AXES[face].every((part, i) => part === right[i]))!;
}

/** What is at each face when these faces are up and in front. */
export function heldWith(up: Face, front: Face): Record<Face, Face> {
  const right = rightOf(up, front);
  return { U: up, R: right, F: front, D: OPPOSITE[up], L: OPPOSITE[right], B: OPPOSITE[front] };
}

/** The colours of a scheme, by the faces that they are on where a cube is held as usual. */
export function schemeOf({ scheme, own }: Appearance): Record<Face, Colour> {
  return scheme === "own" ? mapFaces((face) => ({ name: `${NAMES[face]} colour`, key: face, value: own[face] })) : SCHEMES[scheme];
}

/** The colour of each face, as the cube is held. */
export function coloursOf(appearance: Appearance): Record<Face, Colour> {
  const held = heldWith(appearance.up, appearance.front);
  const scheme = schemeOf(appearance);
  return mapFaces((face) => scheme[held[face]]);
}

/** The colours that may be in front when this one is up. */
export function frontsOf(up: Face): Face[] {
  return FACES.filter((face) => face !== up && face !== OPPOSITE[up]);
}

/** What can be read on a facelet of this colour, after WCAG's relative luminance. */
export function inkOn(value: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => (parseInt(value.slice(at, at + 2), 16) / 255) ** 2.2) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? INKS.dark : INKS.light;
}

const stored = new Stored<Appearance>("cube", USUAL, () => localStorage);
let chosen = usable(stored.get());
let colours = coloursOf(chosen);
const listeners = new Set<() => void>();

/** What a browser has kept, unless someone else has written it. */
function usable(kept: Appearance): Appearance {
  const isUsable = kept.scheme in { ...SCHEMES, own: 0 } && frontsOf(kept.up).includes(kept.front) && FACES.includes(kept.up) && FACES.every((face) => /^#[0-9a-f]{6}$/.test(kept.own[face]));
  return isUsable ? kept : USUAL;
}

/** How the cube looks now. */
export const appearance = (): Appearance => chosen;

/** The colour of each face now. */
export const faceColours = (): Record<Face, Colour> => colours;

/** From now on, the cube looks like this. */
export function setAppearance(wanted: Appearance): void {
  chosen = wanted;
  colours = coloursOf(wanted);
  stored.set(wanted);
  for (const listener of listeners) listener();
}

/** Calls this now and whenever the cube looks different. */
export function onAppearance(listener: () => void): void {
  listeners.add(listener);
  listener();
}

/** Hands the colours to the style sheets. */
export function paintPage(): void {
  onAppearance(() => {
    const { style, dataset } = document.documentElement;
    for (const face of FACES) {
      style.setProperty(`--${face}`, colours[face].value);
      style.setProperty(`--on-${face}`, inkOn(colours[face].value));
    }
    if (chosen.letters) dataset.letters = "";
    else delete dataset.letters;
  });
}

/** The name of a facelet's colour. */
export function colourName(facelet: Facelet): string {
  return facelet === "." ? "not painted" : colours[facelet].name;
}

/** The colour that a key paints: the initial of its name, or else the letter of its face. */
export function faceOfKey(key: string): Face | undefined {
  const letter = key.toUpperCase();
  return FACES.find((face) => colours[face].key === letter) ?? FACES.find((face) => face === letter);
}

/** How the cube is held, in a few words. */
export function holding(): string {
  return chosen.scheme === "own" ? "colours of your own" : `${colours.U.name} up, ${colours.F.name} in front`;
}
