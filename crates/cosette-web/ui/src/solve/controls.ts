// Buttons, a slider and the speed of the player, in the style of the page.

import type { AlgIndexer, TwistyPlayer } from "cubing/twisty";
import { h, select, setAll, setChildren } from "../dom";
import { plural } from "../format";
import { icon, type Icon } from "../icons";
import { Stored } from "../stored";

/** One move forwards or backwards. */
const STEP = "move" as const;

const SPEEDS: [value: string, text: string][] = [
  ["0.5", "slow"],
  ["1.5", "normal"],
  ["4", "fast"],
  ["12", "very fast"],
];

/** The controls. */
export class Controls {
  private readonly slider = h("input", { type: "range", min: 0, max: 0, step: 1, "aria-label": "Position in the solution" });
  private readonly start = this.button("start", "To the start", () => this.goToStart());
  private readonly back = this.button("back", "One move back", () => this.step(-1));
  private readonly playing = h("button", { type: "button", class: "strong play", onclick: () => this.toggle() });
  private readonly forth = this.button("forth", "One move forward", () => this.step(1));
  private readonly end = this.button("end", "To the end", () => this.goToEnd());
  private readonly stored = new Stored<{ speed: string }>("speed", { speed: "1.5" }, () => localStorage);
  private readonly speed = select(SPEEDS, this.stored.get().speed);
  readonly element = h("div", { class: "controls", role: "group", "aria-label": "Player" }, this.start, this.back, this.playing, this.forth, this.end, this.slider, this.speed);
  private indexer: AlgIndexer | undefined;
  private place = { timestamp: 0, atEnd: false };

  /** `onMove` is called with the number of moves done whenever it may have changed. */
  constructor(
    private readonly player: TwistyPlayer,
    private readonly onMove: (done: number) => void,
  ) {
    setAll(this.speed, { "aria-label": "Speed", onchange: () => this.setSpeed() });
    this.setSpeed();
    this.slider.addEventListener("input", () => this.goTo(this.slider.valueAsNumber));
    const { indexer, detailedTimelineInfo, coarseTimelineInfo } = player.experimentalModel;
    indexer.addFreshListener((fresh) => {
      this.indexer = fresh;
      this.show();
    });
    detailedTimelineInfo.addFreshListener((place) => {
      this.place = place;
      this.show();
    });
    coarseTimelineInfo.addFreshListener(({ playing, atStart, atEnd }) => {
      setChildren(this.playing, icon(playing ? "pause" : "play") as unknown as Node, playing ? " Pause" : " Play");
      this.start.disabled = this.back.disabled = atStart;
      this.forth.disabled = this.end.disabled = atEnd;
    });
  }

  /** One move forwards or backwards. */
  step(direction: 1 | -1): void {
    type Options = NonNullable<Parameters<TwistyPlayer["controller"]["animationController"]["play"]>[0]>;
    const options = { direction, untilBoundary: STEP, autoSkipToOtherEndIfStartingAtBoundary: false };
    void this.player.controller.animationController.play(options as unknown as Options);
  }

  /** Plays, or pauses. */
  toggle(): void {
    this.player.togglePlay();
  }

  goToStart(): void {
    this.player.jumpToStart();
  }

  goToEnd(): void {
    this.player.jumpToEnd();
  }

  /** Puts the focus on the button that plays. */
  focus(): void {
    this.playing.focus({ preventScroll: true });
  }

  /** Goes to where this many moves are done. */
  goTo(done: number): void {
    this.player.pause();
    if (done === Number(this.slider.max)) this.player.jumpToEnd();
    else this.player.timestamp = this.indexer?.indexToMoveStartTimestamp(done) ?? 0;
  }

  /** The slider counts moves. */
  private show(): void {
    if (!this.indexer) return;
    const moves = this.indexer.numAnimatedLeaves();
    // At the very end of a move, the indexer still names that move.
    const done = this.place.atEnd ? moves : this.indexer.timestampToIndex(this.place.timestamp + 1);
    setAll(this.slider, { max: moves, "aria-valuetext": `${done} of ${plural(moves, "move")}` });
    this.slider.valueAsNumber = done;
    this.onMove(done);
  }

  private setSpeed(): void {
    this.player.tempoScale = Number(this.speed.value);
    this.stored.set({ speed: this.speed.value });
  }

  private button(sign: Icon, name: string, act: () => void): HTMLButtonElement {
    return h("button", { type: "button", class: "quiet icon", "aria-label": name, title: name, onclick: act }, icon(sign));
  }
}
