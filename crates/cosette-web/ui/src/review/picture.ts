// The picture of a review as SVG: how far the solution was from optimal, the curve, the scramble.

import type { Review } from "../protocol";
import { HEIGHT, INK, MONO, WIDTH, escaped, framed, wrapped } from "../share/picture";
import { isLost, plotOf, type Edges } from "./plot";

/** The place of the curve in the picture. */
const EDGES: Edges = { left: 90, right: WIDTH - 60, top: 300, bottom: HEIGHT - 90 };

/** Number of letters in a line of the scramble. */
const LETTERS = 60;

/** Draws the picture; `headline` and `link` are shown as they are. */
export function reviewPicture(review: Review, headline: string, link: string): string {
  const { points, grid, x, y, path } = plotOf(review, EDGES);
  const { left, right } = EDGES;
  const scramble = wrapped(review.input, LETTERS, 2).map((line, row) => {
    const place = `x="60" y="${190 + 36 * row}"`;
    return `<text ${place} font-size="26" font-family="${MONO}">${escaped(line)}</text>`;
  });
  const lines = grid.map((distance) => {
    const height = y(distance);
    const label = `x="${left - 14}" y="${height + 7}" font-size="20" text-anchor="end"`;
    return (
      `<line x1="${left}" x2="${right}" y1="${height}" y2="${height}" stroke="${INK.line}"/>` +
      `<text ${label} fill="${INK.faint}">${distance}</text>`
    );
  });
  const lost = points.filter(isLost).map((point) => {
    const place = `cx="${x(point.length)}" cy="${y(point.lower_bound)}"`;
    return `<circle ${place} r="8" fill="${INK.bad}"/>`;
  });
  const line = `fill="none" stroke="${INK.accent}" stroke-width="5" stroke-linejoin="round"`;
  const legend = `x="60" y="${HEIGHT - 32}" font-size="22" fill="${INK.faint}"`;
  return framed(
    `${review.input}: ${headline}`,
    link,
    [
      `<text x="60" y="110" font-size="60" font-weight="800">${escaped(headline)}</text>`,
      ...scramble,
      ...lines,
      `<polyline points="${path("lower_bound")}" ${line}/>`,
      ...lost,
      `<text ${legend}>distance to solved after each move; dots lost ground</text>`,
    ].join(""),
  );
}
