// The picture of a review as SVG: how far the solution was from optimal, the curve, the scramble.

import type { Review } from "../protocol";
import { HEIGHT, INK, WIDTH, escaped, signature, wrapped } from "../share/picture";
import { isLost, plotOf, type Edges } from "./plot";

/** The place of the curve in the picture. */
const EDGES: Edges = { left: 90, right: WIDTH - 60, top: 300, bottom: HEIGHT - 90 };

/** Number of letters in a line of the scramble. */
const LETTERS = 60;

/** Draws the picture; `headline` and `link` are shown as they are. */
export function reviewPicture(review: Review, headline: string, link: string): string {
  const { points, grid, x, y, path } = plotOf(review, EDGES);
  const scramble = wrapped(review.input, LETTERS, 2).map(
    (line, row) =>
      `<text x="60" y="${190 + 36 * row}" font-size="26" font-family="ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace">${escaped(line)}</text>`,
  );
  const lost = points
    .filter(isLost)
    .map(
      (point) =>
        `<circle cx="${x(point.length)}" cy="${y(point.lower_bound)}" r="8" fill="${INK.bad}"/>`,
    );
  const lines = grid.map(
    (distance) =>
      `<line x1="${EDGES.left}" x2="${EDGES.right}" y1="${y(distance)}" y2="${y(distance)}" stroke="${INK.line}"/>` +
      `<text x="${EDGES.left - 14}" y="${y(distance) + 7}" font-size="20" text-anchor="end" fill="${INK.faint}">${distance}</text>`,
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" font-family="Inter, system-ui, -apple-system, Segoe UI, Roboto, DejaVu Sans, sans-serif" fill="${INK.ink}">` +
    `<title>${escaped(`${review.input}: ${headline}`)}</title>` +
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${INK.paper}"/>` +
    `<text x="60" y="110" font-size="60" font-weight="800">${escaped(headline)}</text>` +
    scramble.join("") +
    lines.join("") +
    `<polyline points="${path("lower_bound")}" fill="none" stroke="${INK.accent}" stroke-width="5" stroke-linejoin="round"/>` +
    lost.join("") +
    `<text x="60" y="${HEIGHT - 32}" font-size="22" fill="${INK.faint}">distance to solved after each move; dots lost ground</text>` +
    `<text x="${WIDTH - 40}" y="${HEIGHT - 32}" font-size="22" text-anchor="end" fill="${INK.faint}">${escaped(signature(link))}</text></svg>`
  );
}
