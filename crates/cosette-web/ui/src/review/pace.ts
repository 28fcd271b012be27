// The pace of a review, from which the time left is estimated.

/** Number of positions that give the pace: the last ones, as they get harder to the scramble. */
const SPAN = 5;

/** Minimum time in seconds that is a basis for an estimate. */
const BASIS = 1;

/** The pace at which positions are searched; times are in seconds. */
export class Pace {
  private readonly marks: { done: number; at: number }[] = [];

  constructor(readonly total: number) {}

  /** The number of positions that have been searched. */
  get done(): number {
    return this.marks.at(-1)?.done ?? 0;
  }

  /** Records the number of positions that have been searched at a time. */
  record(done: number, at: number): void {
    this.marks.push({ done, at });
  }

  /**
   * Estimates the time left until all positions are searched. A position that takes long slows the
   * pace before its search ends. Returns undefined as long as there is no basis.
   */
  secondsLeft(now: number): number | undefined {
    const { done, total } = this;
    const first = this.marks.findLast((mark) => mark.done + SPAN <= done);
    if (!first || done === total || now - first.at < BASIS) return undefined;
    return ((total - done) * (now - first.at)) / (done - first.done);
  }
}
