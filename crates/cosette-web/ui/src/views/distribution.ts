// How many positions have each length.

import { fill, h } from "../dom";
import { count } from "../format";

/** Bars, one for each length that occurs. */
export class Distribution {
  readonly element = h("ol", { class: "distribution", "aria-label": "How many positions have each length" });
  private counts = new Map<number, number>();

  clear(): void {
    this.counts.clear();
    fill(this.element);
  }

  /** One more position of this length. */
  add(length: number): void {
    this.counts.set(length, (this.counts.get(length) ?? 0) + 1);
    const most = Math.max(...this.counts.values());
    const bars = [...this.counts].sort(([a], [b]) => a - b).map(([each, times]) => {
      const bar = h("span", { class: "bar" });
      bar.style.width = `${(100 * times) / most}%`;
      return h("li", {}, h("span", {}, String(each)), h("span", { class: "track" }, bar), h("span", {}, count(times)));
    });
    fill(this.element, ...bars);
  }
}
