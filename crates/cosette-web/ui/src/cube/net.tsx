// The unfolded cube: 54 facelets, which can be painted with the pointer or with keys.
//
//          U                    U
//        L F R B     or       L F R
//          D                    D
//                               B   on narrow screens, turned as it hangs together

import { useRef, useState } from "preact/hooks";
import { colorName, faceOfKey } from "./appearance";
import { FACES, NAMES, UNFOLDED, type Face, type Facelet } from "./colors";
import "./net.css";
import { isCenter, useStroke, type Paintable } from "./stroke";

/** Arrangement of the faces. */
type Layout = "wide" | "narrow";
const SIZE: Record<Layout, [columns: number, rows: number]> = { wide: [12, 9], narrow: [9, 12] };

/** Screens with the narrow layout; the style sheet has the same limit. */
const NARROW = matchMedia("(max-width: 30rem)");

const STEPS: Record<string, [columns: number, rows: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The paintable net. `label` describes the subject of the painting, and `blank` an unpainted facelet. */
export function Net(props: Paintable & { label: string; blank?: string }) {
  const { facelets, brush, marks = [] } = props;
  const [at, setAt] = useState(0);
  const net = useRef<HTMLDivElement>(null);
  const { paint, onPointerDown, onPointerMove } = useStroke(props);
  /** Moves the tab stop; only one facelet is one, and arrow keys move between facelets. */
  const moveTo = (place: number): void => {
    setAt(place);
    (net.current!.children[place] as HTMLElement).focus();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    const painted = ["Backspace", "Delete", "."].includes(event.key) ? "." : faceOfKey(event.key);
    if (step) moveTo(beside(at, step));
    else if (event.key === "Home") moveTo(0);
    else if (event.key === "End") moveTo(53);
    else if (painted) {
      paint(at, painted);
      moveTo(event.key === "Backspace" ? before(at) : after(at));
    } else return;
    event.preventDefault();
  };
  return (
    <div
      ref={net}
      class="net"
      role="group"
      aria-label={props.label}
      onKeyDown={onKey}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
    >
      {([...facelets] as Facelet[]).map((facelet, place) => {
        const mark = marks.find(({ facelet_indices }) => facelet_indices.includes(place));
        const color = facelet === "." && props.blank ? props.blank : colorName(facelet);
        return (
          <button
            type="button"
            class={`facelet face-${faceOf(place)}${isCenter(place) ? " center" : ""}${mark ? " fault" : ""}`}
            style={{ "--wide": areaOf(place, "wide"), "--narrow": areaOf(place, "narrow") }}
            data-place={place}
            data-color={facelet}
            data-sign={mark?.sign}
            tabIndex={place === at ? 0 : -1}
            aria-disabled={isCenter(place) || undefined}
            aria-label={`${nameOf(place)} ${color}${mark ? `; ${mark.error}` : ""}`}
            title={mark?.error}
            onClick={(event) => void (event.detail === 0 && paint(place, brush.value))}
            onFocus={() => setAt(place)}
          />
        );
      })}
    </div>
  );
}

const faceOf = (place: number): Face => FACES[Math.floor(place / 9)]!;

function position(place: number, layout: Layout): [column: number, row: number] {
  const face = faceOf(place);
  const column = place % 3;
  const row = Math.floor(place / 3) % 3;
  if (face === "B" && layout === "narrow") return [5 - column, 11 - row];
  return [UNFOLDED[face][0] + column, UNFOLDED[face][1] + row];
}

/** The grid area of a facelet. */
function areaOf(place: number, layout: Layout): string {
  const [column, row] = position(place, layout);
  return `${row + 1} / ${column + 1}`;
}

/** The facelet at each position of a layout. */
const placesIn = (layout: Layout): Map<string, number> =>
  new Map(Array.from({ length: 54 }, (_, place) => [position(place, layout).join(), place]));
const PLACES: Record<Layout, Map<string, number>> = {
  wide: placesIn("wide"),
  narrow: placesIn("narrow"),
};

/** The next facelet in this direction of the net, which wraps around. */
function beside(place: number, [right, down]: [number, number]): number {
  const layout = NARROW.matches ? "narrow" : "wide";
  const [columns, rows] = SIZE[layout];
  let [column, row] = position(place, layout);
  for (;;) {
    column = (column + right + columns) % columns;
    row = (row + down + rows) % rows;
    const found = PLACES[layout].get([column, row].join());
    if (found !== undefined) return found;
  }
}

/** The next facelet to paint, skipping centers. */
const after = (place: number): number => (place + (place % 9 === 3 ? 2 : 1)) % 54;
const before = (place: number): number => (place - (place % 9 === 5 ? 2 : 1) + 54) % 54;

/** Returns the names of these facelets, each with the name of its color. */
export function described(
  places: number[],
  facelets: string,
  name: (facelet: Facelet) => string,
): string {
  return places.map((place) => `${nameOf(place)} ${name(facelets[place] as Facelet)}`).join(", ");
}

/**
 * Rewrites an error of the engine about painted pieces, or its remedy, with color names in place of
 * face letters.
 */
export function inColors(error: string): string {
  return error
    .replace(/the (\w+) stickers in slot [URFDLB]+/, "these $1 stickers")
    .replace(/\b[URFDLB]{1,3}\b/g, (letters) =>
      [...letters].map((letter) => colorName(letter as Face)).join("-"),
    );
}

const nameOf = (place: number): string => `${NAMES[faceOf(place)]} ${(place % 9) + 1}`;
