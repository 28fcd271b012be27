// The preview image of links to the offline web app in messengers and forums: a cube in a cube, and
// the solved cube. The build draws it as a PNG, because they do not accept SVG.

import { crc32, deflateSync } from "node:zlib";
import { DEFAULT_APPEARANCE, colorsOf } from "../src/cube/appearance";
import { SOLVED, type Face } from "../src/cube/colors";
import { EXTENT, body, facelets, type Point } from "../src/cube/drawing";

/** The recommended size, in pixels. */
export const [WIDTH, HEIGHT] = [1200, 630];

/** F L F U' R U F2 L2 U' L' B D' B' L2 U. */
const CUBE_IN_A_CUBE = "FFFFUUFUURRURRUUUURFFRFFRRRBBBDDBDDBDDDLLDLLDLBBLBBLLL";

const [PAPER, BODY, ACCENT] = ["#f6f5f1", "#23262c", "#175e8c"];

/** Number of samples per pixel in each direction. */
const SAMPLES = 4;

/** The height of a cube. */
const CUBE = 400;

/** Draws the image, as the bytes of a PNG. */
export function preview(): Buffer {
  const pixels = new Float32Array(3 * WIDTH * HEIGHT);
  const paper = rgb(PAPER);
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = paper[at % 3]!;
  const colors = colorsOf(DEFAULT_APPEARANCE);
  const scale = CUBE / (2 * EXTENT[1]);
  for (const [shown, middle] of [
    [CUBE_IN_A_CUBE, 320],
    [SOLVED, WIDTH - 320],
  ] as [string, number][]) {
    const placed = (corners: Point[]): Point[] =>
      corners.map(([x, y]) => [middle + scale * x, HEIGHT / 2 + scale * y]);
    fill(pixels, placed(body()), BODY);
    for (const { place, corners } of facelets())
      fill(pixels, placed(corners), colors[shown[place] as Face].value);
  }
  const [x, y] = [WIDTH / 2, HEIGHT / 2];
  fill(
    pixels,
    [
      [x - 28, y - 44],
      [x + 32, y],
      [x - 28, y + 44],
    ],
    ACCENT,
  );
  return png(pixels);
}

function rgb(color: string): [number, number, number] {
  return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16)) as [number, number, number];
}

/** Fills a convex polygon; partially covered pixels are blended. */
function fill(pixels: Float32Array, corners: Point[], color: string): void {
  const painted = rgb(color);
  const [left, right, top, bottom] = [0, 1].flatMap((axis) => {
    const values = corners.map((corner) => corner[axis]!);
    return [Math.floor(Math.min(...values)), Math.ceil(Math.max(...values))];
  }) as [number, number, number, number];
  const isInside = (x: number, y: number): boolean => {
    const turns = corners.map(([ax, ay], i) => {
      const [bx, by] = corners[(i + 1) % corners.length]!;
      return (bx - ax) * (y - ay) - (by - ay) * (x - ax);
    });
    return turns.every((turn) => turn >= 0) || turns.every((turn) => turn <= 0);
  };
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      let covered = 0;
      for (let sample = 0; sample < SAMPLES ** 2; sample += 1) {
        if (
          isInside(
            x + ((sample % SAMPLES) + 0.5) / SAMPLES,
            y + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES,
          )
        )
          covered += 1 / SAMPLES ** 2;
      }
      for (let channel = 0; channel < 3; channel += 1) {
        const at = 3 * (y * WIDTH + x) + channel;
        pixels[at] = (1 - covered) * pixels[at]! + covered * painted[channel]!;
      }
    }
  }
}

/** Encodes a PNG with eight bits per channel. */
function png(pixels: Float32Array): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 2], 8);
  // Each row begins with its filter: none.
  const rows = Buffer.alloc((3 * WIDTH + 1) * HEIGHT);
  for (let y = 0; y < HEIGHT; y += 1)
    rows.set(
      pixels.subarray(3 * WIDTH * y, 3 * WIDTH * (y + 1)).map(Math.round),
      (3 * WIDTH + 1) * y + 1,
    );
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const framed = Buffer.alloc(body.length + 8);
    framed.writeUInt32BE(data.length, 0);
    framed.set(body, 4);
    framed.writeUInt32BE(crc32(body), body.length + 4);
    return framed;
  };
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
