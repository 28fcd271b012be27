// The parts of `three` used by the page; the player includes the library without types.

declare module "three/src/textures/CanvasTexture.js" {
  export class CanvasTexture {
    constructor(canvas: HTMLCanvasElement);
  }
}
