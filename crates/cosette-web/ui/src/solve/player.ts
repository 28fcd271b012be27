// The 3D cube that plays a solution: the twisty player of the package `cubing`.

import { TwistyPlayer } from "cubing/twisty";
import { h } from "../dom";
import { Controls } from "./controls";
import { Moves } from "./moves";

/** The colours of the player, and the names of those of the net. */
const COLOURS: Record<number, string> = { 0x000000: "--body", 0xffffff: "--white", 0xff0000: "--red", 0x00ff00: "--green", 0xffff00: "--yellow", 0xff9900: "--orange", 0x2266ff: "--blue" };

/** What is used of the materials of the player. */
interface Material {
  color: { r: number; g: number; b: number; set(colour: string): { convertLinearToSRGB(): void } };
  opacity: number;
}

/** The cube, the controls, and the moves of the solution. */
export class Player {
  private readonly player = new TwistyPlayer({
    puzzle: "3x3x3",
    background: "none",
    hintFacelets: "none",
    controlPanel: "none",
    viewerLink: "none",
    visualization: hasWebGl() ? "3D" : "2D",
    experimentalSetupAnchor: "start",
    cameraDistance: 5.2,
  });
  readonly moves = new Moves((before) => this.controls.goTo(before));
  readonly controls: Controls = new Controls(this.player, (done) => this.moves.mark(done));
  readonly stage = h("div", { class: "stage" }, this.player);
  private setup = "";

  constructor() {
    if (hasWebGl()) void this.paint();
    this.controls.element.hidden = true;
  }

  /** Shows the position to which these moves lead, without a solution; a faded solved cube if there are none. */
  show(setup: string | undefined): void {
    this.setup = setup ?? "";
    this.player.pause();
    this.player.experimentalSetupAlg = this.setup;
    this.player.alg = "";
    this.stage.classList.toggle("idle", setup === undefined);
    this.controls.element.hidden = true;
    this.moves.show("");
  }

  /** Loads a solution of that position. */
  load(solution: string): void {
    this.player.pause();
    this.player.alg = solution;
    this.player.jumpToStart();
    this.controls.element.hidden = solution === "";
    this.moves.show(solution);
  }

  /** The position and a solution at Twizzle, a site where moves are explored. */
  twizzle(solution: string): string {
    return `https://alpha.twizzle.net/edit/?${new URLSearchParams({ "setup-alg": this.setup, alg: solution })}`;
  }

  /** Gives the cube the colours of the net. */
  private async paint(): Promise<void> {
    const style = getComputedStyle(document.documentElement);
    const cube = await this.player.experimentalCurrentThreeJSPuzzleObject();
    const painted = new Set<Material>();
    cube.traverse((part) => {
      const { material } = part as { material?: Material };
      if (!material || painted.has(material)) return;
      painted.add(material);
      const { r, g, b } = material.color;
      const name = COLOURS[[r, g, b].reduce((hex, part) => 256 * hex + Math.round(255 * part), 0)];
      if (!name) return;
      material.color.set(style.getPropertyValue(name)).convertLinearToSRGB();
      material.opacity = 1;
    });
  }
}

function hasWebGl(): boolean {
  return document.createElement("canvas").getContext("webgl2") !== null;
}
