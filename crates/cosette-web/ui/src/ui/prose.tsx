// Texts with code between back-ticks.

/** Three to six letters in a row, as in "slices M E S". */
const LETTERS = /(?<!\b\w )\b[A-Za-z]( [A-Za-z]\b){2,5}(?! \w\b)/g;

/** A text with code between back-ticks; letters in a row stay on one line. */
export function Prose({ text }: { text: string }) {
  const joined = text.replace(LETTERS, (letters) => letters.replaceAll(" ", "\u00a0"));
  return <>{joined.split("`").map((part, at) => (at % 2 ? <code>{part}</code> : part))}</>;
}
