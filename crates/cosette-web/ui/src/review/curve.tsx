// The distance to solved after each move, as a curve.

import { signal } from "@preact/signals";
import { plural } from "../format";
import { EFFECTS, effectOf } from "./effect";
import { pathOf, plotOf, scalesOf, type Curve, type Edges, type SearchedPoint } from "./plot";

/** Narrow screens, on which the drawing is narrower. */
const NARROW = matchMedia("(max-width: 30rem)");
const isNarrow = signal(NARROW.matches);
NARROW.addEventListener("change", () => (isNarrow.value = NARROW.matches));

/** Height of the drawing, in units. */
const HEIGHT = 262;

/** Returns the width of the drawing. */
const widthNow = (): number => (isNarrow.value ? 300 : 640);

/** Returns the edges of the plot below so many lines of labels. */
const edgesBelow = (rows: number): Edges => ({
  left: 52,
  right: widthNow() - 12,
  top: 9 + LINE * rows,
  bottom: HEIGHT - 44,
});

/** Width of a letter, and height of a line of a label. */
const LETTER = 5.6;
const LINE = 13;

/** Maximum number of lines of a label above the plot. */
const MAX_LINES = 3;

/** Half turns that solve every position: the scale before any distance is proven. */
const HIGHEST = 20;

/**
 * The curve, with a band for each step, a mark at each move that gained no ground, and the growth
 * of the distance where most ground was lost.
 */
export function DistanceCurve({ curve }: { curve: Curve }) {
  const bands = bandsOf(curve);
  const isUpright = bands.some(({ lines }) => lines === undefined);
  const rows = isUpright ? 1 : Math.max(1, ...bands.map(({ lines }) => lines!.length));
  const { points, path, climbs, ...scales } = plotOf(curve, edgesBelow(rows));
  const { x, y, top, bottom } = scales;
  const last = points.at(-1)!.lower_bound;
  const effects = new Set(curve.moves.map(effectOf));
  const isProven = points.every((point) => point.lower_bound === point.upper_bound);
  const label =
    `Chart of the distance to solved (vertical axis) after each of ` +
    `${plural(curve.length, "move")} (horizontal axis): from ${curve.start.lower_bound} to ${last}`;
  return (
    <figure class="distances">
      <svg class="curve" viewBox={`0 0 ${widthNow()} ${HEIGHT}`} role="img" aria-label={label}>
        {bands.map(({ begin, end, label, lines }, index) => (
          <g class={index % 2 === 0 ? "band" : "band odd"}>
            <rect x={x(begin)} y={top} width={x(end) - x(begin)} height={bottom - top} />
            <BandLabel
              label={label}
              lines={isUpright ? undefined : lines}
              x={x((begin + end) / 2)}
              y={isUpright ? bottom - 6 : top - 7}
            />
          </g>
        ))}
        <Axes {...scales} />
        {!isProven && <polyline class="unproven" points={path("upper_bound")} />}
        <polyline class="proven" pathLength={1} points={path("lower_bound")} />
        {climbs.map(({ path, label, x, y }) => (
          <g class="climb">
            <polyline points={path} />
            <text x={x} y={y - 9} text-anchor="middle">
              {label}
            </text>
          </g>
        ))}
        {curve.moves.map((move) => {
          const effect = effectOf(move);
          return (
            (effect === "lost" || effect === "kept") && (
              <circle class={effect} cx={x(move.length)} cy={y(move.lower_bound)} r="4">
                <title>{`${move.move} ${EFFECTS[effect]}: ${move.lower_bound} to go`}</title>
              </circle>
            )
          );
        })}
      </svg>
      <figcaption class="label">
        {effects.has("lost") && <span class="effect lost">{EFFECTS.lost}</span>}
        {effects.has("kept") && <span class="effect kept">{EFFECTS.kept}</span>}
        {climbs.length > 0 && <span class="effect most">lost the most</span>}
      </figcaption>
    </figure>
  );
}

/**
 * The plot of a running review: the distances of the positions that have been searched, from the
 * end of a solution of this length on.
 */
export function GrowingPlot({ length, points }: { length: number; points: SearchedPoint[] }) {
  const scales = scalesOf(Math.max(1, length), HIGHEST, edgesBelow(1));
  const { left, bottom, x, y } = scales;
  const last = points.at(-1);
  const open = x(last?.length ?? length) - left;
  return (
    <svg class="curve" viewBox={`0 0 ${widthNow()} ${HEIGHT}`} aria-hidden="true">
      <Axes {...scales} />
      <rect class="open" x={left} width={open} y={y(HIGHEST)} height={bottom - y(HIGHEST)} />
      <polyline class="unproven" points={pathOf(points, "upper_bound", scales)} />
      <polyline class="proven" pathLength={1} points={pathOf(points, "lower_bound", scales)} />
      {last && <circle class="latest" cx={x(last.length)} cy={y(last.lower_bound)} r="4" />}
    </svg>
  );
}

/** The lines across the plot, and the numbers and names of its axes. */
function Axes(scales: ReturnType<typeof scalesOf>) {
  const { left, right, top, bottom, x, y, ticks, grid } = scales;
  return (
    <g class="axes">
      {grid.map((distance) => (
        <>
          <line x1={left} x2={right} y1={y(distance)} y2={y(distance)} />
          <text x={left - 6} y={y(distance) + 4} text-anchor="end">
            {distance}
          </text>
        </>
      ))}
      {ticks.map((length) => (
        <text x={x(length)} y={bottom + 19} text-anchor="middle">
          {length}
        </text>
      ))}
      <text x={(left + right) / 2} y={HEIGHT - 5} text-anchor="middle">
        move
      </text>
      <text transform={`translate(15 ${(top + bottom) / 2}) rotate(-90)`} text-anchor="middle">
        distance
      </text>
    </g>
  );
}

/** The label of a band: in lines above it that end at `y`, or upright in it from `y`. */
function BandLabel(props: { label: string; lines: string[] | undefined; x: number; y: number }) {
  const { label, lines, x, y } = props;
  if (!lines) return <text transform={`translate(${x + 4} ${y}) rotate(-90)`}>{label}</text>;
  return (
    <>
      {lines.map((line, row) => (
        <text x={x} y={y - LINE * (lines.length - 1 - row)} text-anchor="middle">
          {line}
        </text>
      ))}
    </>
  );
}

/** The moves of each step, and its label in lines if they fit. */
function bandsOf({ moves, steps }: Curve) {
  const { left, right } = edgesBelow(0);
  const width = (right - left) / Math.max(1, moves.at(-1)?.length ?? 0);
  return steps.flatMap((step, index) => {
    const own = moves.filter((move) => move.step === index);
    const begin = (own[0] && moves[moves.indexOf(own[0]) - 1]?.length) ?? 0;
    const end = own.at(-1)?.length ?? 0;
    const label = step.label ?? "";
    const lines = linesOf(label, (width * (end - begin)) / LETTER);
    return end > begin ? [{ begin, end, label, lines }] : [];
  });
}

/** Breaks a text into lines of so many letters; undefined if they do not fit. */
function linesOf(text: string, letters: number): string[] | undefined {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= letters)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  const isFitting = lines.length <= MAX_LINES && lines.every((line) => line.length <= letters);
  return isFitting ? lines : undefined;
}
