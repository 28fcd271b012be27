// The distance to solved after each move, as a curve.

import { plural } from "../format";
import type { Review } from "../protocol";

/** Size of the plot in units, and its margins. */
const [WIDTH, HEIGHT] = [640, 240];
const [LEFT, RIGHT, TOP, BOTTOM] = [30, 8, 22, 26];

/** The curve, with a band for each step and a mark at each move that lost ground. */
export function DistanceCurve({ review }: { review: Review }) {
  const { start, moves, steps } = review;
  const points = [{ ...start, length: 0, change: null as number | null }, ...moves];
  const longest = Math.max(1, ...points.map(({ length }) => length));
  const highest = Math.max(1, ...points.map((point) => point.upper_bound));
  const x = (length: number): number => LEFT + ((WIDTH - LEFT - RIGHT) * length) / longest;
  const y = (distance: number): number =>
    HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * distance) / highest;
  const path = (of: (point: (typeof points)[number]) => number): string =>
    points.map((point) => `${x(point.length)},${y(of(point))}`).join(" ");
  const lost = moves.filter(({ change }) => change !== null && change > 0);
  return (
    <svg
      class="curve"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`The distance to solved after each of ${plural(review.length, "move")}`}
    >
      {steps.map((step, index) => {
        const own = moves.filter((move) => move.step === index);
        const from = own[0] ? moves[moves.indexOf(own[0]) - 1]?.length : undefined;
        const [begin, end] = [x(from ?? 0), x(own.at(-1)?.length ?? 0)];
        return end - begin < 1 ? null : (
          <g class={index % 2 === 0 ? "band" : "band odd"}>
            <rect x={begin} y={TOP} width={end - begin} height={HEIGHT - TOP - BOTTOM} />
            <text x={(begin + end) / 2} y={TOP - 7} text-anchor="middle">
              {shortened(step.label ?? "", (end - begin) / 6.2)}
            </text>
          </g>
        );
      })}
      {[0, 5, 10, 15, 20, 25]
        .filter((distance) => distance <= highest)
        .map((distance) => (
          <g class="grid">
            <line x1={LEFT} x2={WIDTH - RIGHT} y1={y(distance)} y2={y(distance)} />
            <text x={LEFT - 6} y={y(distance) + 4} text-anchor="end">
              {distance}
            </text>
          </g>
        ))}
      {[...Array(Math.floor(longest / 10) + 1).keys()].map((ten) => (
        <text class="axis" x={x(10 * ten)} y={HEIGHT - 8} text-anchor="middle">
          {10 * ten}
        </text>
      ))}
      <polyline class="unproven" points={path((point) => point.upper_bound)} />
      <polyline class="proven" points={path((point) => point.lower_bound)} />
      {lost.map((move) => (
        <circle class="lost" cx={x(move.length)} cy={y(move.lower_bound)} r="4">
          <title>{`${move.move} lost ground: ${move.lower_bound} to go`}</title>
        </circle>
      ))}
    </svg>
  );
}

/** Cuts a text to as many letters as have room. */
function shortened(text: string, letters: number): string {
  if (text.length <= letters) return text;
  return letters < 3 ? "" : `${text.slice(0, Math.floor(letters) - 1)}…`;
}
