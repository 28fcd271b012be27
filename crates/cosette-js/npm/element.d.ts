/**
 * `<cosette-cube>`: a player of a position and its solution, the proof of the optimal length, and a
 * link to the position in the web app. Importing the module registers the element; on a server, it
 * has no effect. Changes of the attributes have effect at once.
 */
export class CosetteCube extends HTMLElement {}

/** The attributes of `<cosette-cube>`. */
export interface CosetteCubeAttributes {
  /** The position: moves, 54 facelets, Reid notation or Speffz cycles. */
  scramble: string;
  /** A solution to play. Default: the one that the visitor asks for. */
  solution?: string | undefined;
  /** The proven length of a shortest solution in HTM, shown without a proof. */
  length?: number | string | undefined;
  /** The address of the web app. Default: that of the project. */
  app?: string | undefined;
}

declare global {
  interface HTMLElementTagNameMap {
    "cosette-cube": CosetteCube;
  }
}
