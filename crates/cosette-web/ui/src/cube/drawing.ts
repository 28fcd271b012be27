// A perspective drawing of the cube without WebGL: the three visible faces, as quadrilaterals. It
// is used for the picture of an answer, and in place of the 3D cube until it is loaded, with the
// same initial viewpoint.

import type { Facelet } from "./colors";

/** A point of the drawing, relative to its center: right and down, in facelet widths. */
export type Point = [x: number, y: number];

/** Half of the width and of the height of a drawing. */
export const EXTENT: Point = [2.29, 2.59];

/**
 * The viewpoint: its longitude right of the front, its latitude above (or below), and its distance
 * from the center.
 */
const [LONGITUDE, LATITUDE, DISTANCE] = [Math.PI / 6, (35 * Math.PI) / 180, 15.6];

/** The side of the viewpoint. */
export type View = "above" | "below";

/** Half of the width of a facelet; the rest is the body between two facelets. */
const HALF = 0.43;

/**
 * The first facelet of a face, the corner of that facelet, and the directions of the columns and
 * rows: x to the right, y up, z to the front.
 */
type Seen = [first: number, corner: number[], column: number[], row: number[]];

const SIDES: Seen[] = [
  [9, [1.5, 1.5, 1.5], [0, 0, -1], [0, -1, 0]],
  [18, [-1.5, 1.5, 1.5], [1, 0, 0], [0, -1, 0]],
];

/** The visible faces. */
const SEEN: Record<View, Seen[]> = {
  above: [[0, [-1.5, 1.5, -1.5], [1, 0, 0], [0, 0, 1]], ...SIDES],
  below: [[27, [-1.5, -1.5, 1.5], [1, 0, 0], [0, 0, -1]], ...SIDES],
};

/** A view from below is the mirror image of the view from above. */
function project([x, y, z]: number[], view: View): Point {
  if (view === "below") {
    const [right, down] = project([x!, -y!, z!], "above");
    return [right, -down];
  }
  const turned = Math.sin(LONGITUDE) * x! + Math.cos(LONGITUDE) * z!;
  const nearer = DISTANCE / (DISTANCE - Math.cos(LATITUDE) * turned - Math.sin(LATITUDE) * y!);
  return [
    nearer * (Math.cos(LONGITUDE) * x! - Math.sin(LONGITUDE) * z!),
    nearer * (Math.sin(LATITUDE) * turned - Math.cos(LATITUDE) * y!),
  ];
}

/** Returns a rectangle of a face, between these columns and rows. */
function rectangle(
  [, corner, column, row]: Seen,
  view: View,
  left: number,
  top: number,
  right: number,
  bottom: number,
): Point[] {
  const at = (columns: number, rows: number): Point =>
    project(
      corner.map((part, i) => part + columns * column[i]! + rows * row[i]!),
      view,
    );
  return [at(left, top), at(right, top), at(right, bottom), at(left, bottom)];
}

/** Returns the outline of the body. */
function body(view: View = "above"): Point[] {
  const corners = [
    [-1, 1, -1],
    [1, 1, -1],
    [1, -1, -1],
    [1, -1, 1],
    [-1, -1, 1],
    [-1, 1, 1],
  ];
  return corners.map(([x, y, z]) =>
    project(
      [x!, view === "above" ? y! : -y!, z!].map((part) => 1.5 * part),
      view,
    ),
  );
}

/** Returns the visible facelets, with their facelet indices. */
function facelets(view: View = "above"): { place: number; corners: Point[] }[] {
  return SEEN[view].flatMap((face) =>
    Array.from({ length: 9 }, (_, number) => {
      const [column, row] = [(number % 3) + 0.5, Math.floor(number / 3) + 0.5];
      return {
        place: face[0] + number,
        corners: rectangle(face, view, column - HALF, row - HALF, column + HALF, row + HALF),
      };
    }),
  );
}

const path = (corners: Point[]): string =>
  `M${corners.map((corner) => corner.map((part) => Number(part.toFixed(3))).join(" ")).join("L")}Z`;

/** The style of a facelet. */
type Style = (facelet: Facelet) => { fill: string; ink?: string };

/** Draws the cube for the page, in the colors of the page. */
export function svg(
  shown: string,
  style: Style,
  marked: readonly number[] = [],
  view: View = "above",
): string {
  const [width, height] = EXTENT;
  return `<svg viewBox="${-width} ${-height} ${2 * width} ${2 * height}">${drawn(shown, "var(--body)", style, marked, view)}</svg>`;
}

/**
 * Returns the elements of an SVG whose view box is centered on the drawing; `style` is the style
 * of each facelet. The facelets at `marked` have a ring.
 */
export function drawn(
  shown: string,
  bodyColor: string,
  style: Style,
  marked: readonly number[] = [],
  view: View = "above",
): string {
  const painted = facelets(view).map(({ place, corners }) => {
    const facelet = shown[place] as Facelet;
    const { fill, ink } = style(facelet);
    const [x, y] = [0, 1].map((axis) => (corners[0]![axis]! + corners[2]![axis]!) / 2) as Point;
    const letter =
      ink === undefined
        ? ""
        : `<text x="${x.toFixed(2)}" y="${(y + 0.15).toFixed(2)}" fill="${ink}" stroke="none">${facelet}</text>`;
    const ring = path(
      corners.map((corner) => corner.map((part, axis) => (part + [x, y][axis]!) / 2) as Point),
    );
    const mark = marked.includes(place) ? `<path class="ring" d="${ring}"/>` : "";
    return `<path d="${path(corners)}" fill="${fill}" stroke="${fill}"/>${letter}${mark}`;
  });
  return `<g stroke-linejoin="round" stroke-width="0.02" font-family="sans-serif" font-weight="700" font-size="0.42" text-anchor="middle"><path d="${path(body(view))}" fill="${bodyColor}" stroke="${bodyColor}"/>${painted.join("")}</g>`;
}
