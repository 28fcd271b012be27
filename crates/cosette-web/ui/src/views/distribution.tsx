// A histogram of lengths, compared with the distribution of all positions.

import { count } from "../format";
import type { Metric } from "../protocol";
import { chosen, results } from "../stores/batch";
import "./distribution.css";
import { solutionOf } from "./files";

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

/** Number of positions from which they are a distribution. */
const MIN_SHOWN = 10;

/** Number of positions from which they are compared with random ones. */
const MIN_COMPARED = 20;

/**
 * The histogram of the solved lines of a batch, if there are enough: one column for each occurring
 * length and, if there are still more, a mark at the expected height for random positions.
 */
export function Distribution() {
  const counts = new Map<number, number>();
  for (const line of results.value) {
    const length = solutionOf(line)?.length;
    if (length !== undefined) counts.set(length, (counts.get(length) ?? 0) + 1);
  }
  const total = [...counts.values()].reduce((sum, times) => sum + times, 0);
  if (total < MIN_SHOWN) return null;
  const all = ALL[chosen.value.metric as Metric];
  const isCompared = total >= MIN_COMPARED;
  const expected = (length: number): number =>
    isCompared ? (total * (all[length] ?? 0)) / 1e6 : 0;
  const marked = Object.keys(all)
    .map(Number)
    .filter((length) => expected(length) >= 0.5);
  const lengths = [...new Set([...counts.keys(), ...marked])].sort((a, b) => a - b);
  const most = Math.max(
    1,
    ...lengths.flatMap((length) => [counts.get(length) ?? 0, expected(length)]),
  );
  const share = (number: number): string => `${(100 * number) / most}%`;
  // The top of the bar, or a mark that would cover the number there.
  const topOf = (length: number): number => {
    const bar = counts.get(length) ?? 0;
    const mark = expected(length);
    return mark >= 0.5 && mark > bar && mark - bar < 0.15 * most ? mark : bar;
  };
  return (
    <div class="distribution">
      <h3>Length distribution</h3>
      <ol aria-label="Number of positions by length">
        {lengths.map((length, at) => (
          <>
            {at > 0 && length > lengths[at - 1]! + 1 && (
              <li class="faint" aria-hidden="true">
                …
              </li>
            )}
            <li>
              <span>{length}</span>
              <span class="track">
                <span class="bar" style={{ height: share(counts.get(length) ?? 0) }} />
                {expected(length) >= 0.5 && (
                  <span
                    class="mark"
                    style={{ bottom: share(expected(length)) }}
                    title={`expected: about ${count(expected(length))} of ${count(total)} random positions`}
                  />
                )}
                <span class="frequency" style={{ bottom: share(topOf(length)) }}>
                  {count(counts.get(length) ?? 0)}
                </span>
              </span>
            </li>
          </>
        ))}
      </ol>
      <p class="label">
        {`Optimal length in ${chosen.value.metric === "qtm" ? "quarter turns" : "moves"}`}
      </p>
      {isCompared && <p class="label">Ticks: what as many random cubes would give.</p>}
    </div>
  );
}
