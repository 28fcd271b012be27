// Letters on the facelets of the 3D cube, loaded on demand.

import { CanvasTexture } from "three/src/textures/CanvasTexture.js";

/** Width of a facelet in pixels. */
const SIZE = 128;

/** Draws a facelet of this color with a letter on it. */
export function lettered(letter: string, color: string, ink: string): unknown {
  const canvas = document.createElement("canvas");
  canvas.width = SIZE;
  canvas.height = SIZE;
  const context = canvas.getContext("2d")!;
  context.fillStyle = color;
  context.fillRect(0, 0, SIZE, SIZE);
  context.fillStyle = ink;
  context.font = `700 ${0.6 * SIZE}px sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(letter, SIZE / 2, 0.54 * SIZE);
  return new CanvasTexture(canvas);
}
