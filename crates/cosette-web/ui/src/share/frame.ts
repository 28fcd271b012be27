// The frame of shared pictures: their size, their headline with its seal, moves, and the name of the
// page.

import { isOfThisMachine } from "../hostname";
import { partsOf } from "../ui/headline";
import type { Palette } from "./palette";

/** Size of a picture, equal to that of link previews. */
export const WIDTH = 1200;
export const HEIGHT = 630;

/** Width of the left and right margins. */
export const MARGIN = 56;

/** Edges between which a picture is drawn, above the name of the page. */
export const TOP = 34;
export const BOTTOM = 538;

/** Widths of letters, in font sizes: monospaced ones, and the average of the others. */
const MONO_LETTER = 0.6;
const LETTER = 0.52;

/** Font size of notes. */
const NOTE = 24;

/** The classes of texts; the typefaces are those of the page, or of the system without them. */
const STYLE =
  'text{font-variant-numeric:tabular-nums;font-family:Inter,system-ui,"Segoe UI","DejaVu Sans",sans-serif}' +
  'text.mono{font-family:Prime,"JetBrains Mono",ui-monospace,Menlo,"DejaVu Sans Mono",monospace}';

/** Frames the drawing of a picture: its title, the paper, the name of the page and its address. */
export function framed(title: string, link: string, ink: Palette, drawing: string): string {
  const size = `width="${WIDTH}" height="${HEIGHT}"`;
  const name = 'font-size="34" font-weight="800" letter-spacing="-1.5"';
  const faint = `font-size="24" text-anchor="end" fill="${ink.faint}"`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" ` +
    `fill="${ink.ink}">` +
    `<title>${escaped(title)}</title><style>${STYLE}</style>` +
    `<rect ${size} fill="${ink.paper}"/>` +
    drawing +
    `<path d="M${MARGIN} ${BOTTOM + 14}H${WIDTH - MARGIN}" stroke="${ink.line}" stroke-width="2"/>` +
    `<g transform="translate(${MARGIN - 4} 569)">${logo(ink)}</g>` +
    `<text x="${MARGIN + 50}" y="602" ${name}>Cosette</text>` +
    `<text x="${WIDTH - MARGIN}" y="600" ${faint}>${escaped(address(link))}</text></svg>`
  );
}

/** The cube of the wordmark, 43 wide and high. */
function logo({ U, F, R, ink }: Palette): string {
  return (
    `<g transform="scale(1.35)" stroke="${ink}" stroke-width="1.6" stroke-linejoin="round">` +
    `<path d="M16 2 29 9 16 16 3 9z" fill="${U}"/><path d="M3 9l13 7v14L3 23z" fill="${F}"/>` +
    `<path d="M29 9 16 16v14l13-7z" fill="${R}"/></g>`
  );
}

/** The address of the page if others can open it. */
function address(link: string): string {
  const { hostname, host, pathname } = new URL(link);
  return isOfThisMachine(hostname) ? "" : `${host}${pathname}`.replace(/\/$/, "");
}

/** A part of a picture, from its left and top edges. */
export interface Block {
  svg: string;
  height: number;
}

/** Puts blocks below one another, with a gap above each but the first. */
export function stacked(blocks: (Block & { gap?: number })[]): Block {
  let height = 0;
  const placed = blocks.map(({ svg, gap = 0, ...block }, place) => {
    const y = height + (place === 0 ? 0 : gap);
    height = y + block.height;
    return `<g transform="translate(0 ${y})">${svg}</g>`;
  });
  return { svg: placed.join(""), height };
}

/** A line of text, whose exponents are digits of its typeface. */
function line(content: string, size: number, style = ""): Block {
  const place = `y="${Math.round(size)}" font-size="${size}"`;
  const height = Math.round(1.35 * size);
  return { svg: `<text ${place} ${style}>${powers(escaped(content), size)}</text>`, height };
}

/** Raises the exponents in a text of this font size, and lowers what follows them. */
function powers(text: string, size: number): string {
  const [first, ...rest] = text.split(/([⁰¹²³⁴⁵⁶⁷⁸⁹]+)/);
  const rise = Math.round(size / 3);
  const small = `dy="-${rise}" font-size="${Math.round(0.7 * size)}"`;
  return rest.reduce(
    (drawn, part, index) =>
      index % 2 === 0
        ? `${drawn}<tspan ${small}>${part.normalize("NFKC")}</tspan>`
        : `${drawn}<tspan dy="${rise}">${part}</tspan>`,
    first!,
  );
}

/**
 * Draws moves below their name in this width, in the first font size in which two lines suffice, or
 * else in three lines.
 */
