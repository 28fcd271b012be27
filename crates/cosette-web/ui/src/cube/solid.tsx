// The cube to paint, in perspective: a drag that begins on a sticker paints; one that begins beside
// the cube or on a center, or with another button, turns the cube. The net is its accessible twin.

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { IconSign } from "../ui/icon";
import { appearance, faceOfKey } from "./appearance";
import type { Facelet } from "./colors";
import {
  EXTENT,
  VIEWPOINTS,
  cellsFrom,
  middleOf,
  path,
  within,
  type Point,
  type Viewpoint,
} from "./drawing";
import "./solid.css";
import { isCenter, placeOf, useStroke, type Paintable } from "./stroke";

/** Angle that the cube turns for each pixel of a drag. */
const PER_PIXEL = 0.01;

/** Maximum latitude of a viewpoint. */
const STEEPEST = 1.2;

/** Part of the remaining way that a turn goes in each frame. */
const PACE = 0.25;

const REDUCED = matchMedia("(prefers-reduced-motion: reduce)");

const [WIDTH, HEIGHT] = EXTENT;

/** Turns by the keys and buttons: the new viewpoint. */
const TURNS: Record<string, [name: string, turned: (from: Viewpoint) => Viewpoint]> = {
  ArrowLeft: ["left", (from) => ({ ...from, longitude: from.longitude + Math.PI / 2 })],
  ArrowUp: ["up", (from) => ({ ...from, latitude: VIEWPOINTS.below.latitude })],
  ArrowDown: ["down", (from) => ({ ...from, latitude: VIEWPOINTS.above.latitude })],
  ArrowRight: ["right", (from) => ({ ...from, longitude: from.longitude - Math.PI / 2 })],
};

/** The path of a frame within a sticker, between these parts of its size. */
const frame = (sticker: Point[], outer: number, inner: number): string =>
  path(within(sticker, outer)) + path(within(sticker, inner));

/** The paintable cube. `label` describes the subject of the painting; `onKeyDown` gets other keys. */
export function Solid(
  props: Paintable & { label: string; onKeyDown: (event: KeyboardEvent) => void },
) {
  const { facelets, brush, marks = [] } = props;
  const seen = useSignal(VIEWPOINTS.above);
  /** The viewpoint at the end of a turn. */
  const wanted = useRef(VIEWPOINTS.above);
  /** The place of the pointer while it turns the cube. */
  const drag = useRef<{ x: number; y: number } | undefined>(undefined);
  const stroke = useStroke(props);
  const look = (from: Viewpoint): void => {
    wanted.current = seen.value = from;
  };
  const turn = (turned: (from: Viewpoint) => Viewpoint): void => {
    const isTurning = wanted.current !== seen.value;
    wanted.current = turned(wanted.current);
    if (REDUCED.matches) look(wanted.current);
    else if (!isTurning) approach();
  };
  const approach = (): void => {
    const from = seen.value;
    const to = wanted.current;
    const right = to.longitude - from.longitude;
    const up = to.latitude - from.latitude;
    if (Math.abs(right) + Math.abs(up) < 0.01) return look(to);
    seen.value = {
      longitude: from.longitude + PACE * right,
      latitude: from.latitude + PACE * up,
    };
    requestAnimationFrame(approach);
  };
  const onPointerDown = (event: PointerEvent & { currentTarget: HTMLElement }): void => {
    const place = placeOf(event.target);
    if (event.button === 0 && place !== undefined && !isCenter(place))
      return stroke.onPointerDown(event);
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, y: event.clientY };
  };
  const onPointerMove = (event: PointerEvent): void => {
    if (!drag.current) return stroke.onPointerMove(event);
    const { longitude, latitude } = seen.value;
    const { clientX: x, clientY: y } = event;
    const tilted = latitude + PER_PIXEL * (y - drag.current.y);
    look({
      longitude: longitude - PER_PIXEL * (x - drag.current.x),
      latitude: Math.max(-STEEPEST, Math.min(STEEPEST, tilted)),
    });
    drag.current = { x, y };
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return props.onKeyDown(event);
    const [, turned] = TURNS[event.key] ?? [];
    const color = faceOfKey(event.key);
    if (turned) turn(turned);
    else if (color) brush.value = color;
    else return props.onKeyDown(event);
    event.preventDefault();
  };
  return (
    <div class="solid" role="group" aria-label={props.label} tabIndex={-1} onKeyDown={onKey}>
      <div
        class="surface"
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onLostPointerCapture={() => (drag.current = undefined)}
        onContextMenu={(event) => event.preventDefault()}
      >
        <svg viewBox={`${-WIDTH} ${-HEIGHT} ${2 * WIDTH} ${2 * HEIGHT}`} aria-hidden="true">
          {cellsFrom(seen.value).map(({ place, cell, sticker }) => {
            const facelet = facelets[place] as Facelet;
            const mark = marks.find(({ facelet_indices }) => facelet_indices.includes(place));
            const [x, y] = middleOf(sticker);
            const letter = mark?.sign ?? (appearance().letters && facelet !== "." ? facelet : "");
            return (
              <g key={place} class={mark ? "fault" : ""} data-color={facelet}>
                <path
                  class={isCenter(place) ? "cell center" : "cell"}
                  data-place={place}
                  d={path(cell)}
                />
                <path class="sticker" d={path(sticker)} />
                {mark && (
                  <>
                    <path class="ring" d={frame(sticker, 1, 0.8)} />
                    <path class="ring gap" d={frame(sticker, 0.8, 0.68)} />
                  </>
                )}
                {letter ? (
                  <text x={x} y={y}>
                    {letter}
                  </text>
                ) : (
                  isCenter(place) && <circle cx={x} cy={y} r="0.13" />
                )}
              </g>
            );
          })}
        </svg>
      </div>
      <div class="turns">
        {Object.values(TURNS).map(([name, turned]) => (
          <button
            type="button"
            class={`icon ${name}`}
            title={`Turn the cube ${name}`}
            aria-label={`Turn the cube ${name}`}
            onClick={() => turn(turned)}
          >
            <IconSign name="play" />
          </button>
        ))}
      </div>
      <p class="label">Paint here too. Drag beside the cube to turn it.</p>
    </div>
  );
}
