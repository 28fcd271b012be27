// The net of the cube, as on printed scrambles; it cannot be painted. The facelets of bad pieces
// have a ring, and all others are pale.
//
//        U
//      L F R B
//        D

import { FACES, UNFOLDED } from "../cube/colors";
import "./picture.css";

/** Gap between faces, in facelet widths. */
const GAP = 0.25;

const VIEW_BOX = `-0.1 -0.1 ${12.2 + 3 * GAP} ${9.2 + 2 * GAP}`;

/** The net with these facelets, of which those at `marked` are marked. */
export function Picture(props: { facelets: string; marked: readonly number[]; label: string }) {
  const { facelets, marked, label } = props;
  return (
    <svg
      class={marked.length > 0 ? "flat marked" : "flat"}
      viewBox={VIEW_BOX}
      role="img"
      aria-label={label}
    >
      {[...facelets].map((letter, place) => (
        <Sticker letter={letter} place={place} isMarked={marked.includes(place)} />
      ))}
    </svg>
  );
}

function Sticker(props: { letter: string; place: number; isMarked: boolean }) {
  const { letter, place, isMarked } = props;
  const [column, row] = UNFOLDED[FACES[Math.floor(place / 9)]!];
  const x = column + (place % 3) + GAP * (column / 3);
  const y = row + (Math.floor(place / 3) % 3) + GAP * (row / 3);
  return (
    <g class={isMarked ? "bad" : undefined} data-color={letter} transform={`translate(${x} ${y})`}>
      <rect x={0.04} y={0.04} width={0.92} height={0.92} rx={0.16} />
      <text x={0.5} y={0.69}>
        {letter}
      </text>
      {isMarked && <circle cx={0.5} cy={0.5} r={0.3} />}
    </g>
  );
}
