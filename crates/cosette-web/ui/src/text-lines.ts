// Texts with several lines.

/** Returns the lines that may be positions: batches skip empty ones and comments. */
export function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => !/^\s*($|#|\/\/)/.test(line));
}
