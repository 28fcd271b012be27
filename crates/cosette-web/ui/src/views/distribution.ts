// A histogram of lengths, compared with the distribution of all positions.

import { h, setChildren } from "../dom";
import { count } from "../format";
import type { Metric } from "../protocol";

/**
 * Number of positions of each length per million, from the counts of all positions (cube20.org):
 * exact up to 15 half turns or 18 quarter turns, estimates beyond.
 */
const ALL: Record<Metric, Record<number, number>> = {
  htm: { 13: 12, 14: 162, 15: 2112, 16: 25_400, 17: 275_000, 18: 663_000, 19: 34_300 },
  qtm: {
    15: 11,
    16: 102,
    17: 940,
    18: 8510,
    19: 69_000,
    20: 322_000,
    21: 438_000,
    22: 161_000,
    23: 555,
  },
};

/**
 * The histogram: one bar for each occurring length, and a mark at the expected height for random
 * positions.
 */
export class Distribution {
  private readonly bars = h("ol", { "aria-label": "Number of positions by length" });
  private readonly legend = h(
    "p",
    { class: "legend" },
    "The marks show the expected counts for random positions.",
  );
  readonly element = h(
    "div",
    { class: "distribution", hidden: true },
    h("h3", {}, "Length distribution"),
    this.bars,
    this.legend,
  );
  private counts = new Map<number, number>();
  private metric: Metric = "htm";

  /** Clears the histogram. */
  clear(metric: Metric): void {
    this.metric = metric;
    this.counts.clear();
    this.element.hidden = true;
  }

  /** Adds a position of this length. */
  add(length: number): void {
    this.counts.set(length, (this.counts.get(length) ?? 0) + 1);
  }

  /** Draws the counts. */
  draw(): void {
    const total = [...this.counts.values()].reduce((sum, times) => sum + times, 0);
    const expected = (length: number): number => (total * (ALL[this.metric][length] ?? 0)) / 1e6;
    const marked = Object.keys(ALL[this.metric])
      .map(Number)
      .filter((length) => expected(length) >= 0.5);
    const lengths = [...new Set([...this.counts.keys(), ...marked])].sort((a, b) => a - b);
    const most = Math.max(
      1,
      ...lengths.flatMap((length) => [this.counts.get(length) ?? 0, expected(length)]),
    );
    this.element.hidden = total === 0;
    setChildren(
      this.bars,
      ...lengths.flatMap((length, at) => {
        const [times, random] = [this.counts.get(length) ?? 0, expected(length)];
        const bar = h("span", { class: "bar" });
        bar.style.width = `${(100 * times) / most}%`;
        const mark =
          random >= 0.5 &&
          h("span", {
            class: "mark",
            title: `expected: about ${count(random)} of ${count(total)} random positions`,
          });
        if (mark) mark.style.left = `${(100 * random) / most}%`;
        const isBeyond = at > 0 && length > lengths[at - 1]! + 1;
        return [
          isBeyond && h("li", { class: "faint", "aria-hidden": true }, "⋮"),
          h(
            "li",
            {},
            h("span", {}, String(length)),
            h("span", { class: "track" }, bar, mark),
            h("span", {}, count(times)),
          ),
        ];
      }),
    );
  }
}
