// Texts with several lines.

/** The lines that may be positions: batches skip empty ones and comments. */
export function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => !/^\s*($|#|\/\/)/.test(line));
}

/** How many bytes a text has. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
