// Playback of the moves up to a step on the scramble. Moves on the inverse are played as premoves,
// inverted, until the cube is solved; without other moves, they are played on the inverse.

import { engine } from "#engine";
import { h, setChildren } from "../dom";
import { notice, showError } from "../ui/notice";
import { inverse } from "../solve/notation";
import { Player } from "../solve/player";
import { doneBy, isSolved, type Attempt, type Step } from "./attempt";
import { solutionOf } from "./moves";

/** Plays moves in a dialog. */
export class Playback {
  private player: Player | undefined;
  private readonly start = h("p", { class: "label" });
  private readonly content = h("div", { class: "played" });
  readonly element = h(
    "dialog",
    { class: "card play-step", "aria-label": "Play", onclose: () => this.player?.controls.pause() },
    h(
      "div",
      { class: "row" },
      h("h2", {}, "Play"),
      h("button", { type: "button", class: "quiet", onclick: () => this.element.close() }, "Close"),
    ),
    this.start,
    this.content,
  );

  /** Shows the moves up to a step. */
  async show({ scramble }: Attempt, step: Step): Promise<void> {
    const done = doneBy(step);
    const isOfInverse = !isSolved(step) && done.normal.length === 0 && done.inverse.length > 0;
    const premoves = isSolved(step) || isOfInverse ? "" : inverse(done.inverse.join(" "));
    setChildren(
      this.start,
      `From the ${isOfInverse ? "inverse " : ""}scramble`,
      premoves !== "" && " with premoves ",
      premoves !== "" && h("span", { class: "solution" }, premoves),
      ".",
    );
    this.element.showModal();
    try {
      const scrambled = await engine.check(scramble, false);
      const setup = scrambled.ok
        ? isOfInverse
          ? inverse(scrambled.setup)
          : `${premoves} ${scrambled.setup}`.trim()
        : "";
      const from = setup === "" ? scrambled : await engine.check(setup, false);
      if (!from.ok) return setChildren(this.content, notice(from));
      const player = (this.player ??= new Player());
      setChildren(this.content, player.stage, player.moves.element, player.controls.element);
      player.show(from.setup, from.facelets);
      player.controls.isStrong = true;
      player.load(
        (isSolved(step) ? solutionOf(done) : isOfInverse ? done.inverse : done.normal).join(" "),
      );
    } catch (error) {
      showError(this.content, error);
    }
  }
}
