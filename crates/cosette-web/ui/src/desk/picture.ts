// The cube unfolded, as scrambles are printed: for a look, not to be painted. The facelets of bad pieces have a ring, and the others
// are pale.
//
//        U
//      L F R B
//        D

import { FACES, type Face } from "../cube/colours";

/** The first column and row of each face. */
const CORNER: Record<Face, [column: number, row: number]> = { U: [3, 0], R: [6, 3], F: [3, 3], D: [3, 6], L: [0, 3], B: [9, 3] };

/** Between faces, in widths of a facelet. */
const GAP = 0.25;

/** The net with these facelets, of which those at `marked` are marked; `label` says what is seen. */
export function picture(facelets: string, marked: readonly number[], label: string): SVGElement {
  const places = new Set(marked);
  const svg = element("svg", { class: places.size > 0 ? "flat marked" : "flat", viewBox: `-0.1 -0.1 ${12.2 + 3 * GAP} ${9.2 + 2 * GAP}`, role: "img", "aria-label": label });
  for (let place = 0; place < 54; place += 1) {
    const [column, row] = CORNER[FACES[Math.floor(place / 9)]!];
    const x = column + (place % 3) + GAP * (column / 3);
    const y = row + (Math.floor(place / 3) % 3) + GAP * (row / 3);
    const isMarked = places.has(place);
    const group = element("g", { class: isMarked ? "bad" : "", "data-colour": facelets[place]!, transform: `translate(${x} ${y})` });
    group.append(element("rect", { x: "0.04", y: "0.04", width: "0.92", height: "0.92", rx: "0.16" }));
    const letter = element("text", { x: "0.5", y: "0.69" });
    letter.textContent = facelets[place]!;
    group.append(letter);
    if (isMarked) group.append(element("circle", { cx: "0.5", cy: "0.5", r: "0.3" }));
    svg.append(group);
  }
  return svg;
}

function element(name: string, attributes: Record<string, string>): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}
