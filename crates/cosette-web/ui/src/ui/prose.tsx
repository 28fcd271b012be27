// Texts with code between back-ticks.

/** Three to six letters in a row, as in "slices M E S". */
const LETTERS = /(?<!\b\w )\b[A-Za-z]( [A-Za-z]\b){2,5}(?! \w\b)/g;

/** Returns the parts of a text, of which every second one is code; letters in a row stay on one line. */
export function partsOf(text: string): string[] {
  return text.replace(LETTERS, (letters) => letters.replaceAll(" ", "\u00a0")).split("`");
}

/** A text with code between back-ticks. */
export function Prose({ text }: { text: string }) {
  return <>{partsOf(text).map((part, at) => (at % 2 ? <code>{part}</code> : part))}</>;
}
