// The distance to solved after each move, as a curve.

import { plural } from "../format";
import { isLost, plotOf, type Curve, type Edges } from "./plot";

/** Size of the drawing, in units. */
const [WIDTH, HEIGHT] = [640, 240];

const EDGES: Edges = { left: 30, right: WIDTH - 8, top: 22, bottom: HEIGHT - 26 };

/** The curve, with a band for each step and a mark at each move that lost ground. */
export function DistanceCurve({ curve }: { curve: Curve }) {
  const { moves, steps } = curve;
  const { longest, grid, x, y, path } = plotOf(curve, EDGES);
  const { left, right, top, bottom } = EDGES;
  return (
    <svg
      class="curve"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`The distance to solved after each of ${plural(curve.length, "move")}`}
    >
      {steps.map((step, index) => {
        const own = moves.filter((move) => move.step === index);
        const from = own[0] ? moves[moves.indexOf(own[0]) - 1]?.length : undefined;
        const [begin, end] = [x(from ?? 0), x(own.at(-1)?.length ?? 0)];
        return end - begin < 1 ? null : (
          <g class={index % 2 === 0 ? "band" : "band odd"}>
            <rect x={begin} y={top} width={end - begin} height={bottom - top} />
            <text x={(begin + end) / 2} y={top - 7} text-anchor="middle">
              {shortened(step.label ?? "", (end - begin) / 6.2)}
            </text>
          </g>
        );
      })}
      {grid.map((distance) => (
        <g class="grid">
          <line x1={left} x2={right} y1={y(distance)} y2={y(distance)} />
          <text x={left - 6} y={y(distance) + 4} text-anchor="end">
            {distance}
          </text>
        </g>
      ))}
      {[...Array(Math.floor(longest / 10) + 1).keys()].map((ten) => (
        <text class="axis" x={x(10 * ten)} y={HEIGHT - 8} text-anchor="middle">
          {10 * ten}
        </text>
      ))}
      <polyline class="unproven" points={path("upper_bound")} />
      <polyline class="proven" pathLength={1} points={path("lower_bound")} />
      {moves.filter(isLost).map((move) => (
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
