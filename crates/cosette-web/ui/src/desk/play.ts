// The moves up to a step, played on the scramble. Moves on the inverse are premoves there, turned round, until the cube is solved.

import { engine } from "#engine";
import { h, setChildren, setText } from "../dom";
import { notice, showError } from "../notice";
import { inverse } from "../solve/notation";
import { Player } from "../solve/player";
import { doneBy, isSolved, type Attempt, type Step } from "./attempt";
import { solutionOf } from "./moves";

/** Plays in a dialog. */
export class Play {
  private player: Player | undefined;
  private readonly start = h("p", { class: "label" });
  private readonly content = h("div", { class: "played" });
  readonly element = h(
    "dialog",
    { class: "card play-step", "aria-label": "Play", onclose: () => this.player?.controls.pause() },
    h("div", { class: "row" }, h("h2", {}, "Play"), h("button", { type: "button", class: "quiet", onclick: () => this.element.close() }, "Close")),
    this.start,
    this.content,
  );

  /** Shows the moves up to a step. */
  async show({ scramble }: Attempt, step: Step): Promise<void> {
    const done = doneBy(step);
    const premoves = isSolved(step) ? "" : inverse(done.inverse.join(" "));
    setText(this.start, premoves === "" ? "From the scramble." : `From the scramble with the premoves ${premoves}.`);
    this.element.showModal();
    try {
      const scrambled = await engine.check(scramble, false);
      const from = scrambled.ok && premoves !== "" ? await engine.check(`${premoves} ${scrambled.setup}`, false) : scrambled;
      if (!from.ok) return setChildren(this.content, notice(from));
      const player = (this.player ??= new Player());
      setChildren(this.content, player.stage, player.moves.element, player.controls.element);
      player.show(from.setup, from.facelets);
      player.load((isSolved(step) ? solutionOf(done) : done.normal).join(" "));
    } catch (error) {
      showError(this.content, error);
    }
  }
}
