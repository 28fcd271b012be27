// The distance to solved after each move, as a curve.

import { signal, useSignal, type Signal } from "@preact/signals";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { plural } from "../format";
import { EFFECTS, effectOf, isRotation } from "./effect";
import {
  numberOf,
  pathOf,
  plotOf,
  scalesOf,
  type Curve,
  type Edges,
  type SearchedPoint,
} from "./plot";

/** Height of the drawing in pixels, and its width until it is measured. */
const HEIGHT = 262;
const WIDTH = 640;

/** Width of a letter, and height of a line of a label. */
const LETTER = 6.2;
const LINE = 14;

/** Width of the label of a climb. */
const CLIMB = 46;

/** Half turns that solve every position: the scale before any distance is proven. */
const HIGHEST = 20;

/** Returns the edges of a plot in a drawing of this width, below so many lines of labels. */
const edgesOf = (width: number, rows: number): Edges => ({
  left: 46,
  right: width - 12,
  top: 9 + LINE * rows,
  bottom: HEIGHT - 44,
});

/** Measures the width of a drawing, in whose pixels it is drawn. */
function useWidth() {
  const [width, setWidth] = useState(WIDTH);
  const drawing = useRef<SVGSVGElement>(null);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const measured = Math.round(entry!.contentRect.width);
      // A hidden view has no width.
      if (measured > 0) setWidth(measured);
    });
    observer.observe(drawing.current!);
    return () => observer.disconnect();
  }, []);
  return { width, drawing };
}

/** The curve that was drawn last: it stands when it is shown again. */
const drawn = signal<Curve | undefined>(undefined);

/** Maximum number of lines of a label above the plot. */
const MAX_LINES = 3;

/** The selected place on a curve, a number of moves with rotations, and the hovered one. */
interface Pointer {
  selected: Signal<number>;
  hovered: Signal<number | undefined>;
}

/** Returns a pointer at the scramble, and the place that it shows. */
export function usePointer() {
  const selected = useSignal(0);
  const hovered = useSignal<number | undefined>(undefined);
  return { pointer: { selected, hovered }, shown: hovered.value ?? selected.value };
}

/**
 * The curve, with a band for each step, a mark at each move that gained no ground, and the growth
 * of the distance where most ground was lost. It is a slider over the moves.
 */