export function namedMoves(
  name: string,
  moves: string,
  sizes: number[],
  width: number,
  ink: Palette,
): Block {
  const lettersOf = (size: number): number => Math.floor(width / (MONO_LETTER * size));
  const size = sizes.find((each) => filled(moves, lettersOf(each)).length <= 2) ?? sizes.at(-1)!;
  const lines = wrapped(moves, lettersOf(size), 3);
  return stacked([
    line(name, 20, `fill="${ink.faint}"`),
    { ...stacked(lines.map((each) => line(each, size, 'class="mono"'))), gap: 2 },
  ]);
}

/** A note in at most two lines of this width. */
function noteLines(note: string, width: number, ink: Palette): Block {
  const lines = wrapped(note, Math.floor(width / (LETTER * NOTE)), 2);
  return stacked(lines.map((each) => line(each, NOTE, `fill="${ink.faint}"`)));
}

/** Font sizes of the number and of its unit. */
const NUMERAL = 120;
const UNIT = 40;

/** The seal of a proof: its size, and the width of its text. */
const SEAL = { width: 280, height: 52, text: 240 };

/**
 * Draws a headline in this width, with a large number and the seal of a proof. Its other words and
 * a claim are notes below it, and below `between`.
 */
export function headed(
  headline: string,
  claim: string,
  width: number,
  ink: Palette,
  between: Block = { svg: "", height: 0 },
): Block {
  const { before, numeral, unit, counting, seal, rest } = partsOf(headline);
  const above = before.trim().replace(/:$/, "");
  const bold = 'font-weight="650" letter-spacing="-0.5"';
  const title = line(above, fitting(above, numeral ? 32 : 64, width), bold);
  const note = [counting, rest.trim(), claim].filter(Boolean).join(" · ");
  return stacked([
    ...(above ? [title] : []),
    ...(numeral ? [numberLine(numeral, unit.trim(), seal, width, ink)] : []),
    ...(between.height > 0 ? [{ ...between, gap: 20 }] : []),
    ...(note ? [{ ...noteLines(note, width, ink), gap: 12 }] : []),
  ]);
}

/** Draws a large number, its unit beside it, and the seal of a proof on the right. */
function numberLine(
  numeral: string,
  unit: string,
  seal: string,
  width: number,
  ink: Palette,
): Block {
  const digits = numeral.replace(/\D/g, "").length;
  const room = width - NUMERAL * (0.62 * digits + 0.4 * (numeral.length - digits)) - 24;
  const size = fitting(unit, UNIT, seal ? room - SEAL.width : room);
  const baseline = Math.round(0.8 * NUMERAL);
  const number =
    `<text y="${baseline}" fill="${seal ? ink.good : ink.ink}" font-weight="650">` +
    `<tspan font-size="${NUMERAL}" font-weight="800" letter-spacing="-6">${numeral}</tspan>` +
    `<tspan dx="18" font-size="${size}" letter-spacing="-0.5">${escaped(unit)}</tspan></text>`;
  const stamp = seal ? sealed(seal, width, baseline, ink) : "";
  return { svg: number + stamp, height: baseline + 6 };
}

/** Draws the seal of a proof, from this right edge and above this baseline. */
function sealed(text: string, right: number, baseline: number, { good }: Palette): string {
  const { width, height } = SEAL;
  const x = right - width + 1.5;
  const y = baseline - height + 1.5;
  const box = `x="${x}" y="${y}" width="${width - 3}" height="${height}" rx="9"`;
  const middle = `x="${right - width / 2}" y="${y + height / 2 + 9}" text-anchor="middle"`;
  const letters = `font-size="24" font-weight="750" textLength="${SEAL.text}"`;
  return (
    `<rect ${box} fill="none" stroke="${good}" stroke-width="3"/>` +
    `<text class="seal" ${middle} ${letters} fill="${good}">${text.toUpperCase()}</text>`
  );
}

/** Returns the font size, at most this, at which a text fits. */
function fitting(text: string, size: number, width: number): number {
  return Math.min(size, Math.floor(width / (LETTER * text.length)));
}

/**
 * Wraps words into lines of similar length, with at most this many letters; text beyond the
 * maximum number of lines is dropped.
 */
export function wrapped(text: string, letters: number, maxLines: number): string[] {
  const lines = filled(text, letters);
  if (lines.length > maxLines)
    return [...lines.slice(0, maxLines - 1), `${lines[maxLines - 1]!.slice(0, letters - 2)} …`];
  const narrower = Array.from({ length: letters }, (_, less) => filled(text, letters - less));
  return narrower.findLast((other) => other.length === lines.length)!;
}

/** Wraps words into as few lines as possible. */
function filled(text: string, letters: number): string[] {
  const lines = [""];
  for (const word of text
    .trim()
    .split(/\s+/)
    .flatMap((word) => word.match(new RegExp(`.{1,${letters}}`, "gu")) ?? [])) {
    const line = lines.at(-1)!;
    if (line === "" || line.length + 1 + word.length <= letters)
      lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Escapes a text for SVG. */
function escaped(text: string): string {
  return text.replace(
    /[&<>"]/g,
    (symbol) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[symbol]!,
  );
}
