// The picture of a review as SVG: how far the solution was from optimal, the curve, the scramble.

import type { Review } from "../protocol";
import { BOTTOM, MARGIN, TOP, WIDTH, framed, headed, namedMoves } from "../share/frame";
import { pagePalette } from "../share/palette";
import { isLost, plotOf, type Edges } from "./plot";
import { headlineOf, lengthsOf } from "./words";

/** The place of the curve in the picture. */
const EDGES: Edges = { left: MARGIN + 44, right: WIDTH - MARGIN, top: 226, bottom: BOTTOM - 56 };

/** Left edge of the scramble, right of the headline, and the distance between them. */
const LEFT = 700;
const GAP = 40;

/** Draws the picture in these colors; `link` is shown as it is. */
export function reviewPicture(review: Review, link: string, ink = pagePalette()): string {
  const headline = headlineOf(review);
  const { points, proven, open, grid, climbs, x, y } = plotOf(review, EDGES);
  const { left, right } = EDGES;
  const faint = `fill="${ink.faint}"`;
  const title = headed(headline, lengthsOf(review), LEFT - GAP - MARGIN, ink);
  const scramble = namedMoves("Scramble", review.input, [30, 24], WIDTH - MARGIN - LEFT, ink);
  const lines = grid.map((distance) => {
    const height = y(distance);
    const label = `x="${left - 14}" y="${height + 7}" font-size="20" text-anchor="end"`;
    return (
      `<line x1="${left}" x2="${right}" y1="${height}" y2="${height}" stroke="${ink.line}"/>` +
      `<text ${label} ${faint}>${distance}</text>`
    );
  });
  const lost = points.filter(isLost).map((point) => {
    const place = `cx="${x(point.length)}" cy="${y(point.lower_bound)}"`;
    return `<circle ${place} r="8" fill="${ink.bad}"/>`;
  });
  const curve = `fill="none" stroke="${ink.accent}" stroke-width="5" stroke-linejoin="round"`;
  const steep = `fill="none" stroke="${ink.bad}" stroke-width="7" stroke-linejoin="round"`;
  const marks = climbs.map(({ path, label, x, y }) => {
    const place = `x="${x}" y="${y - 16}" font-size="24" font-weight="700" text-anchor="middle"`;
    return `<polyline points="${path}" ${steep}/><text ${place} fill="${ink.bad}">${label}</text>`;
  });
  const legend = `x="${MARGIN}" y="${BOTTOM - 12}" font-size="22" ${faint}`;
  const told = marks.length > 0 ? ", red lines the most" : "";
  return framed(
    `${review.input}: ${headline}`,
    link,
    ink,
    [
      `<g transform="translate(${MARGIN} ${TOP + 8})">${title.svg}</g>`,
      `<g transform="translate(${LEFT} ${TOP + 28})">${scramble.svg}</g>`,
      ...lines,
      open && `<polygon points="${open}" fill="${ink.line}"/>`,
      `<polyline points="${proven}" ${curve}/>`,
      ...marks,
      ...lost,
      `<text ${legend}>distance to solved after each move; dots lost ground${told}</text>`,
    ].join(""),
  );
}
