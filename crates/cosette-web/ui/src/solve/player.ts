// The 3D cube that plays a solution: the twisty player of the package `cubing`.

import { TwistyAlgViewer, TwistyPlayer } from "cubing/twisty";
import { h } from "../dom";

/** The cube, its controls and the moves beside it. */
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
  private readonly moves = h("div", { class: "moves", "aria-label": "The solution; a click on a move goes there" });
  readonly element = h("div", { class: "player" }, this.player, this.moves);

  /** Shows the position to which these moves lead, and nothing to play. */
  show(setup: string): void {
    this.player.pause();
    this.player.experimentalSetupAlg = setup;
    this.player.alg = "";
    this.player.controlPanel = "none";
    this.moves.replaceChildren();
  }

  /** Lays a solution of that position in, ready to be played. */
  lay(solution: string): void {
    this.player.pause();
    this.player.alg = solution;
    this.player.jumpToStart();
    this.player.controlPanel = solution === "" ? "none" : "bottom-row";
    this.moves.replaceChildren(new TwistyAlgViewer({ twistyPlayer: this.player }));
  }

  /** Plays it from the start. */
  play(): void {
    this.player.jumpToStart();
    this.player.play();
  }

  /** Follows the colours of the page. */
  set dark(isDark: boolean) {
    this.player.colorScheme = isDark ? "dark" : "light";
  }
}

function hasWebGl(): boolean {
  return document.createElement("canvas").getContext("webgl2") !== null;
}
