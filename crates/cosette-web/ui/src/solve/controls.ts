// Buttons, a slider and the speed of the player, in the style of the page.

import type { AlgIndexer, TwistyPlayer } from "cubing/twisty";
import { h, select, setAll, setChildren } from "../dom";
import { plural } from "../format";
import { icon, type Icon } from "../ui/icon";
import { Stored } from "../browser-storage";

/** One move forwards or backwards. */
const STEP = "move" as const;

const SPEEDS: [value: string, text: string][] = [
  ["0.5", "slow"],
  ["1.5", "normal"],
  ["4", "fast"],
  ["12", "very fast"],
];

/** `true` if animation is to be avoided: moves are then jumps. */
const REDUCED = matchMedia("(prefers-reduced-motion: reduce)");

/** The controls. */
export class Controls {
  private readonly slider = h("input", {
    type: "range",
    min: 0,
    max: 0,
    step: 1,
    "aria-label": "Position in the solution",
  });
  private readonly start = this.button("start", "Go to start", () => this.goToStart());
  private readonly back = this.button("back", "Previous move", () => this.step(-1));
  private readonly playing = h("button", {
    type: "button",
    class: "play",
    onclick: () => this.toggle(),
  });
  private readonly forth = this.button("forth", "Next move", () => this.step(1));
  private readonly end = this.button("end", "Go to end", () => this.goToEnd());
  private readonly stored = new Stored<{ speed: string }>(
    "speed",
    { speed: "1.5" },
    () => localStorage,
  );
  private readonly speed = select(SPEEDS, this.stored.get().speed);
  readonly element = h(
    "div",
    { class: "controls", role: "group", "aria-label": "Player" },
    this.start,
    this.back,
    this.playing,
    this.forth,
    this.end,
    this.slider,
    this.speed,
  );
  private indexer: AlgIndexer | undefined;
  private place = { timestamp: 0, atEnd: false };
  /** Direction of the last step, if nothing else was played since. */
  private stepped: 1 | -1 | 0 = 0;
  /** Timer of the next jump, while playing in jumps. */
  private jumping = 0;

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
      this.showPlaying(playing || this.jumping !== 0);
      // With the attribute `disabled`, a button would lose the focus.
      for (const button of [this.start, this.back]) setAll(button, { "aria-disabled": atStart });
      for (const button of [this.forth, this.end]) setAll(button, { "aria-disabled": atEnd });
    });
  }

  /**
   * Steps one move forwards or backwards. A move that is still turning in the same direction is
   * completed at once.
   */
  step(direction: 1 | -1): void {
    const done = this.slider.valueAsNumber;
    if (REDUCED.matches) return this.goTo(done + direction);
    if (this.stepped === direction && this.isTurning) this.goTo(direction > 0 ? done + 1 : done);
    this.stepped = direction;
    type Options = NonNullable<
      Parameters<TwistyPlayer["controller"]["animationController"]["play"]>[0]
    >;
    const options = {
      direction,
      untilBoundary: STEP,
      autoSkipToOtherEndIfStartingAtBoundary: false,
    };
    void this.player.controller.animationController.play(options as unknown as Options);
  }

  /** Returns `true` if a move is partly done. */
  private get isTurning(): boolean {
    return (
      this.indexer !== undefined &&
      !this.place.atEnd &&
      this.place.timestamp > this.indexer.indexToMoveStartTimestamp(this.slider.valueAsNumber) + 1
    );
  }

  /** Highlights the play button as the next action. */
  set isStrong(isStrong: boolean) {
    this.playing.classList.toggle("strong", isStrong);
  }

  /** Plays, or pauses. */
  toggle(): void {
    this.stepped = 0;
    if (!REDUCED.matches) this.player.togglePlay();
    else if (this.jumping) this.pause();
    else {
      if (this.place.atEnd) this.goToStart();
      this.jumpSoon();
    }
  }

  /** Schedules the next jump, up to the end. */
  private jumpSoon(): void {
    this.showPlaying(true);
    this.jumping = window.setTimeout(
      () => {
        const next = this.slider.valueAsNumber + 1;
        this.goTo(next);
        if (next < Number(this.slider.max)) this.jumpSoon();
      },
      1000 / Number(this.speed.value),
    );
  }

  pause(): void {
    clearTimeout(this.jumping);
    this.jumping = 0;
    this.player.pause();
    this.showPlaying(false);
  }

  goToStart(): void {
    this.goTo(0);
  }

  goToEnd(): void {
    this.goTo(Number(this.slider.max));
  }

  /** Focuses the play button. */
  focus(): void {
    this.playing.focus({ preventScroll: true });
  }

  /** Jumps to the position after this many moves. */
  goTo(done: number): void {
    this.pause();
    if (done >= Number(this.slider.max)) this.player.jumpToEnd();
    else if (done <= 0) this.player.jumpToStart();
    else this.player.timestamp = this.indexer?.indexToMoveStartTimestamp(done) ?? 0;
  }

  /** The slider counts moves. */
  private show(): void {
    if (!this.indexer) return;
    const moves = this.indexer.numAnimatedLeaves();
    // At the end of a move, the indexer still refers to that move.
    const done = this.place.atEnd ? moves : this.indexer.timestampToIndex(this.place.timestamp + 1);
    setAll(this.slider, { max: moves, "aria-valuetext": `${done} of ${plural(moves, "move")}` });
    this.slider.valueAsNumber = done;
    this.onMove(done);
  }

  private showPlaying(isPlaying: boolean): void {
    setChildren(this.playing, icon(isPlaying ? "pause" : "play"), isPlaying ? " Pause" : " Play");
  }

  private setSpeed(): void {
    this.player.tempoScale = Number(this.speed.value);
    this.stored.set({ speed: this.speed.value });
  }

  private button(sign: Icon, name: string, act: () => void): HTMLButtonElement {
    return h(
      "button",
      { type: "button", class: "quiet icon", "aria-label": name, title: name, onclick: act },
      icon(sign),
    );
  }
}
