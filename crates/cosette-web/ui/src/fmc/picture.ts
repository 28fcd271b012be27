// The net of the cube, as on printed scrambles; it cannot be painted. The facelets of bad pieces
// have a ring, and all others are pale.
//
//        U
//      L F R B
//        D

import { FACES, UNFOLDED } from "../cube/colors";
import { svgElement } from "../dom";

/** Gap between faces, in facelet widths. */
const GAP = 0.25;

/** Draws the net with these facelets, marking those at `marked`; `label` describes the picture. */
export function picture(facelets: string, marked: readonly number[], label: string): SVGElement {
  const drawn = [...facelets].map((letter, place) => {
    const [column, row] = UNFOLDED[FACES[Math.floor(place / 9)]!];
    const x = column + (place % 3) + GAP * (column / 3);
    const y = row + (Math.floor(place / 3) % 3) + GAP * (row / 3);
    const isMarked = marked.includes(place);
    return svgElement(
      "g",
      { class: isMarked ? "bad" : "", "data-color": letter, transform: `translate(${x} ${y})` },
      svgElement("rect", { x: 0.04, y: 0.04, width: 0.92, height: 0.92, rx: 0.16 }),
      svgElement("text", { x: 0.5, y: 0.69 }, letter),
      isMarked && svgElement("circle", { cx: 0.5, cy: 0.5, r: 0.3 }),
    );
  });
  const viewBox = `-0.1 -0.1 ${12.2 + 3 * GAP} ${9.2 + 2 * GAP}`;
  return svgElement(
    "svg",
    {
      class: marked.length > 0 ? "flat marked" : "flat",
      viewBox,
      role: "img",
      "aria-label": label,
    },
    ...drawn,
  );
}
