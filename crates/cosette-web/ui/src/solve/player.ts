// The 3D cube that plays a solution: the twisty player of the package `cubing`.

import { TwistyAlgViewer, TwistyPlayer } from "cubing/twisty";
import { h } from "../dom";
import { Controls } from "./controls";

/** The cube, the controls, and the moves below. */
export class Player {
  private readonly player = new TwistyPlayer({
    puzzle: "3x3x3",
    background: "none",
    hintFacelets: "none",
    controlPanel: "none",
    viewerLink: "none",
    tempoScale: 1.5,
    visualization: hasWebGl() ? "PG3D" : "2D",
    experimentalSetupAnchor: "start",
  });
  private readonly controls = new Controls(this.player);
  private readonly moves = h("div", { class: "moves", role: "group", "aria-label": "The solution; a click on a move goes there" });
  readonly element = h("div", { class: "player" }, h("div", { class: "stage" }, this.player), this.controls.element, this.moves);

  /** Shows the position to which these moves lead, without a solution; a faded solved cube if there are none. */
  show(setup: string | undefined): void {
    this.player.pause();
    this.player.experimentalSetupAlg = setup ?? "";
    this.player.alg = "";
    this.element.classList.toggle("idle", setup === undefined);
    this.controls.element.hidden = true;
    this.moves.replaceChildren();
  }

  /** Loads a solution of that position. */
  load(solution: string): void {
    this.player.pause();
    this.player.alg = solution;
    this.player.jumpToStart();
    this.controls.element.hidden = solution === "";
    this.moves.replaceChildren(new TwistyAlgViewer({ twistyPlayer: this.player }));
  }

  /** Plays the solution from the start. */
  play(): void {
    this.player.jumpToStart();
    this.player.play();
  }
}

function hasWebGl(): boolean {
  return document.createElement("canvas").getContext("webgl2") !== null;
}