export function DistanceCurve({ curve, pointer }: { curve: Curve; pointer: Pointer }) {
  const { width, drawing } = useWidth();
  const { selected, hovered } = pointer;
  const bands = bandsOf(curve, width);
  const rows = Math.max(1, ...bands.map(({ lines }) => lines.length));
  const { points, proven, open, climbs, ...scales } = plotOf(curve, edgesOf(width, rows));
  const { x, y, left, right, top, bottom } = scales;
  const last = points.length - 1;
  const effects = new Set(curve.moves.map(effectOf));
  const shown = hovered.value ?? selected.value;
  const point = points[shown]!;
  const onKey = (event: KeyboardEvent): void => {
    const next = {
      ArrowLeft: shown - 1,
      ArrowDown: shown - 1,
      ArrowRight: shown + 1,
      ArrowUp: shown + 1,
      Home: 0,
      End: last,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    hovered.value = undefined;
    selected.value = Math.max(0, Math.min(last, next));
  };
  const onPointer = (event: PointerEvent): void => {
    const place = event.clientX - drawing.current!.getBoundingClientRect().left;
    const distances = points.map(({ length }) => Math.abs(x(length) - place));
    hovered.value = distances.lastIndexOf(Math.min(...distances));
    if (event.buttons > 0) selected.value = hovered.value;
  };
  return (
    <figure
      class={drawn.value === curve ? "distances" : "distances entering"}
      onAnimationEnd={({ currentTarget }) => {
        if (currentTarget.getAnimations({ subtree: true }).length === 0) drawn.value = curve;
      }}
    >
      <svg
        ref={drawing}
        class="curve"
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="slider"
        tabindex={0}
        aria-label={`Distance to solved after each of ${plural(curve.length, "move")}`}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={shown}
        aria-valuetext={readingOf(curve, shown)}
        onKeyDown={onKey}
        onPointerDown={onPointer}
        onPointerMove={onPointer}
        onPointerLeave={() => (hovered.value = undefined)}
      >
        {bands.map(({ begin, end, lines }, index) => (
          <g class={index % 2 === 0 ? "band" : "band odd"}>
            <rect x={x(begin)} y={top} width={x(end) - x(begin)} height={bottom - top} />
            <BandLabel lines={lines} x={x((begin + end) / 2)} y={top - 7} />
          </g>
        ))}
        <Axes {...scales} />
        {open && <polygon class="unproven" points={open} />}
        <polyline class="proven" pathLength={1} points={proven} />
        {climbs.map(({ path, label, x, y }) => (
          <g class="climb">
            <polyline points={path} />
            <text
              x={Math.max(left + CLIMB / 2, Math.min(right - CLIMB / 2, x))}
              y={y - 9}
              text-anchor="middle"
            >
              {label}
            </text>
          </g>
        ))}
        {curve.moves.map((move) => {
          const effect = effectOf(move);
          return (
            (effect === "lost" || effect === "kept") && (
              <circle class={effect} cx={x(move.length)} cy={y(move.lower_bound)} r="4" />
            )
          );
        })}
        <g class="pointed">
          <line x1={x(point.length)} x2={x(point.length)} y1={top} y2={bottom} />
          <circle cx={x(point.length)} cy={y(point.lower_bound)} r="5.5" />
        </g>
      </svg>
      <figcaption class="label">
        {effects.has("lost") && <span class="effect lost">{EFFECTS.lost}</span>}
        {effects.has("kept") && <span class="effect kept">{EFFECTS.kept}</span>}
        {climbs.length > 0 && <span class="effect most">lost the most</span>}
        {open && <span class="effect open">not proven</span>}
      </figcaption>
    </figure>
  );
}

/** Says the distance after a move, of which the first is number one. */
export function readingOf({ start, moves }: Curve, number: number): string {
  const move = moves[number - 1];
  const { lower_bound, upper_bound } = move ?? start;
  const distance = lower_bound === upper_bound ? lower_bound : `${lower_bound} to ${upper_bound}`;
  const effect = move && effectOf(move);
  return [
    !move ? "Scramble" : isRotation(move) ? move.move : `Move ${move.length}, ${move.move}`,
    [effect && EFFECTS[effect], `${distance} to go`].filter(Boolean).join(", "),
  ].join(": ");
}

/**
 * The plot of a running review: the distances of the positions that have been searched, from the
 * end of a solution of this length on.
 */
export function GrowingPlot({ length, points }: { length: number; points: SearchedPoint[] }) {
  const { width, drawing } = useWidth();
  const scales = scalesOf(Math.max(1, length), HIGHEST, edgesOf(width, 1));
  const { left, bottom, x, y } = scales;
  const last = points.at(-1);
  const open = x(last?.length ?? length) - left;
  return (
    <svg ref={drawing} class="curve" viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
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
          <text x={left - 10} y={y(distance) + 4} text-anchor="end">
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

/** The label of a band, in lines above it that end at `y`. */
function BandLabel({ lines, x, y }: { lines: string[]; x: number; y: number }) {
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

/** The moves of each step, and its label in lines, or its number where not all labels fit. */
function bandsOf({ moves, steps }: Curve, drawingWidth: number) {
  const { left, right } = edgesOf(drawingWidth, 0);
  const width = (right - left) / Math.max(1, moves.at(-1)?.length ?? 0);
  const bands = steps.flatMap((step, index) => {
    const own = moves.filter((move) => move.step === index);
    const begin = (own[0] && moves[moves.indexOf(own[0]) - 1]?.length) ?? 0;
    const end = own.at(-1)?.length ?? 0;
    const letters = (width * (end - begin)) / LETTER;
    const lines = linesOf(step.label ?? "", letters);
    const number = linesOf(String(numberOf(steps, index)), letters) ?? [];
    return end > begin ? [{ begin, end, lines, number }] : [];
  });
  const isFitting = bands.every(({ lines }) => lines);
  return bands.map(({ lines, number, ...band }) => ({
    ...band,
    lines: lines && isFitting ? lines : number,
  }));
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
