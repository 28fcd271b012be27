// Powers in a text, with exponents that can be read.

/** Renders exponents as superscripts of the text's own digits; a typeface may lack small ones. */
export function Powers({ text }: { text: string }) {
  const parts = text.split(/([⁰¹²³⁴⁵⁶⁷⁸⁹]+)/);
  return (
    <>
      {parts.map((part, index) => (index % 2 === 0 ? part : <sup>{part.normalize("NFKC")}</sup>))}
    </>
  );
}
