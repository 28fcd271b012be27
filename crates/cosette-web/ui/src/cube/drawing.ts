// A perspective drawing of the cube without WebGL: the visible faces, as quadrilaterals. It is used
// for the picture of an answer, in place of the 3D cube until it is loaded, with the same initial
// viewpoint, and for the cube that is painted.

import type { Facelet } from "./colors";

/** A point of the drawing, relative to its center: right and down, in facelet widths. */
export type Point = [x: number, y: number];

/** Half of the width and of the height of a drawing. */
export const EXTENT: Point = [2.29, 2.59];

/** Distance of a viewpoint from the center of the cube. */
const DISTANCE = 15.6;

/** A viewpoint: its longitude right of the front, and its latitude above it. */
export interface Viewpoint {
  longitude: number;
  latitude: number;
}

/** The side of a viewpoint that shows three faces. */
export type View = "above" | "below";

const LONGITUDE = Math.PI / 6;
const LATITUDE = (35 * Math.PI) / 180;

export const VIEWPOINTS: Record<View, Viewpoint> = {
  above: { longitude: LONGITUDE, latitude: LATITUDE },
  below: { longitude: LONGITUDE, latitude: -LATITUDE },
};

/** Half of the width of a facelet; the rest is the body between two facelets. */
const HALF = 0.43;

/** A point or a direction in space: x to the right, y up, z to the front. */
type Vector = [x: number, y: number, z: number];

/** The corner of a face at its first facelet, and the directions of its columns and rows. */
type Side = [corner: Vector, column: Vector, row: Vector];

/** The sides in the order of facelet strings. */
const SIDES: Side[] = [
  [
    [-1.5, 1.5, -1.5],
    [1, 0, 0],
    [0, 0, 1],
  ],
  [
    [1.5, 1.5, 1.5],
    [0, 0, -1],
    [0, -1, 0],
  ],
  [
    [-1.5, 1.5, 1.5],
    [1, 0, 0],
    [0, -1, 0],
  ],
  [
    [-1.5, -1.5, 1.5],
    [1, 0, 0],
    [0, 0, -1],
  ],
  [
    [-1.5, 1.5, -1.5],
    [0, 0, 1],
    [0, -1, 0],
  ],
  [
    [1.5, 1.5, -1.5],
    [-1, 0, 0],
    [0, -1, 0],
  ],
];

/** The point of a side at this column and row. */
const pointOf = ([corner, column, row]: Side, columns: number, rows: number): Vector =>
  corner.map((part, axis) => part + columns * column[axis]! + rows * row[axis]!) as Vector;

/** Returns how much nearer to the viewpoint than the center of the cube a point is. */
function nearness([x, y, z]: Vector, { longitude, latitude }: Viewpoint): number {
  const turned = Math.sin(longitude) * x + Math.cos(longitude) * z;
  return Math.cos(latitude) * turned + Math.sin(latitude) * y;
}

function project(point: Vector, from: Viewpoint): Point {
  const [x, y, z] = point;
  const right = Math.sin(from.longitude);
  const front = Math.cos(from.longitude);
  const scale = DISTANCE / (DISTANCE - nearness(point, from));
  return [
    scale * (front * x - right * z),
    scale * (Math.sin(from.latitude) * (right * x + front * z) - Math.cos(from.latitude) * y),
  ];
}

/** Returns a rectangle of a side, between these columns and rows. */
const rectangle = (
  side: Side,
  from: Viewpoint,
  [left, top]: Point,
  [right, bottom]: Point,
): Point[] =>
  [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ].map(([column, row]) => project(pointOf(side, column!, row!), from));

/** A visible facelet: its facelet index, the corners of its sticker and of the cell around it. */
interface Cell {
  place: number;
  cell: Point[];
  sticker: Point[];
}

/** Returns the visible facelets. */
export function cellsFrom(from: Viewpoint): Cell[] {
  return SIDES.flatMap((side, face) => {
    // The center of a side is also its normal, 1.5 times.
    if (nearness(pointOf(side, 1.5, 1.5), from) * DISTANCE <= 1.5 ** 2) return [];
    return Array.from({ length: 9 }, (_, number) => {
      const column = number % 3;
      const row = Math.floor(number / 3);
      const around = (half: number): Point[] =>
        rectangle(
          side,
          from,
          [column + 0.5 - half, row + 0.5 - half],
          [column + 0.5 + half, row + 0.5 + half],
        );
      return { place: 9 * face + number, cell: around(0.5), sticker: around(HALF) };
    });
  });
}

/** Returns the middle of a quadrilateral. */
export const middleOf = (corners: Point[]): Point =>
  [0, 1].map((axis) => (corners[0]![axis]! + corners[2]![axis]!) / 2) as Point;

/** Returns a quadrilateral of this part of the size within another one, about its middle. */
export function within(corners: Point[], part: number): Point[] {
  const middle = middleOf(corners);
  return corners.map(
    (corner) => corner.map((at, axis) => middle[axis]! + part * (at - middle[axis]!)) as Point,
  );
}

/** Returns a polygon as the path of an SVG. */
export const path = (corners: Point[]): string =>
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
  const cells = cellsFrom(VIEWPOINTS[view]);
  const body = cells.map(({ cell }) => path(cell)).join("");
  const painted = cells.map(({ place, sticker }) => {
    const facelet = shown[place] as Facelet;
    const { fill, ink } = style(facelet);
    const [x, y] = middleOf(sticker);
    const letter =
      ink === undefined
        ? ""
        : `<text x="${x.toFixed(2)}" y="${(y + 0.15).toFixed(2)}" fill="${ink}" stroke="none">${facelet}</text>`;
    const ring = path(within(sticker, 0.5));
    const mark = marked.includes(place) ? `<path class="ring" d="${ring}"/>` : "";
    return `<path d="${path(sticker)}" fill="${fill}" stroke="${fill}"/>${letter}${mark}`;
  });
  const font = 'font-family="sans-serif" font-weight="700" font-size="0.42" text-anchor="middle"';
  return (
    `<g stroke-linejoin="round" stroke-width="0.02" ${font}>` +
    `<path d="${body}" fill="${bodyColor}" stroke="${bodyColor}"/>${painted.join("")}</g>`
  );
}
