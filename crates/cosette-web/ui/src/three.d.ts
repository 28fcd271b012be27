// What is used of `three` beside the player, which brings it without types.

declare module "three/src/textures/CanvasTexture.js" {
  export class CanvasTexture {
    constructor(canvas: HTMLCanvasElement);
  }
}
