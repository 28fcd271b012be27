// Buttons and a slider for the player, in the style of the page.

import type { TwistyPlayer } from "cubing/twisty";
import { h, setAll } from "../dom";
import { icon, type Icon } from "../icons";

/** One move forwards or backwards. */
const STEP = "move" as const;

/** The controls. */
export class Controls {
  private readonly slider = h("input", { type: "range", min: 0, step: "any", "aria-label": "Position in the solution" });
  private readonly start = this.button("start", "To the start", () => this.player.jumpToStart());
  private readonly back = this.button("back", "One move back", () => this.step(-1));
  private readonly playing = this.button("play", "Play", () => this.player.togglePlay());
  private readonly forth = this.button("forth", "One move forward", () => this.step(1));
  private readonly end = this.button("end", "To the end", () => this.player.jumpToEnd());
  readonly element = h("div", { class: "controls" }, this.start, this.back, this.playing, this.forth, this.end, this.slider);

  constructor(private readonly player: TwistyPlayer) {
    this.slider.addEventListener("input", () => {
      player.pause();
      player.timestamp = this.slider.valueAsNumber;
    });
    player.experimentalModel.detailedTimelineInfo.addFreshListener(({ timestamp, timeRange }) => {
      setAll(this.slider, { min: timeRange.start, max: timeRange.end });
      this.slider.valueAsNumber = timestamp;
    });
    player.experimentalModel.coarseTimelineInfo.addFreshListener(({ playing, atStart, atEnd }) => {
      setAll(this.playing, { "aria-label": playing ? "Pause" : "Play", title: playing ? "Pause" : "Play" });
      this.playing.replaceChildren(icon(playing ? "pause" : "play"));
      this.start.disabled = this.back.disabled = atStart;
      this.forth.disabled = this.end.disabled = atEnd;
    });
  }

  private step(direction: 1 | -1): void {
    type Options = NonNullable<Parameters<TwistyPlayer["controller"]["animationController"]["play"]>[0]>;
    const options = { direction, untilBoundary: STEP, autoSkipToOtherEndIfStartingAtBoundary: false };
    void this.player.controller.animationController.play(options as unknown as Options);
  }

  private button(sign: Icon, name: string, act: () => void): HTMLButtonElement {
    return h("button", { type: "button", class: "quiet icon", "aria-label": name, title: name, onclick: act }, icon(sign));
  }
}
