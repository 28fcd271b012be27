// Letters on the facelets of the 3D cube, loaded for those who want them.

import { CanvasTexture } from "three/src/textures/CanvasTexture.js";
import { h } from "../dom";

/** The pixels of a facelet. */
const SIZE = 128;

/** A facelet of this colour with a letter on it. */
export function lettered(letter: string, colour: string, ink: string): unknown {
  const canvas = h("canvas", { width: SIZE, height: SIZE });
  const context = canvas.getContext("2d")!;
  context.fillStyle = colour;
  context.fillRect(0, 0, SIZE, SIZE);
  context.fillStyle = ink;
  context.font = `700 ${0.6 * SIZE}px sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(letter, SIZE / 2, 0.54 * SIZE);
  return new CanvasTexture(canvas);
}
