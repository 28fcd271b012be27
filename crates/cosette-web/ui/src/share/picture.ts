// The picture of an answer as SVG: the cube, what is proven of its length, the scramble and the
// solution.

import { inkOn } from "../cube/appearance";
import type { Face, Facelet } from "../cube/colors";
import { EXTENT, drawn } from "../cube/drawing";
import { lengthKinds, exclusion, type Bounds, type LengthKind } from "../solve/bounds";
import {
  BOTTOM,
  MARGIN,
  TOP,
  WIDTH,
  framed,
  headed,
  namedMoves,
  stacked,
  type Block,
} from "./frame";
import type { Palette } from "./palette";

/** The shared parts of an answer. */
export interface SharedAnswer {
  facelets: string;
  /** The entered position. */
  position: string;
  solution: string;
  /** The proven fact: "18 moves, proven optimal", "One of 3 optimal solutions". */
  headline: string;
  claim: string;
  link: string;
}

/** The appearance of the picture, and whether facelets have letters. */
interface Look {
  palette: Palette;
  letters: boolean;
}

/** Left edge and width of the texts, right of the cube. */
const LEFT = 500;
const ROOM = WIDTH - MARGIN - LEFT;

/** Middle of the drawing. */
const MIDDLE = (TOP + BOTTOM) / 2;

/** Draws the picture of an answer with these bounds. */
export function picture(
  { facelets, position, solution, headline, claim, link }: SharedAnswer,
  known: Bounds,
  { palette, letters }: Look,
): string {
  const style = (facelet: Facelet): { fill: string; ink?: string } => {
    // The cube of an answer has no unpainted facelets.
    const fill = palette[facelet as Face];
    return letters ? { fill, ink: inkOn(fill) } : { fill };
  };
  const facts = [exclusion(known), claim].filter(Boolean).join(" · ");
  const { svg, height } = stacked([
    headed(headline, facts, ROOM, palette, lengthLine(known, palette)),
    { ...namedMoves("Scramble", position, [34, 28, 24], ROOM, palette), gap: 20 },
    {
      ...namedMoves("Solution", solution || "(no moves)", [50, 42, 36, 32], ROOM, palette),
      gap: 20,
    },
  ]);
  const scale = Math.min(1, (BOTTOM - TOP) / height);
  const top = Math.round(MIDDLE - (scale * height) / 2);
  const width = LEFT - MARGIN - 56;
  const zoom = width / (2 * EXTENT[0]);
  return framed(
    `${position}: ${headline}; ${solution}`,
    link,
    palette,
    `<g transform="translate(${MARGIN + width / 2} ${MIDDLE}) scale(${zoom.toFixed(2)})">` +
      `${drawn(facelets, palette.body, style)}</g>` +
      `<g transform="translate(${LEFT} ${top}) scale(${scale.toFixed(3)})">${svg}</g>`,
  );
}

/**
 * Draws the line of lengths: those that are ruled out are dark, and the length of the best known
 * solution is framed, or filled if it is proven.
 */
function lengthLine(known: Bounds, ink: Palette): Block {
  const kinds = lengthKinds(known);
  if (kinds.length === 0) return { svg: "", height: 0 };
  const height = 44;
  const width = ROOM / kinds.length;
  const boxOf = (x: number, y: number, wide: number): string =>
    `x="${x.toFixed(1)}" y="${y}" width="${wide.toFixed(1)}" height="${height - 2 * y}"`;
  const colors: Record<LengthKind, [fill: string, text: string]> = {
    "ruled-out": [ink.ink, ink.paper],
    open: [ink.paper, ink.ink],
    known: [ink.paper, ink.ink],
    proven: [ink.good, ink.paper],
    unneeded: ["url(#hatch)", ink.faint],
  };
  const cells = kinds.map((kind, length) => {
    const [fill, color] = colors[kind];
    const x = length * width;
    const isKnown = kind === "known";
    const frame = isKnown
      ? `<rect ${boxOf(x + 2, 2, width - 4)} fill="none" stroke="${ink.good}" stroke-width="4"/>`
      : "";
    const weight = isKnown || kind === "proven" ? 750 : 450;
    const middle = `x="${(x + width / 2).toFixed(1)}" y="28"`;
    return (
      `<rect class="${kind}" ${boxOf(x, 0, width)} fill="${fill}" stroke="${ink.line}"/>${frame}` +
      `<text ${middle} fill="${color}" font-weight="${weight}">${length}</text>`
    );
  });
  const edge = `width="${ROOM}" height="${height}" rx="8"`;
  const hatch = `width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"`;
  const texts = `font-size="${width < 27 ? 14 : 16}" text-anchor="middle"`;
  return {
    height,
    svg:
      `<defs><clipPath id="lengths"><rect ${edge}/></clipPath>` +
      `<pattern id="hatch" ${hatch}><path d="M0 0V8" stroke="${ink.line}" stroke-width="3"/></pattern></defs>` +
      `<g clip-path="url(#lengths)" ${texts}>${cells.join("")}</g>` +
      `<rect ${edge} fill="none" stroke="${ink.edge}" stroke-width="2"/>`,
  };
}
