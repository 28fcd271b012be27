// A player of moves: the twisty player of the package `cubing`, and its place in the moves.

import { computed, signal } from "@preact/signals";
import { TwistyPlayer, type AlgIndexer } from "cubing/twisty";
import { Stored } from "../browser-storage";
import { SOLVED } from "../cube/colors";
import type { Mask } from "../goals/mask";

/** `true` if the browser draws in 3D. */
export const hasWebGl = document.createElement("canvas").getContext("webgl2") !== null;

/** `true` if animation is to be avoided: moves are then jumps. */
const REDUCED = matchMedia("(prefers-reduced-motion: reduce)");

const stored = new Stored<{ speed: string }>("speed", { speed: "1.5" }, () => localStorage);
const speed = signal(stored.get().speed);

/** The used part of the player's materials. */
interface MaskMaterial {
  color: { getHex(): number; set(color: string): { convertLinearToSRGB(): void } };
}

/** The colors of the player's mask, and the properties that replace them. */
const MASKS: Record<number, string> = { 0xaaaaaa: "--unconstrained", 0x44ddcc: "--oriented" };

/** The materials of the mask, which all players share, with their properties. */
const masks = new Map<MaskMaterial, string>();

const nextFrame = (): Promise<unknown> => new Promise((drawn) => requestAnimationFrame(drawn));

type PlayOptions = NonNullable<
  Parameters<TwistyPlayer["controller"]["animationController"]["play"]>[0]
>;

export class Player {
  readonly twisty = new TwistyPlayer({
    puzzle: "3x3x3",
    background: "none",
    hintFacelets: "none",
    controlPanel: "none",
    viewerLink: "none",
    visualization: hasWebGl ? "3D" : "2D",
    experimentalSetupAnchor: "start",
    cameraDistance: 5.2,
  });
  /** Moves that produce the shown position, if they are known. */
  readonly setup = signal<string | undefined>("");
  readonly facelets = signal(SOLVED);
  /** The moves that are played. */
  readonly moves = signal("");
  private readonly indexer = signal<AlgIndexer | undefined>(undefined);
  private readonly place = signal({ timestamp: 0, atEnd: false });
  private readonly timeline = signal({ playing: false, atStart: true, atEnd: true });
  /** Timer of the next jump, while playing in jumps. */
  private readonly jumping = signal(0);
  /** Direction of the last step, if nothing else was played since. */
  private readonly stepped = signal<1 | -1 | 0>(0);
  /** The last requested mask. */
  private masking: Mask | undefined;
  /** The number of moves. */
  readonly count = computed(() => this.indexer.value?.numAnimatedLeaves() ?? 0);
  /** The number of moves done. At the end of a move, the indexer still refers to that move. */
  readonly done = computed(() => {
    const { timestamp, atEnd } = this.place.value;
    return atEnd ? this.count.value : (this.indexer.value?.timestampToIndex(timestamp + 1) ?? 0);
  });
  readonly isPlaying = computed(() => this.timeline.value.playing || this.jumping.value !== 0);
  readonly isAtStart = computed(() => this.timeline.value.atStart);
  readonly isAtEnd = computed(() => this.timeline.value.atEnd);
  /** The speed, to be read and written like a signal; it is the same in all players. */
  readonly speed = {
    get value() {
      return speed.value;
    },
    set value(value) {
      speed.value = value;
      stored.set({ speed: value });
    },
  };

  constructor() {
    const { indexer, detailedTimelineInfo, coarseTimelineInfo } = this.twisty.experimentalModel;
    indexer.addFreshListener((indexer) => (this.indexer.value = indexer));
    detailedTimelineInfo.addFreshListener((place) => (this.place.value = place));
    coarseTimelineInfo.addFreshListener((timeline) => (this.timeline.value = timeline));
    speed.subscribe((speed) => (this.twisty.tempoScale = Number(speed)));
  }

  /**
   * Shows the position that these moves produce, with these facelets, without a solution; only the
   * facelets if there are no moves.
   */
  show(setup: string | undefined, facelets: string): void {
    this.setup.value = setup;
    this.facelets.value = facelets;
    this.twisty.experimentalSetupAlg = setup ?? "";
    this.load("");
  }

  /** Grays the facelets outside of a mask, on a cube that has been painted in the user's colors. */
  async mask(mask: Mask | undefined): Promise<void> {
    if (!mask && !this.masking) return;
    this.masking = mask;
    const cube = hasWebGl && (await this.twisty.experimentalCurrentThreeJSPuzzleObject());
    await nextFrame();
    this.twisty.experimentalStickeringMaskOrbits = this.masking ?? (null as never);
    if (!cube) return;
    await nextFrame();
    cube.traverse((part) => {
      const { material } = part as { material?: MaskMaterial };
      const property = material && (masks.get(material) ?? MASKS[material.color.getHex()]);
      if (!property) return;
      masks.set(material, property);
      const color = getComputedStyle(document.documentElement).getPropertyValue(property);
      material.color.set(color).convertLinearToSRGB();
    });
    (cube as { scheduleRenderCallback?: () => void }).scheduleRenderCallback?.();
  }

  /** Loads a solution of the shown position. */
  load(solution: string): void {
    this.pause();
    this.moves.value = solution;
    this.twisty.alg = solution;
    this.twisty.jumpToStart();
  }

  /**
   * Steps one move forwards or backwards. A move that is still turning in the same direction is
   * completed at once.
   */
  step(direction: 1 | -1): void {
    const done = this.done.value;
    if (REDUCED.matches) return this.goTo(done + direction);
    if (this.stepped.value === direction && this.isTurning())
      this.goTo(direction > 0 ? done + 1 : done);
    this.stepped.value = direction;
    const options = {
      direction,
      untilBoundary: "move",
      autoSkipToOtherEndIfStartingAtBoundary: false,
    };
    void this.twisty.controller.animationController.play(options as unknown as PlayOptions);
  }

  /** Returns `true` if a move is partly done. */
  private isTurning(): boolean {
    const { timestamp, atEnd } = this.place.value;
    const start = this.indexer.value?.indexToMoveStartTimestamp(this.done.value);
    return start !== undefined && !atEnd && timestamp > start + 1;
  }

  /** Plays, or pauses. */
  toggle(): void {
    this.stepped.value = 0;
    if (!REDUCED.matches) this.twisty.togglePlay();
    else if (this.jumping.value) this.pause();
    else {
      if (this.place.value.atEnd) this.goTo(0);
      this.jumpSoon();
    }
  }

  /** Schedules the next jump, up to the end. */
  private jumpSoon(): void {
    this.jumping.value = window.setTimeout(
      () => {
        const next = this.done.value + 1;
        this.goTo(next);
        if (next < this.count.value) this.jumpSoon();
      },
      1000 / Number(speed.value),
    );
  }

  pause(): void {
    clearTimeout(this.jumping.value);
    this.jumping.value = 0;
    this.twisty.pause();
  }

  /** Jumps to the position after this many moves. */
  goTo(done: number): void {
    this.pause();
    // The count may still be that of the moves before.
    if (done <= 0) this.twisty.jumpToStart();
    else if (done >= this.count.value) this.twisty.jumpToEnd();
    else this.twisty.timestamp = this.indexer.value?.indexToMoveStartTimestamp(done) ?? 0;
  }
}

/** The player of the view in which one position is solved. */
export const player = new Player();
