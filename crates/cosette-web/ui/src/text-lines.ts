// Texts with several lines.

/** Returns the lines that may be positions: batches skip empty ones and comments. */
export function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => !/^\s*($|#|\/\/)/.test(line));
}

/** Returns the number of bytes of a text. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
