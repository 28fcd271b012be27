// A picture of an answer as SVG: the cube, its scramble, the solution, and the proven fact.

import { inkOn, type Color } from "../cube/appearance";
import type { Face, Facelet } from "../cube/colors";
import { EXTENT, drawn } from "../cube/drawing";
import { isOfThisMachine } from "../hostname";

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

/** The appearance of the cube. */
interface Look {
  colors: Record<Face, Color>;
  letters: boolean;
}

/** Size of a picture, equal to that of link previews. */
export const [WIDTH, HEIGHT] = [1200, 630];

/** The colors of pictures. */
export const INK = {
  paper: "#f6f5f1",
  ink: "#1b1e24",
  faint: "#5d636e",
  line: "#dcdad2",
  accent: "#175e8c",
  good: "#1c7a43",
  bad: "#b3261e",
  body: "#23262c",
};

/** The typefaces of pictures: those of the system, because files of a page are not loaded in them. */
const SANS = "system-ui, -apple-system, Segoe UI, Roboto, DejaVu Sans, sans-serif";
export const MONO = "ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace";

/** Left edge and width of the texts. */
const [LEFT, ROOM] = [520, 630];

/** The width of a letter of a monospaced font, in font sizes. */
const ADVANCE = 0.61;

/** Draws the picture. */
export function picture(
  { facelets, position, solution, headline, claim, link }: SharedAnswer,
  { colors, letters }: Look,
): string {
  const style = (facelet: Facelet): { fill: string; ink?: string } => {
    // The cube of an answer has no unpainted facelets.
    const fill = colors[facelet as Face].value;
    return letters ? { fill, ink: inkOn(fill) } : { fill };
  };
  const lines: string[] = [];
  let y = 0;
  const write = (text: string, size: number, rest = ""): void => {
    y += Math.round(1.35 * size);
    lines.push(`<text x="${LEFT}" y="${y}" font-size="${size}" ${rest}>${escaped(text)}</text>`);
  };
  const moves = (label: string, text: string, size: number): void => {
    y += 22;
    write(label, 22, `fill="${INK.faint}"`);
    for (const line of wrapped(text, Math.floor(ROOM / (ADVANCE * size)), 3))
      write(line, size, `font-family="${MONO}"`);
  };
  write(
    headline,
    Math.min(50, Math.floor(ROOM / (0.64 * headline.length))),
    `font-weight="700" fill="${INK.good}"`,
  );
  if (claim !== "") write(claim, 26, `fill="${INK.faint}"`);
  moves("Scramble", position, 24);
  moves("Solution", solution || "(no moves)", 32);
  const scale = 220 / EXTENT[1];
  return framed(
    `${position}: ${headline}; ${solution}`,
    link,
    `<g transform="translate(260 315) scale(${scale.toFixed(2)})">${drawn(facelets, INK.body, style)}</g>` +
      `<g transform="translate(0 ${Math.round((HEIGHT - 40 - y) / 2)})">${lines.join("")}</g>`,
  );
}

/** Frames the drawing of a picture: its title, the paper, and the name of the page. */
export function framed(title: string, link: string, drawing: string): string {
  const size = `width="${WIDTH}" height="${HEIGHT}"`;
  const name = `x="${WIDTH - 40}" y="${HEIGHT - 32}" font-size="22" text-anchor="end" fill="${INK.faint}"`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" ` +
    `font-family="${SANS}" fill="${INK.ink}">` +
    `<title>${escaped(title)}</title>` +
    `<rect ${size} fill="${INK.paper}"/>` +
    drawing +
    `<text ${name}>${escaped(signature(link))}</text></svg>`
  );
}

/** The name of the page, with its address if others can open it. */
function signature(link: string): string {
  const { hostname, host, pathname } = new URL(link);
  return isOfThisMachine(hostname) ? "Cosette" : `Cosette · ${host}${pathname}`.replace(/\/$/, "");
}

/**
 * Wraps words into lines of similar length, with at most this many letters; text beyond the
 * maximum number of lines is dropped.
 */
export function wrapped(text: string, letters: number, most: number): string[] {
  const lines = filled(text, letters);
  if (lines.length > most)
    return [...lines.slice(0, most - 1), `${lines[most - 1]!.slice(0, letters - 2)} …`];
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
export function escaped(text: string): string {
  return text.replace(
    /[&<>"]/g,
    (symbol) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[symbol]!,
  );
}
