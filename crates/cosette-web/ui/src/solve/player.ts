// The 3D cube that plays a solution: the twisty player of the package `cubing`.

import { cube3x3x3 } from "cubing/puzzles";
import { TwistyPlayer } from "cubing/twisty";
import { appearance, faceColors, inkOn, onAppearance } from "../cube/appearance";
import { SOLVED, type Face, type Facelet } from "../cube/colors";
import { svg } from "../cube/drawing";
import { h, setChildren } from "../dom";
import { showError } from "../ui/notice";
import { Controls } from "./controls";
import { Moves } from "./moves";

/** The colors of the player, and the faces of a solved cube that have them; the body is black. */
const COLORS: Record<number, Face | "body"> = {
  0x000000: "body",
  0xffffff: "U",
  0xff0000: "R",
  0x00ff00: "F",
  0xffff00: "D",
  0xff9900: "L",
  0x2266ff: "B",
};

/**
 * The colors of the flat cube, which is shown without WebGL; they are replaced by those of the
 * net.
 */
const FLAT: Record<string, Face> = {
  white: "U",
  red: "R",
  limegreen: "F",
  yellow: "D",
  orange: "L",
  "#26f": "B",
};
const { svg: flat } = cube3x3x3;
cube3x3x3.svg = async () =>
  (await flat()).replace(/fill: ([#\w]+)/g, (fill, color: string) =>
    FLAT[color] ? `fill: var(--${FLAT[color]})` : fill,
  );

/** The used part of the player's materials. */
interface Material {
  color: { r: number; g: number; b: number; set(color: string): { convertLinearToSRGB(): void } };
  opacity: number;
  map: unknown;
  needsUpdate: boolean;
}

/** `true` if the browser draws in 3D. */
const hasWebGl = document.createElement("canvas").getContext("webgl2") !== null;

/** The cube, the controls, and the moves of the solution. */
export class Player {
  private readonly player = new TwistyPlayer({
    puzzle: "3x3x3",
    background: "none",
    hintFacelets: "none",
    controlPanel: "none",
    viewerLink: "none",
    visualization: hasWebGl ? "3D" : "2D",
    experimentalSetupAnchor: "start",
    cameraDistance: 5.2,
  });
  readonly moves = new Moves((before) => this.controls.goTo(before));
  readonly controls: Controls = new Controls(this.player, (done) => this.moves.mark(done));
  /** The drawing shown until the 3D cube is loaded, and in its place if no position is known. */
  private readonly still = h("div", { class: "still", "aria-hidden": true });
  private readonly errors = h("div", { "aria-live": "polite" });
  readonly stage = h("div", { class: "stage" }, this.player, this.still, this.errors);
  private setup = "";
  private facelets = SOLVED;
  private isReady = !hasWebGl;

  constructor() {
    if (hasWebGl) void this.paint();
    onAppearance(() => this.draw());
    this.controls.element.hidden = true;
  }

  /**
   * Shows the position that these moves produce, with these facelets, without a solution; only the
   * facelets if there are no moves.
   */
  show(setup: string | undefined, facelets: string): void {
    this.setup = setup ?? "";
    this.facelets = facelets;
    this.stage.classList.toggle("idle", setup === undefined);
    this.draw();
    this.controls.pause();
    this.player.experimentalSetupAlg = this.setup;
    this.player.alg = "";
    this.controls.element.hidden = true;
    this.moves.show("");
  }

  /** Loads a solution of the shown position. */
  load(solution: string): void {
    this.controls.pause();
    this.player.alg = solution;
    this.player.jumpToStart();
    this.controls.element.hidden = solution === "";
    this.moves.show(solution);
  }

  /** Returns a link to the position and a solution at Twizzle, a site for exploring moves. */
  twizzle(solution: string): string {
    return `https://alpha.twizzle.net/edit/?${new URLSearchParams({ "setup-alg": this.setup, alg: solution })}`;
  }

  /** Gives the cube the colors of the net, and letters if they are enabled. */
  private async paint(): Promise<void> {
    const cube = await this.player.experimentalCurrentThreeJSPuzzleObject();
    const materials = new Map<Material, Face | "body">();
    cube.traverse((part) => {
      const { material } = part as { material?: Material };
      if (!material || materials.has(material)) return;
      const { r, g, b } = material.color;
      const painted =
        COLORS[[r, g, b].reduce((hex, part) => 256 * hex + Math.round(255 * part), 0)];
      if (painted) materials.set(material, painted);
    });
    const { scheduleRenderCallback } = cube as { scheduleRenderCallback?: () => void };
    onAppearance(() => void this.color(materials).then(scheduleRenderCallback));
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        this.isReady = true;
        this.draw();
      }),
    );
  }

  private async color(materials: Map<Material, Face | "body">): Promise<void> {
    setChildren(this.errors);
    const letters = appearance().letters
      ? await import("./face-letters").catch((error: unknown) => void showError(this.errors, error))
      : undefined;
    const colors = faceColors();
    const body = getComputedStyle(document.documentElement).getPropertyValue("--body");
    for (const [material, face] of materials) {
      const value = face === "body" ? body : colors[face].value;
      material.opacity = 1;
      material.map =
        face === "body" || !letters ? null : letters.lettered(face, value, inkOn(value));
      material.color.set(material.map ? "#ffffff" : value).convertLinearToSRGB();
      material.needsUpdate = true;
    }
  }

  /** Draws the cube without WebGL, if it is visible. */
  private draw(): void {
    const isIdle = this.stage.classList.contains("idle");
    this.still.hidden = this.isReady && !isIdle;
    if (this.still.hidden) return;
    const look = (facelet: Facelet): { fill: string; ink?: string } =>
      facelet === "."
        ? { fill: "var(--unpainted)" }
        : {
            fill: `var(--${facelet})`,
            ...(appearance().letters && { ink: `var(--on-${facelet})` }),
          };
    this.still.innerHTML = svg(this.facelets, look);
  }
}
