// A histogram of lengths.

import { h, setChildren } from "../dom";
import { count } from "../format";

/** The histogram: one bar for each length that occurs. */
export class Distribution {
  readonly element = h("ol", { class: "distribution", "aria-label": "How many positions have each length" });
  private counts = new Map<number, number>();

  clear(): void {
    this.counts.clear();
    setChildren(this.element);
  }

  /** Counts one more position of this length. */
  add(length: number): void {
    this.counts.set(length, (this.counts.get(length) ?? 0) + 1);
    const most = Math.max(...this.counts.values());
    const bars = [...this.counts].sort(([a], [b]) => a - b).map(([each, times]) => {
      const bar = h("span", { class: "bar" });
      bar.style.width = `${(100 * times) / most}%`;
      return h("li", {}, h("span", {}, String(each)), h("span", { class: "track" }, bar), h("span", {}, count(times)));
    });
    setChildren(this.element, ...bars);
  }
}
